// A kernel that stores 1 through its argument and then meets an instruction that needs a global
// semaphore, which Wavetank has not: the launch must be refused before the store.
  .text
  .globl uses_gws
  .p2align 8
  .type uses_gws,@function
uses_gws:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 1
  v_lshlrev_b32_e32 v2, 2, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v1, s[4:5]
  ds_gws_sema_p gds
  s_endpgm
.Lend:
  .size uses_gws, .Lend-uses_gws

  .rodata
  .p2align 6
  .amdhsa_kernel uses_gws
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 8
    .amdhsa_accum_offset 4
    .amdhsa_kernarg_size 8
  .end_amdhsa_kernel

  .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: uses_gws
    .symbol: uses_gws.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
...
  .end_amdgpu_metadata
