; clang 22 made this of:
; // An array of each thread's own, copies and a variable index.
; struct Block { unsigned words[6]; };
; __device__ unsigned table[5] = {2, 3, 5, 7, 11};
; __device__ unsigned *const start = table + 1;
; __constant__ short offsets[4] = {1, -1, 2, -2};
; extern "C" __global__ void k(unsigned *out) {
;     Block own;
;     for (int i = 0; i < 6; i++) own.words[i] = out[i] + threadIdx.x;
;     own.words[threadIdx.x % 6] = 1000;
;     Block copy = own;
;     copy.words[(threadIdx.x + 1) % 6] += offsets[threadIdx.x & 3];
;     unsigned sum = 0;
;     for (unsigned i = 0; i < 6; i++) sum += copy.words[(i * threadIdx.x) % 6] * start[i & 3];
;     out[8 + threadIdx.x] = sum;
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Block = type { [6 x i32] }

@table = addrspace(1) externally_initialized global [5 x i32] [i32 2, i32 3, i32 5, i32 7, i32 11], align 4
@offsets = addrspace(4) externally_initialized constant [4 x i16] [i16 1, i16 -1, i16 2, i16 -2], align 2

define dso_local ptx_kernel void @k(ptr noundef captures(none) %out) local_unnamed_addr #0 {
entry:
  %own = alloca %struct.Block, align 4
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = load i32, ptr %out, align 4
  %add = add i32 %1, %0
  store i32 %add, ptr %own, align 4
  %arrayidx.1 = getelementptr inbounds nuw i8, ptr %out, i64 4
  %2 = load i32, ptr %arrayidx.1, align 4
  %add.1 = add i32 %2, %0
  %arrayidx2.1 = getelementptr inbounds nuw i8, ptr %own, i64 4
  store i32 %add.1, ptr %arrayidx2.1, align 4
  %arrayidx.2 = getelementptr inbounds nuw i8, ptr %out, i64 8
  %3 = load i32, ptr %arrayidx.2, align 4
  %add.2 = add i32 %3, %0
  %arrayidx2.2 = getelementptr inbounds nuw i8, ptr %own, i64 8
  store i32 %add.2, ptr %arrayidx2.2, align 4
  %arrayidx.3 = getelementptr inbounds nuw i8, ptr %out, i64 12
  %4 = load i32, ptr %arrayidx.3, align 4
  %add.3 = add i32 %4, %0
  %arrayidx2.3 = getelementptr inbounds nuw i8, ptr %own, i64 12
  store i32 %add.3, ptr %arrayidx2.3, align 4
  %arrayidx.4 = getelementptr inbounds nuw i8, ptr %out, i64 16
  %5 = load i32, ptr %arrayidx.4, align 4
  %add.4 = add i32 %5, %0
  %arrayidx2.4 = getelementptr inbounds nuw i8, ptr %own, i64 16
  store i32 %add.4, ptr %arrayidx2.4, align 4
  %arrayidx.5 = getelementptr inbounds nuw i8, ptr %out, i64 20
  %6 = load i32, ptr %arrayidx.5, align 4
  %add.5 = add i32 %6, %0
  %arrayidx2.5 = getelementptr inbounds nuw i8, ptr %own, i64 20
  store i32 %add.5, ptr %arrayidx2.5, align 4
  %rem.lhs.trunc = trunc nuw nsw i32 %0 to i16
  %rem47 = urem i16 %rem.lhs.trunc, 6
  %idxprom5 = zext nneg i16 %rem47 to i64
  %arrayidx6 = getelementptr inbounds nuw i32, ptr %own, i64 %idxprom5
  store i32 1000, ptr %arrayidx6, align 4
  %and = and i32 %0, 3
  %idxprom8 = zext nneg i32 %and to i64
  %arrayidx9 = getelementptr inbounds nuw i16, ptr addrspacecast (ptr addrspace(4) @offsets to ptr), i64 %idxprom8
  %7 = load i16, ptr %arrayidx9, align 2
  %conv = sext i16 %7 to i32
  %rem13.lhs.trunc = add nuw nsw i16 %rem.lhs.trunc, 1
  %rem1348 = urem i16 %rem13.lhs.trunc, 6
  %idxprom14 = zext nneg i16 %rem1348 to i64
  %arrayidx15 = getelementptr inbounds nuw i32, ptr %own, i64 %idxprom14
  %8 = load i32, ptr %arrayidx15, align 4
  %add16 = add i32 %8, %conv
  store i32 %add16, ptr %arrayidx15, align 4
  %9 = load i32, ptr %own, align 4
  %10 = load i32, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 4), align 4
  %mul30 = mul i32 %10, %9
  %rem24.1.lhs.trunc = trunc nuw nsw i32 %0 to i16
  %rem24.152 = urem i16 %rem24.1.lhs.trunc, 6
  %idxprom25.1 = zext nneg i16 %rem24.152 to i64
  %arrayidx26.1 = getelementptr inbounds nuw i32, ptr %own, i64 %idxprom25.1
  %11 = load i32, ptr %arrayidx26.1, align 4
  %12 = load i32, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 8), align 4
  %mul30.1 = mul i32 %12, %11
  %add31.1 = add i32 %mul30.1, %mul30
  %.tr = trunc nuw nsw i32 %0 to i16
  %rem24.2.lhs.trunc = shl nuw nsw i16 %.tr, 1
  %rem24.253 = urem i16 %rem24.2.lhs.trunc, 6
  %idxprom25.2 = zext nneg i16 %rem24.253 to i64
  %arrayidx26.2 = getelementptr inbounds nuw i32, ptr %own, i64 %idxprom25.2
  %13 = load i32, ptr %arrayidx26.2, align 4
  %14 = load i32, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 12), align 4
  %mul30.2 = mul i32 %14, %13
  %add31.2 = add i32 %mul30.2, %add31.1
  %15 = trunc nuw nsw i32 %0 to i16
  %rem24.3.lhs.trunc = mul nuw nsw i16 %15, 3
  %rem24.354 = urem i16 %rem24.3.lhs.trunc, 6
  %idxprom25.3 = zext nneg i16 %rem24.354 to i64
  %arrayidx26.3 = getelementptr inbounds nuw i32, ptr %own, i64 %idxprom25.3
  %16 = load i32, ptr %arrayidx26.3, align 4
  %17 = load i32, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 16), align 4
  %mul30.3 = mul i32 %17, %16
  %add31.3 = add i32 %mul30.3, %add31.2
  %.tr57 = trunc nuw nsw i32 %0 to i16
  %rem24.4.lhs.trunc = shl nuw nsw i16 %.tr57, 2
  %rem24.455 = urem i16 %rem24.4.lhs.trunc, 6
  %idxprom25.4 = zext nneg i16 %rem24.455 to i64
  %arrayidx26.4 = getelementptr inbounds nuw i32, ptr %own, i64 %idxprom25.4
  %18 = load i32, ptr %arrayidx26.4, align 4
  %mul30.4 = mul i32 %10, %18
  %add31.4 = add i32 %mul30.4, %add31.3
  %19 = trunc nuw nsw i32 %0 to i16
  %rem24.5.lhs.trunc = mul nuw nsw i16 %19, 5
  %rem24.556 = urem i16 %rem24.5.lhs.trunc, 6
  %idxprom25.5 = zext nneg i16 %rem24.556 to i64
  %arrayidx26.5 = getelementptr inbounds nuw i32, ptr %own, i64 %idxprom25.5
  %20 = load i32, ptr %arrayidx26.5, align 4
  %mul30.5 = mul i32 %12, %20
  %add31.5 = add i32 %mul30.5, %add31.4
  %21 = zext nneg i32 %0 to i64
  %22 = getelementptr inbounds nuw i32, ptr %out, i64 %21
  %arrayidx38 = getelementptr inbounds nuw i8, ptr %22, i64 32
  store i32 %add31.5, ptr %arrayidx38, align 4
  ret void
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
