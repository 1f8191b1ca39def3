
; The constant 100 MHz counter of wall_clock64(), S_MEMREALTIME on gfx9.
define linkonce_odr hidden i64 @__ockl_steadyctr_u64() local_unnamed_addr convergent mustprogress nounwind willreturn {
  %ticks = tail call i64 @llvm.readsteadycounter()
  ret i64 %ticks
}

declare i64 @llvm.readsteadycounter()
