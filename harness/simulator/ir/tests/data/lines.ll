; clang 22 made this of:
; // The line of each access is kept, also of a function that is part of the kernel.
; __device__ __forceinline__ void put(unsigned *out, int at)
; {
;     out[at] = 1;
; }
; extern "C" __global__ void k(unsigned *out)
; {
;     if (threadIdx.x < 2) {
;         put(out, threadIdx.x);
;     }
;     out[threadIdx.x + 4] = 2;
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local ptx_kernel void @k(ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 !dbg !11 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %cmp = icmp samesign ult i32 %0, 2, !dbg !16
  %idxprom.i = zext nneg i32 %0 to i64
  br i1 %cmp, label %if.then, label %if.end, !dbg !16

if.then:
  %arrayidx.i = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom.i
  store i32 1, ptr %arrayidx.i, align 4, !dbg !17
  br label %if.end, !dbg !20

if.end:
  %1 = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom.i, !dbg !21
  %arrayidx = getelementptr inbounds nuw i8, ptr %1, i64 16, !dbg !21
  store i32 2, ptr %arrayidx, align 4, !dbg !22
  ret void, !dbg !23
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: write) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }

!1 = !DIFile(filename: "own/<stdin>", directory: "/")
!11 = distinct !DISubprogram(name: "k", scope: !12, file: !12, line: 6, type: !13, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = !DIFile(filename: "own/lines.cu", directory: "/")
!15 = !DILocation(line: 8, column: 9, scope: !11)
!16 = !DILocation(line: 8, column: 21, scope: !11)
!17 = !DILocation(line: 4, column: 13, scope: !18, inlinedAt: !19)
!18 = distinct !DISubprogram(name: "put", scope: !12, file: !12, line: 2, type: !13, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!19 = distinct !DILocation(line: 9, column: 9, scope: !11)
!20 = !DILocation(line: 10, column: 5, scope: !11)
!21 = !DILocation(line: 11, column: 5, scope: !11)
!22 = !DILocation(line: 11, column: 26, scope: !11)
!23 = !DILocation(line: 12, column: 1, scope: !11)
