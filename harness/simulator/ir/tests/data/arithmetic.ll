; clang 22 made this of:
; // A product and a sum are fused where both are of one expression; roots, quotients and conversions.
; extern "C" __global__ void k(float *out) {
;     float x = out[threadIdx.x], y = 1.0f + threadIdx.x;
;     double d = (double)x * y - 0.25;
;     float z = x * y + 3.0f;
;     float w = y - x * x;
;     out[32 + threadIdx.x] = z * 2.0f + sqrtf(w * w) / y + 1.0f / x;
;     out[64 + threadIdx.x] = (float)(d / 3.0) + (int)w + (unsigned char)y + fminf(x, 2.5f) + floorf(x) + copysignf(1.0f, w);
;     out[96 + threadIdx.x] = __fmul_rn(x, y) + 3.0f;
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local ptx_kernel void @k(ptr noundef captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %out, i64 %idxprom
  %1 = load float, ptr %arrayidx, align 4
  %2 = add nuw nsw i32 %0, 1
  %add = uitofp nneg i32 %2 to float
  %conv2 = fpext contract float %1 to double
  %conv3 = uitofp nneg i32 %2 to double
  %mul = fmul contract double %conv3, %conv2
  %sub = fadd contract double %mul, -2.500000e-01
  %mul4 = fmul contract float %1, %add
  %add5 = fadd contract float %mul4, 3.000000e+00
  %mul6 = fmul contract float %1, %1
  %sub7 = fsub contract float %add, %mul6
  %mul8 = fmul contract float %add5, 2.000000e+00
  %mul9 = fmul contract float %sub7, %sub7
  %3 = tail call contract noundef float @llvm.sqrt.f32(float %mul9)
  %div = fdiv contract float %3, %add
  %add11 = fadd contract float %mul8, %div
  %div12 = fdiv contract float 1.000000e+00, %1
  %add13 = fadd contract float %div12, %add11
  %arrayidx17 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 128
  store float %add13, ptr %arrayidx17, align 4
  %div18 = fdiv contract double %sub, 3.000000e+00
  %conv19 = fptrunc contract double %div18 to float
  %conv20 = fptosi float %sub7 to i32
  %conv21 = sitofp i32 %conv20 to float
  %add22 = fadd contract float %conv21, %conv19
  %conv23 = trunc i32 %2 to i8
  %conv25 = uitofp i8 %conv23 to float
  %add26 = fadd contract float %add22, %conv25
  %4 = tail call contract noundef float @llvm.minnum.f32(float %1, float 2.500000e+00)
  %add28 = fadd contract float %4, %add26
  %5 = tail call contract noundef float @llvm.floor.f32(float %1)
  %add30 = fadd contract float %5, %add28
  %6 = tail call contract noundef float @llvm.copysign.f32(float 1.000000e+00, float %sub7)
  %add32 = fadd contract float %6, %add30
  %arrayidx36 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 256
  store float %add32, ptr %arrayidx36, align 4
  %7 = tail call contract noundef float asm "mul.rn.f32 $0, $1, $2;", "=f,f,f"(float %1, float %add) #3
  %add38 = fadd contract float %7, 3.000000e+00
  %arrayidx42 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 384
  store float %add38, ptr %arrayidx42, align 4
  ret void
}

attributes #0 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #3 = { convergent nounwind memory(none) }
