; clang 22 made this of:
; // A structure by value, to a kernel and to a function, and one as a result.
; struct Pair { int low; float high; };
; struct Many { Pair pairs[4]; unsigned char tags[3]; int *to; };
; __device__ __noinline__ Pair chosen(Many all, int at) { Pair it = all.pairs[at & 3]; it.low += all.tags[1]; return it; }
; __device__ __noinline__ bool is_odd(unsigned char x, short y) { return (x + y) & 1; }
; extern "C" __global__ void k(unsigned *out, const Many all) {
;     Pair it = chosen(all, threadIdx.x);
;     out[threadIdx.x] = it.low + (int)it.high + all.pairs[threadIdx.x & 1].low + is_odd(all.tags[2], (short)threadIdx.x);
;     if (threadIdx.x == 0) *all.to = 99;
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Pair = type { i32, float }
%struct.Many = type { [4 x %struct.Pair], [3 x i8], ptr }

define dso_local %struct.Pair @_Z6chosen4Manyi(ptr noundef readonly byval(%struct.Many) align 8 captures(none) %all, i32 noundef %at) local_unnamed_addr #0 {
entry:
  %and = and i32 %at, 3
  %idxprom = zext nneg i32 %and to i64
  %arrayidx = getelementptr inbounds nuw %struct.Pair, ptr %all, i64 %idxprom
  %retval.sroa.0.0.copyload = load i32, ptr %arrayidx, align 8
  %retval.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  %retval.sroa.4.0.copyload = load float, ptr %retval.sroa.4.0.arrayidx.sroa_idx, align 4
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %all, i64 33
  %0 = load i8, ptr %arrayidx1, align 1
  %conv = zext i8 %0 to i32
  %add = add nsw i32 %retval.sroa.0.0.copyload, %conv
  %.fca.0.insert = insertvalue %struct.Pair poison, i32 %add, 0
  %.fca.1.insert = insertvalue %struct.Pair %.fca.0.insert, float %retval.sroa.4.0.copyload, 1
  ret %struct.Pair %.fca.1.insert
}

define dso_local noundef zeroext i1 @_Z6is_oddhs(i8 noundef zeroext %x, i16 noundef signext %y) local_unnamed_addr #1 {
entry:
  %conv = zext i8 %x to i32
  %conv1 = zext i16 %y to i32
  %add = add nuw nsw i32 %conv1, %conv
  %and = and i32 %add, 1
  %tobool = icmp ne i32 %and, 0
  ret i1 %tobool
}

define dso_local ptx_kernel void @k(ptr noundef writeonly captures(none) %out, ptr noundef readonly byval(%struct.Many) align 8 captures(none) %all) local_unnamed_addr #2 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %call1 = tail call %struct.Pair @_Z6chosen4Manyi(ptr noundef nonnull byval(%struct.Many) align 8 %all, i32 noundef %0) #4
  %1 = extractvalue %struct.Pair %call1, 0
  %2 = extractvalue %struct.Pair %call1, 1
  %conv = fptosi float %2 to i32
  %and = and i32 %0, 1
  %idxprom = zext nneg i32 %and to i64
  %arrayidx = getelementptr inbounds nuw %struct.Pair, ptr %all, i64 %idxprom
  %3 = load i32, ptr %arrayidx, align 8
  %arrayidx5 = getelementptr inbounds nuw i8, ptr %all, i64 34
  %4 = load i8, ptr %arrayidx5, align 2
  %conv7 = trunc nuw nsw i32 %0 to i16
  %call8 = tail call noundef zeroext i1 @_Z6is_oddhs(i8 noundef zeroext %4, i16 noundef signext %conv7) #4
  %conv9 = zext i1 %call8 to i32
  %add = add i32 %3, %1
  %add4 = add i32 %add, %conv
  %add10 = add nsw i32 %add4, %conv9
  %idxprom12 = zext nneg i32 %0 to i64
  %arrayidx13 = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom12
  store i32 %add10, ptr %arrayidx13, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %to = getelementptr inbounds nuw i8, ptr %all, i64 40
  %5 = load ptr, ptr %to, align 8
  store i32 99, ptr %5, align 4
  br label %if.end

if.end:
  ret void
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #4 = { nounwind }
