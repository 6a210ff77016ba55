; clang 22 made this of:
; // Functions whose addresses variables hold: virtual ones, and those of a table.
; struct Shape { __device__ virtual unsigned area(unsigned x) const = 0; };
; struct Square : Shape { unsigned side; __device__ Square(unsigned side) : side(side) {} __device__ unsigned area(unsigned x) const override { return side * side + x; } };
; struct Pair : Shape { unsigned a; __device__ Pair(unsigned a) : a(a) {} __device__ unsigned area(unsigned x) const override { return 7 * a - x; } };
; __device__ __noinline__ unsigned twice(unsigned x) { return 2 * x; }
; __device__ __noinline__ unsigned thrice(unsigned x) { return 3 * x; }
; typedef unsigned (*Function)(unsigned);
; __device__ const Function table[2] = {twice, thrice};
; extern "C" __global__ void k(unsigned *out) {
;   unsigned t = threadIdx.x; Square square(t); Pair pair(t);
;   const Shape *shape = out[t] == 0 ? (const Shape *)&square : &pair;
;   out[t] = shape->area(5) + 1000 * table[t % 2](t);
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Square = type <{ %struct.Shape, i32, [4 x i8] }>
%struct.Shape = type { ptr }
%struct.Pair = type <{ %struct.Shape, i32, [4 x i8] }>

$_ZNK6Square4areaEj = comdat any

$_ZNK4Pair4areaEj = comdat any

$_ZTV6Square = comdat any

$_ZTV4Pair = comdat any

@_ZL5table = internal unnamed_addr addrspace(4) constant [2 x ptr] [ptr @_Z5twicej, ptr @_Z6thricej], align 8
@_ZTV6Square = linkonce_odr unnamed_addr constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @_ZNK6Square4areaEj] }, comdat, align 8
@_ZTV4Pair = linkonce_odr unnamed_addr constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @_ZNK4Pair4areaEj] }, comdat, align 8

define dso_local noundef range(i32 0, -1) i32 @_Z5twicej(i32 noundef %x) #0 {
entry:
  %mul = shl i32 %x, 1
  ret i32 %mul
}

define dso_local noundef i32 @_Z6thricej(i32 noundef %x) #0 {
entry:
  %mul = mul i32 %x, 3
  ret i32 %mul
}

define dso_local ptx_kernel void @k(ptr noundef captures(none) %out) local_unnamed_addr #1 {
entry:
  %square = alloca %struct.Square, align 8
  %pair = alloca %struct.Pair, align 8
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.lifetime.start.p0(ptr nonnull %square) #5
  store ptr getelementptr inbounds nuw inrange(-16, 8) (i8, ptr @_ZTV6Square, i64 16), ptr %square, align 8
  %side2.i.i = getelementptr inbounds nuw i8, ptr %square, i64 8
  store i32 %0, ptr %side2.i.i, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %pair) #5
  store ptr getelementptr inbounds nuw inrange(-16, 8) (i8, ptr @_ZTV4Pair, i64 16), ptr %pair, align 8
  %a2.i.i = getelementptr inbounds nuw i8, ptr %pair, i64 8
  store i32 %0, ptr %a2.i.i, align 8
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom
  %1 = load i32, ptr %arrayidx, align 4
  %cmp = icmp eq i32 %1, 0
  %square.pair = select i1 %cmp, ptr %square, ptr %pair
  %vtable = load ptr, ptr %square.pair, align 8
  %2 = load ptr, ptr %vtable, align 8
  %call1 = call noundef i32 %2(ptr noundef nonnull align 8 dereferenceable(8) %square.pair, i32 noundef 5) #6
  %rem = and i32 %0, 1
  %idxprom2 = zext nneg i32 %rem to i64
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr addrspacecast (ptr addrspace(4) @_ZL5table to ptr), i64 %idxprom2
  %3 = load ptr, ptr %arrayidx3, align 8
  %call4 = call noundef i32 %3(i32 noundef %0) #6
  %mul = mul i32 %call4, 1000
  %add = add i32 %mul, %call1
  store i32 %add, ptr %arrayidx, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %pair) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %square) #5
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

define linkonce_odr noundef i32 @_ZNK6Square4areaEj(ptr noundef nonnull align 8 dereferenceable(12) %this, i32 noundef %x) unnamed_addr #4 comdat align 2 {
entry:
  %side = getelementptr inbounds nuw i8, ptr %this, i64 8
  %0 = load i32, ptr %side, align 8
  %mul = mul i32 %0, %0
  %add = add i32 %mul, %x
  ret i32 %add
}

define linkonce_odr noundef i32 @_ZNK4Pair4areaEj(ptr noundef nonnull align 8 dereferenceable(12) %this, i32 noundef %x) unnamed_addr #4 comdat align 2 {
entry:
  %a = getelementptr inbounds nuw i8, ptr %this, i64 8
  %0 = load i32, ptr %a, align 8
  %mul = mul i32 %0, 7
  %sub = sub i32 %mul, %x
  ret i32 %sub
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { mustprogress nounwind "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind }
