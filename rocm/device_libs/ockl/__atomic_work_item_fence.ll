
; The fence of HIP 5's __threadfence(), in hip.bc, which clang links no longer from LLVM 20 on. The
; strongest order stands for all; scopes are OpenCL's (opencl-c-base.h).
define linkonce_odr hidden void @__atomic_work_item_fence(i32 %flags, i32 %order, i32 %scope) local_unnamed_addr alwaysinline nounwind {
  switch i32 %scope, label %all [
    i32 1, label %group
    i32 2, label %device
    i32 4, label %wave
  ]
group:
  fence syncscope("workgroup") seq_cst
  ret void
device:
  fence syncscope("agent") seq_cst
  ret void
wave:
  fence syncscope("wavefront") seq_cst
  ret void
all:
  fence seq_cst
  ret void
}
