// ROCTX 4.1: marks and ranges that a program names for profilers (ROCm documentation, ROCTx). The
// library is Wavetank's libroctx64, which nobody listens to.
#ifndef ROCTX_H_
#define ROCTX_H_

#include <stdint.h>

#define ROCTX_VERSION_MAJOR 4
#define ROCTX_VERSION_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

/// A range of roctxRangeStart.
typedef uint64_t roctx_range_id_t;

/// The version of the library.
uint32_t roctx_version_major(void);
uint32_t roctx_version_minor(void);

/// A moment.
void roctxMarkA(const char* message);
#define roctxMark(message) roctxMarkA(message)

/// Begins a range within those that the calling thread has begun. Gives how many those are.
int roctxRangePushA(const char* message);
#define roctxRangePush(message) roctxRangePushA(message)
/// Ends the one that it began last. Gives how many are left, -1 if there was none.
int roctxRangePop(void);

/// Begins a range that any thread may end.
roctx_range_id_t roctxRangeStartA(const char* message);
#define roctxRangeStart(message) roctxRangeStartA(message)
void roctxRangeStop(roctx_range_id_t id);

#ifdef __cplusplus
}
#endif

#endif
