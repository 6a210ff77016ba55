; clang 22 made this of:
; // A switch over many cases, branches that join, and a loop with two ways out.
; extern "C" __global__ void __launch_bounds__(64, 2) k(unsigned *out) {
;     unsigned x = out[threadIdx.x], y = 0;
;     switch (x % 13) {
;         case 0: y = x; break; case 1: y = x * 3; break; case 2: y = x ^ 5; break; case 4: y = out[64]; break;
;         case 7: y = x / 5; break; case 8: y = x % 7; break; case 11: y = 1; break; default: y = x + 100;
;     }
;     for (unsigned i = 0; i < 40; i++) { if ((y ^ i) % 9 == 4 || y > 5000) break; y += i * (x & 3 ? 2 : 5); }
;     out[threadIdx.x] = y;
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local ptx_kernel void @k(ptr noundef captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom
  %1 = load i32, ptr %arrayidx, align 4
  %rem = urem i32 %1, 13
  switch i32 %rem, label %sw.default [
    i32 0, label %sw.epilog
    i32 1, label %sw.bb1
    i32 2, label %sw.bb2
    i32 4, label %sw.bb3
    i32 7, label %sw.bb5
    i32 8, label %sw.bb6
    i32 11, label %sw.bb8
  ]

sw.bb1:
  %mul = mul i32 %1, 3
  br label %sw.epilog

sw.bb2:
  %xor = xor i32 %1, 5
  br label %sw.epilog

sw.bb3:
  %arrayidx4 = getelementptr inbounds nuw i8, ptr %out, i64 256
  %2 = load i32, ptr %arrayidx4, align 4
  br label %sw.epilog

sw.bb5:
  %div = udiv i32 %1, 5
  br label %sw.epilog

sw.bb6:
  %rem7 = urem i32 %1, 7
  br label %sw.epilog

sw.bb8:
  br label %sw.epilog

sw.default:
  %add = add i32 %1, 100
  br label %sw.epilog

sw.epilog:
  %y.0 = phi i32 [ %add, %sw.default ], [ 1, %sw.bb8 ], [ %mul, %sw.bb1 ], [ %xor, %sw.bb2 ], [ %2, %sw.bb3 ], [ %div, %sw.bb5 ], [ %rem7, %sw.bb6 ], [ %1, %entry ]
  %and = and i32 %1, 3
  %tobool.not = icmp eq i32 %and, 0
  %cond = select i1 %tobool.not, i32 5, i32 2
  %3 = mul nuw nsw i32 %cond, 780
  %4 = add i32 %y.0, %3
  br label %for.body

for.body:
  %i.034 = phi i32 [ 0, %sw.epilog ], [ %inc.4, %if.end.4 ]
  %y.133 = phi i32 [ %y.0, %sw.epilog ], [ %add14.4, %if.end.4 ]
  %xor9 = xor i32 %i.034, %y.133
  %rem10 = urem i32 %xor9, 9
  %cmp11 = icmp eq i32 %rem10, 4
  %cmp12 = icmp ugt i32 %y.133, 5000
  %or.cond = or i1 %cmp11, %cmp12
  br i1 %or.cond, label %cleanup, label %if.end

if.end:
  %mul13 = mul nuw nsw i32 %i.034, %cond
  %add14 = add nuw nsw i32 %mul13, %y.133
  %inc = add nuw nsw i32 %i.034, 1
  %xor9.1 = xor i32 %inc, %add14
  %rem10.1 = urem i32 %xor9.1, 9
  %cmp11.1 = icmp eq i32 %rem10.1, 4
  %cmp12.1 = icmp ugt i32 %add14, 5000
  %or.cond.1 = or i1 %cmp11.1, %cmp12.1
  br i1 %or.cond.1, label %cleanup, label %if.end.1

if.end.1:
  %mul13.1 = mul nuw nsw i32 %inc, %cond
  %add14.1 = add nuw nsw i32 %mul13.1, %add14
  %inc.1 = add nuw nsw i32 %i.034, 2
  %xor9.2 = xor i32 %inc.1, %add14.1
  %rem10.2 = urem i32 %xor9.2, 9
  %cmp11.2 = icmp eq i32 %rem10.2, 4
  %cmp12.2 = icmp ugt i32 %add14.1, 5000
  %or.cond.2 = or i1 %cmp11.2, %cmp12.2
  br i1 %or.cond.2, label %cleanup, label %if.end.2

if.end.2:
  %mul13.2 = mul nuw nsw i32 %inc.1, %cond
  %add14.2 = add nuw nsw i32 %mul13.2, %add14.1
  %inc.2 = add nuw nsw i32 %i.034, 3
  %xor9.3 = xor i32 %inc.2, %add14.2
  %rem10.3 = urem i32 %xor9.3, 9
  %cmp11.3 = icmp eq i32 %rem10.3, 4
  %cmp12.3 = icmp ugt i32 %add14.2, 5000
  %or.cond.3 = or i1 %cmp11.3, %cmp12.3
  br i1 %or.cond.3, label %cleanup, label %if.end.3

if.end.3:
  %mul13.3 = mul nuw nsw i32 %inc.2, %cond
  %add14.3 = add nuw nsw i32 %mul13.3, %add14.2
  %inc.3 = add nuw nsw i32 %i.034, 4
  %xor9.4 = xor i32 %inc.3, %add14.3
  %rem10.4 = urem i32 %xor9.4, 9
  %cmp11.4 = icmp eq i32 %rem10.4, 4
  %cmp12.4 = icmp ugt i32 %add14.3, 5000
  %or.cond.4 = or i1 %cmp11.4, %cmp12.4
  br i1 %or.cond.4, label %cleanup, label %if.end.4

if.end.4:
  %mul13.4 = mul nuw nsw i32 %inc.3, %cond
  %add14.4 = add nuw nsw i32 %mul13.4, %add14.3
  %inc.4 = add nuw nsw i32 %i.034, 5
  %exitcond.not.4 = icmp eq i32 %inc.4, 40
  br i1 %exitcond.not.4, label %cleanup, label %for.body

cleanup:
  %y.1.lcssa = phi i32 [ %y.133, %for.body ], [ %4, %if.end.4 ], [ %add14, %if.end ], [ %add14.3, %if.end.3 ], [ %add14.1, %if.end.1 ], [ %add14.2, %if.end.2 ]
  store i32 %y.1.lcssa, ptr %arrayidx, align 4
  ret void
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "nvvm.maxntid"="64" "nvvm.minctasm"="2" "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
