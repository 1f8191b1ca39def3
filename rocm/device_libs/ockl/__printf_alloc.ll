
; Room for a record of printf under -mprintf-kind=buffered, or null if the buffer is full. The buffer
; is hidden_printf_buffer: bytes in use, bytes there are, records.
define linkonce_odr hidden ptr addrspace(1) @__printf_alloc(i32 %bytes) local_unnamed_addr norecurse nounwind {
  %version = load i32, ptr addrspace(4) @__oclc_ABI_version, align 4
  %since_5 = icmp sge i32 %version, 500
  %offset = select i1 %since_5, i64 72, i64 24
  %arguments = tail call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %place = getelementptr inbounds i8, ptr addrspace(4) %arguments, i64 %offset
  %buffer = load ptr addrspace(1), ptr addrspace(4) %place, align 8
  %size_at = getelementptr inbounds i8, ptr addrspace(1) %buffer, i64 4
  %size = load i32, ptr addrspace(1) %size_at, align 4
  %first = load atomic i32, ptr addrspace(1) %buffer syncscope("agent") monotonic, align 4
  br label %try

try:
  %used = phi i32 [ %first, %0 ], [ %now_used, %take ]
  %left = sub i32 %size, %used
  %fits = icmp ule i32 %bytes, %left
  br i1 %fits, label %take, label %full

take:
  %next = add i32 %used, %bytes
  %exchange = cmpxchg ptr addrspace(1) %buffer, i32 %used, i32 %next syncscope("agent") monotonic monotonic, align 4
  %now_used = extractvalue { i32, i1 } %exchange, 0
  %taken = extractvalue { i32, i1 } %exchange, 1
  br i1 %taken, label %done, label %try

done:
  %used_long = zext i32 %used to i64
  %records = getelementptr inbounds i8, ptr addrspace(1) %buffer, i64 8
  %record = getelementptr inbounds i8, ptr addrspace(1) %records, i64 %used_long
  ret ptr addrspace(1) %record

full:
  ret ptr addrspace(1) null
}
