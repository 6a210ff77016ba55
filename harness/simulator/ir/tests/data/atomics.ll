; clang 22 made this of:
; // Atomics in global and shared memory, with and without a scope; each value that is returned is added once.
; extern "C" __global__ void k(unsigned *out) {
;     __shared__ unsigned count;
;     __shared__ float sum;
;     if (threadIdx.x == 0) { count = 0; sum = 0; }
;     __syncthreads();
;     unsigned before = atomicAdd(&count, 1u);
;     atomicAdd(&sum, 0.5f);
;     atomicMax(&out[1], threadIdx.x);
;     atomicAdd_block(&out[2], before);
;     atomicCAS(&out[3], 0u, 7u);
;     atomicInc(&out[4], 9u);
;     atomicExch((unsigned long long *)out + 3, 5ull);
;     __syncthreads();
;     if (threadIdx.x == 0) { out[0] = count; out[5] = (unsigned)sum; }
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ1kE5count = internal addrspace(3) global i32 undef, align 4
@_ZZ1kE3sum = internal addrspace(3) global float undef, align 4

define dso_local ptx_kernel void @k(ptr noundef %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:
  store i32 0, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE5count to ptr), align 4
  store float 0.000000e+00, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE3sum to ptr), align 4
  br label %if.end

if.end:
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void asm sideeffect "", "~{memory}"() #3
  %1 = atomicrmw add ptr addrspacecast (ptr addrspace(3) @_ZZ1kE5count to ptr), i32 1 monotonic, align 4
  tail call void asm sideeffect "", "~{memory}"() #3
  tail call void asm sideeffect "", "~{memory}"() #3
  %2 = atomicrmw fadd ptr addrspacecast (ptr addrspace(3) @_ZZ1kE3sum to ptr), float 5.000000e-01 monotonic, align 4
  tail call void asm sideeffect "", "~{memory}"() #3
  %arrayidx = getelementptr inbounds nuw i8, ptr %out, i64 4
  tail call void asm sideeffect "", "~{memory}"() #3
  %3 = atomicrmw umax ptr %arrayidx, i32 %0 monotonic, align 4
  tail call void asm sideeffect "", "~{memory}"() #3
  %arrayidx5 = getelementptr inbounds nuw i8, ptr %out, i64 8
  %4 = tail call noundef i32 asm sideeffect "atom.cta.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr nonnull %arrayidx5, i32 %1) #3
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %out, i64 12
  %5 = tail call noundef i32 asm sideeffect "atom.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,~{memory}"(ptr nonnull %arrayidx7, i32 0, i32 7) #3
  %arrayidx9 = getelementptr inbounds nuw i8, ptr %out, i64 16
  %6 = tail call noundef i32 asm sideeffect "atom.inc.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr nonnull %arrayidx9, i32 9) #3
  %add.ptr = getelementptr inbounds nuw i8, ptr %out, i64 24
  tail call void asm sideeffect "", "~{memory}"() #3
  %7 = atomicrmw xchg ptr %add.ptr, i64 5 monotonic, align 8
  tail call void asm sideeffect "", "~{memory}"() #3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %cmp, label %if.then14, label %if.end17

if.then14:
  %8 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE5count to ptr), align 4
  store i32 %8, ptr %out, align 4
  %9 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE3sum to ptr), align 4
  %conv = fptoui float %9 to i32
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %out, i64 20
  store i32 %conv, ptr %arrayidx16, align 4
  br label %if.end17

if.end17:
  ret void
}

attributes #0 = { convergent mustprogress noinline norecurse nounwind "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #3 = { convergent nounwind }
