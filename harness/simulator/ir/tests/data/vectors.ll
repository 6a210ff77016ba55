; clang 22 made this of:
; // Four neighbours are one access, and so are two; a write between keeps reads apart.
; extern "C" __global__ void k(float *out) {
;     float4 *four = (float4 *)out;
;     float4 x = four[threadIdx.x];
;     float2 y = ((float2 *)out)[128 + threadIdx.x];
;     four[threadIdx.x] = make_float4(x.w, x.z, x.y + y.x, x.x * y.y);
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }
%struct.float2 = type { float, float }

define dso_local ptx_kernel void @k(ptr noundef captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw %struct.float4, ptr %out, i64 %idxprom
  %1 = load float, ptr %arrayidx, align 16
  %y3.i16 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  %2 = load float, ptr %y3.i16, align 4
  %z4.i18 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %3 = load float, ptr %z4.i18, align 8
  %w5.i20 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 12
  %4 = load float, ptr %w5.i20, align 4
  %5 = getelementptr inbounds nuw %struct.float2, ptr %out, i64 %idxprom
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %5, i64 1024
  %6 = load float, ptr %arrayidx3, align 8
  %y3.i22 = getelementptr inbounds nuw i8, ptr %5, i64 1028
  %7 = load float, ptr %y3.i22, align 4
  %add6 = fadd contract float %2, %6
  %mul = fmul contract float %1, %7
  store float %4, ptr %arrayidx, align 16
  store float %3, ptr %y3.i16, align 4
  store float %add6, ptr %z4.i18, align 8
  store float %mul, ptr %w5.i20, align 4
  ret void
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
