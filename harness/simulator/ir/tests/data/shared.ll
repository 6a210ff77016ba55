; clang 22 made this of:
; // A block's elements in the opposite order, by static and dynamic shared memory.
; extern __shared__ unsigned more[];
; extern "C" __global__ void k(unsigned *out) {
;     __shared__ unsigned tile[64];
;     tile[threadIdx.x] = out[threadIdx.x];
;     more[threadIdx.x] = 2 * threadIdx.x;
;     __syncthreads();
;     out[threadIdx.x] = tile[63 - threadIdx.x] + more[(threadIdx.x + 1) % 64];
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ1kE4tile = internal unnamed_addr addrspace(3) global [64 x i32] undef, align 4
@more = external local_unnamed_addr addrspace(3) global [0 x i32], align 4

define dso_local ptx_kernel void @k(ptr noundef captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom
  %1 = load i32, ptr %arrayidx, align 4
  %arrayidx3 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE4tile to ptr), i64 %idxprom
  store i32 %1, ptr %arrayidx3, align 4
  %mul = shl nuw nsw i32 %0, 1
  %arrayidx7 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @more to ptr), i64 %idxprom
  store i32 %mul, ptr %arrayidx7, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %sub = sub nsw i32 63, %0
  %idxprom9 = zext i32 %sub to i64
  %arrayidx10 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE4tile to ptr), i64 %idxprom9
  %2 = load i32, ptr %arrayidx10, align 4
  %add = add nuw nsw i32 %0, 1
  %rem = and i32 %add, 63
  %idxprom12 = zext nneg i32 %rem to i64
  %arrayidx13 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @more to ptr), i64 %idxprom12
  %3 = load i32, ptr %arrayidx13, align 4
  %add14 = add i32 %3, %2
  store i32 %add14, ptr %arrayidx, align 4
  ret void
}

attributes #0 = { convergent mustprogress noinline norecurse nounwind "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
