; clang 22 made this of:
; // Two values that change places in a loop, and a third that both need.
; extern "C" __global__ void k(unsigned *out) {
;     unsigned a = threadIdx.x, b = 1, c = 0;
; #pragma nounroll
;     for (unsigned i = 0; i < threadIdx.x + 3; i++) { unsigned t = a; a = b; b = t; c = c * 31 + a; }
;     out[threadIdx.x * 3] = a; out[threadIdx.x * 3 + 1] = b; out[threadIdx.x * 3 + 2] = c;
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local ptx_kernel void @k(ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = add nuw nsw i32 %0, 2
  br label %for.body

for.cond.cleanup:
  %mul4 = mul nuw nsw i32 %0, 3
  %idxprom = zext nneg i32 %mul4 to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom
  store i32 %b.022, ptr %arrayidx, align 4
  %arrayidx9 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  store i32 %a.025, ptr %arrayidx9, align 4
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i32 %add2, ptr %arrayidx14, align 4
  ret void

for.body:
  %a.025 = phi i32 [ %0, %entry ], [ %b.022, %for.body ]
  %i.024 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %c.023 = phi i32 [ 0, %entry ], [ %add2, %for.body ]
  %b.022 = phi i32 [ 1, %entry ], [ %a.025, %for.body ]
  %mul = mul i32 %c.023, 31
  %add2 = add i32 %mul, %b.022
  %inc = add nuw nsw i32 %i.024, 1
  %exitcond.not = icmp eq i32 %i.024, %1
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: write) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
