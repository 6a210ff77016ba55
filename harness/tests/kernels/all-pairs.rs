//! Forces between all pairs of bodies, in Rust, in the place of step 06: `harness run --kernel all-pairs.rs --as 06`. A test runs it.
//! Without shared memory, which Rust has no word for.

#![no_std]
#![feature(abi_ptx, asm_experimental_arch, stdarch_nvptx)]
#![allow(non_upper_case_globals, static_mut_refs)]

use core::arch::asm;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

type Array = *mut f32;
// SAFETY: the host sets them by their names before a launch, and each name is there once.
#[unsafe(no_mangle)]
static mut n: i32 = 0;
#[unsafe(no_mangle)]
static mut dtime: f32 = 0.0;
#[unsafe(no_mangle)]
static mut dthf: f32 = 0.0;
#[unsafe(no_mangle)]
static mut epssq: f32 = 0.0;
macro_rules! arrays {
    ($($name:ident)*) => { $(#[unsafe(no_mangle)] static mut $name: Array = core::ptr::null_mut();)* };
}
arrays!(mass posx posy posz velx vely velz accx accy accz);

/// 1/√x, as `rsqrtf` of CUDA C++.
fn rsqrt(x: f32) -> f32 {
    let y;
    // SAFETY: the instruction reads one register and writes another.
    unsafe { asm!("rsqrt.approx.f32 {0}, {1};", out(reg32) y, in(reg32) x, options(pure, nomem)) }
    y
}

fn index() -> usize {
    // SAFETY: special registers can always be read.
    unsafe { (_block_idx_x() * _block_dim_x() + _thread_idx_x()) as usize }
}

// ANCHOR: force
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn force(step: i32) {
    // SAFETY: the arrays have n elements each, and a thread writes those of its own body only.
    unsafe {
        let i = index();
        let count = n as usize;
        if i >= count {
            return;
        }
        let (px, py, pz) = (*posx.add(i), *posy.add(i), *posz.add(i));
        let (mut ax, mut ay, mut az) = (0.0f32, 0.0, 0.0);
        let mut j = 0;
        while j < count {
            if i != j {
                let (dx, dy, dz) = (*posx.add(j) - px, *posy.add(j) - py, *posz.add(j) - pz);
                let dsq = dx * dx + dy * dy + dz * dz;
                let dinv = rsqrt(dsq + epssq);
                let scale = *mass.add(j) * dinv * dinv * dinv;
                ax += dx * scale;
                ay += dy * scale;
                az += dz * scale;
            }
            j += 1;
        }
        if step > 0 {
            *velx.add(i) += (ax - *accx.add(i)) * dthf;
            *vely.add(i) += (ay - *accy.add(i)) * dthf;
            *velz.add(i) += (az - *accz.add(i)) * dthf;
        }
        *accx.add(i) = ax;
        *accy.add(i) = ay;
        *accz.add(i) = az;
    }
}
// ANCHOR_END: force

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn advance() {
    // SAFETY: as above.
    unsafe {
        let i = index();
        if i < n as usize {
            let half = |v: Array, a: Array| *v.add(i) + *a.add(i) * dthf;
            let (vx, vy, vz) = (half(velx, accx), half(vely, accy), half(velz, accz));
            *posx.add(i) += vx * dtime;
            *posy.add(i) += vy * dtime;
            *posz.add(i) += vz * dtime;
            *velx.add(i) = vx + *accx.add(i) * dthf;
            *vely.add(i) = vy + *accy.add(i) * dthf;
            *velz.add(i) = vz + *accz.add(i) * dthf;
        }
    }
}
