; The device library that tells ockl that code objects have version 6, which clang makes from LLVM 20
; on; hidden arguments are those of version 5, the newest that rocm-device-libs 5.2.3 knows.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
@__oclc_ABI_version = linkonce_odr protected local_unnamed_addr addrspace(4) constant i32 600, align 4

; ocml 5.2.3 asks whether denormals are flushed; compilers that make version 6 no longer link a library
; that answers. HIP keeps denormals.
@__oclc_daz_opt = linkonce_odr protected local_unnamed_addr addrspace(4) constant i8 0, align 1
