; Orders and scopes of accesses to memory, as PTX names them.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out) {
  %a = load atomic i32, ptr %out syncscope("block") acquire, align 4
  store atomic i32 %a, ptr %out syncscope("device") release, align 4
  fence syncscope("device") acq_rel
  fence seq_cst
  %b = atomicrmw add ptr %out, i32 1 syncscope("block") acq_rel, align 4
  %c = atomicrmw sub ptr %out, i32 %b monotonic, align 4
  %pair = cmpxchg ptr %out, i32 %c, i32 41 syncscope("device") acquire monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  %d = load volatile i32, ptr %out, align 4
  %more = zext i1 %done to i32
  %sum = add i32 %d, %more
  store volatile i32 %sum, ptr %out, align 4
  ret void
}
