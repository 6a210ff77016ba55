; clang 22 made this of:
; // Exchanges, votes, and inline assembly with several results, one of them read first.
; extern "C" __global__ void k(unsigned *out) {
;     unsigned lane = threadIdx.x, x = lane * lane;
;     unsigned other = __shfl_xor_sync(~0u, x, 5), before = __shfl_up_sync(~0u, x, 1);
;     unsigned ballot = __ballot_sync(~0u, x % 3 == 1), any = __any_sync(~0u, x == 961), all = __all_sync(~0u, x < 961);
;     unsigned low, high, sum = other;
;     asm("{\n\t.reg .u64 t;\n\tmul.wide.u32 t, %2, %3;\n\tmov.b64 {%0, %1}, t;\n\t}" : "=r"(low), "=r"(high) : "r"(x * 99991u), "r"(lane * 77777777u));
;     asm volatile("add.u32 %0, %0, %1;\n\tadd.u32 %0, %0, %2;" : "+r"(sum) : "r"(before), "n"(7));
;     out[lane] = sum ^ ballot ^ any ^ (all << 1) ^ low ^ (high << 3) ^ __popc(x) ^ (__clz(x) << 8) ^ __brev(x) ^ __ffs(x);
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local ptx_kernel void @k(ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mul = mul nuw nsw i32 %0, %0
  %1 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %mul, i32 5, i32 31)
  %2 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %mul, i32 1, i32 0)
  %rem = urem i32 %mul, 3
  %cmp = icmp eq i32 %rem, 1
  %3 = tail call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %cmp)
  %cmp4 = icmp eq i32 %mul, 961
  %4 = tail call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %cmp4)
  %conv.i = zext i1 %4 to i32
  %cmp7 = icmp samesign ult i32 %mul, 961
  %5 = tail call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %cmp7)
  %mul10 = mul i32 %mul, 99991
  %mul11 = mul i32 %0, 77777777
  %6 = tail call { i32, i32 } asm "{\0A\09.reg .u64 t;\0A\09mul.wide.u32 t, $2, $3;\0A\09mov.b64 {$0, $1}, t;\0A\09}", "=r,=r,r,r"(i32 %mul10, i32 %mul11) #4
  %asmresult = extractvalue { i32, i32 } %6, 0
  %asmresult12 = extractvalue { i32, i32 } %6, 1
  %7 = tail call i32 asm sideeffect "add.u32 $0, $0, $1;\0A\09add.u32 $0, $0, $2;", "=r,r,n,0"(i32 %2, i32 7, i32 %1) #5
  %shl = select i1 %5, i32 2, i32 0
  %shl16 = shl i32 %asmresult12, 3
  %8 = tail call noundef range(i32 0, 20) i32 @llvm.ctpop.i32(i32 %mul)
  %9 = tail call noundef i32 asm "clz.b32 $0, $1;", "=r,r"(i32 %mul) #4
  %shl21 = shl i32 %9, 8
  %10 = tail call noundef i32 @llvm.bitreverse.i32(i32 %mul)
  %sub.i = sub nsw i32 0, %mul
  %and.i = and i32 %mul, %sub.i
  %11 = tail call noundef i32 asm "clz.b32 $0, $1;", "=r,r"(i32 %and.i) #4
  %sub1.i = sub nsw i32 32, %11
  %xor = or disjoint i32 %10, %8
  %xor13 = xor i32 %xor, %3
  %xor14 = xor i32 %xor13, %conv.i
  %xor15 = xor i32 %xor14, %shl
  %xor17 = xor i32 %xor15, %7
  %xor19 = xor i32 %xor17, %asmresult
  %xor22 = xor i32 %xor19, %shl16
  %xor24 = xor i32 %xor22, %shl21
  %xor26 = xor i32 %xor24, %sub1.i
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom
  store i32 %xor26, ptr %arrayidx, align 4
  ret void
}

attributes #0 = { convergent mustprogress noinline norecurse nounwind "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #4 = { convergent nounwind memory(none) }
attributes #5 = { convergent nounwind }
