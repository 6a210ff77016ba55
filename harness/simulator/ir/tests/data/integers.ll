; Integers of widths that PTX does not have, and functions on bits: each thread writes one word.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x8 = trunc i32 %x to i8
  %y8 = mul i8 %x8, 37
  %s8 = ashr i8 %y8, 2
  %d8 = sdiv i8 %y8, 7
  %m8 = call i8 @llvm.smax.i8(i8 %s8, i8 %d8)
  %a = sext i8 %m8 to i32
  %x12 = trunc i32 %x to i12
  %y12 = sub i12 %x12, 5
  %c12 = icmp slt i12 %y12, 0
  %e12 = sext i12 %y12 to i32
  %b = select i1 %c12, i32 %e12, i32 1000
  %w = zext i32 %x to i64
  %w1 = mul i64 %w, 81985529216486895
  %r64 = call i64 @llvm.fshl.i64(i64 %w1, i64 %w1, i64 %w)
  %swapped = call i64 @llvm.bswap.i64(i64 %r64)
  %h = lshr i64 %swapped, 32
  %lo = trunc i64 %swapped to i32
  %hi = trunc i64 %h to i32
  %z16 = trunc i32 %x to i16
  %ctz = call i16 @llvm.cttz.i16(i16 %z16, i1 false)
  %clz = call i16 @llvm.ctlz.i16(i16 %z16, i1 false)
  %bits = add i16 %ctz, %clz
  %bits32 = zext i16 %bits to i32
  %rev = call i8 @llvm.bitreverse.i8(i8 %x8)
  %rev32 = zext i8 %rev to i32
  %over = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %lo, i32 3)
  %product = extractvalue { i32, i1 } %over, 0
  %is_over = extractvalue { i32, i1 } %over, 1
  %not_over = xor i1 %is_over, true
  %o = zext i1 %not_over to i32
  %sat = call i32 @llvm.usub.sat.i32(i32 %x, i32 20)
  %wide = zext i32 %x to i33
  %wide1 = shl i33 %wide, 31
  %wide2 = lshr i33 %wide1, 30
  %odd = trunc i33 %wide2 to i32
  %v = insertelement <2 x i16> poison, i16 %z16, i64 0
  %v1 = insertelement <2 x i16> %v, i16 7, i64 1
  %v2 = mul <2 x i16> %v1, <i16 3, i16 5>
  %v3 = bitcast <2 x i16> %v2 to i32
  %s1 = xor i32 %a, %b
  %s2 = xor i32 %s1, %lo
  %s3 = xor i32 %s2, %hi
  %s4 = xor i32 %s3, %bits32
  %s5 = xor i32 %s4, %rev32
  %s6 = xor i32 %s5, %product
  %s7 = add i32 %s6, %o
  %s8b = add i32 %s7, %sat
  %s9 = add i32 %s8b, %odd
  %s10 = add i32 %s9, %v3
  %at = getelementptr i32, ptr %out, i32 %x
  store i32 %s10, ptr %at, align 4
  ret void
}
