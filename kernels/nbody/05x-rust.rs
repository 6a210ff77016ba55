// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the language. The parent's kernels, word for word as far as Rust has the words.
// Why:     rustc makes PTX too. Three words are missing: constant memory, rsqrtf, and contraction to FMAs.
// Expect:  as fast as the parent, because every pair still costs the same arithmetic and four loads.

#![no_std]
#![feature(abi_ptx, asm_experimental_arch, core_float_math, stdarch_nvptx)]
#![allow(non_upper_case_globals)]

use core::arch::{asm, nvptx};
use core::f32::math::mul_add;
use core::slice::from_raw_parts;

type Array = *mut f32;

macro_rules! parameters {
    ($($name:ident: $type:ty = $value:expr,)*) => {
        // SAFETY: no other symbol has one of these names.
        $(#[unsafe(no_mangle)] static mut $name: $type = $value;)*
    };
}
parameters! { n: i32 = 0, dtime: f32 = 0.0, dthf: f32 = 0.0, epssq: f32 = 0.0, }

macro_rules! arrays {
    ($($name:ident)*) => { parameters! { $($name: Array = core::ptr::null_mut(),)* } };
}
arrays! { mass posx posy posz velx vely velz accx accy accz }

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn force(step: i32) {
    // SAFETY: each array has n elements. No thread writes positions or masses here, and each writes only its own
    // body's velocity and acceleration.
    unsafe {
        let i = index();
        let count = n as usize;
        if i < count { // the last block may be only partly used
            let [x, y, z, m] = [posx, posy, posz, mass].map(|array| from_raw_parts(array, count));
            let (px, py, pz) = (x[i], y[i], z[i]);
            let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
            for j in 0..count {
                if i != j {
                    let dx = x[j] - px;
                    let dy = y[j] - py;
                    let dz = z[j] - pz;
                    let dsq = mul_add(dz, dz, mul_add(dy, dy, dx * dx)); // distance squared
                    let dinv = rsqrt(dsq + epssq); // inverse softened distance
                    let scale = m[j] * dinv * dinv * dinv;
                    ax = mul_add(dx, scale, ax);
                    ay = mul_add(dy, scale, ay);
                    az = mul_add(dz, scale, az);
                }
            }
            if step > 0 { // the velocity was advanced with the old acceleration: correct it
                *velx.add(i) = mul_add(ax - *accx.add(i), dthf, *velx.add(i));
                *vely.add(i) = mul_add(ay - *accy.add(i), dthf, *vely.add(i));
                *velz.add(i) = mul_add(az - *accz.add(i), dthf, *velz.add(i));
            }
            *accx.add(i) = ax;
            *accy.add(i) = ay;
            *accz.add(i) = az;
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn advance() {
    // SAFETY: each array has n elements, and each thread writes only its own body's.
    unsafe {
        let i = index();
        if i < n as usize { // the last block may be only partly used
            let [vhx, vhy, vhz] = [(velx, accx), (vely, accy), (velz, accz)]
                .map(|(vel, acc)| mul_add(*acc.add(i), dthf, *vel.add(i))); // half a time step on
            *posx.add(i) = mul_add(vhx, dtime, *posx.add(i));
            *posy.add(i) = mul_add(vhy, dtime, *posy.add(i));
            *posz.add(i) = mul_add(vhz, dtime, *posz.add(i));
            *velx.add(i) = mul_add(*accx.add(i), dthf, vhx);
            *vely.add(i) = mul_add(*accy.add(i), dthf, vhy);
            *velz.add(i) = mul_add(*accz.add(i), dthf, vhz);
        }
    }
}

/// The thread's number in the grid.
fn index() -> usize {
    // SAFETY: every thread has these registers.
    unsafe { (nvptx::_thread_idx_x() + nvptx::_block_idx_x() * nvptx::_block_dim_x()) as usize }
}

/// 1 / √x, nearly: CUDA's `rsqrtf`.
fn rsqrt(x: f32) -> f32 {
    let y;
    // SAFETY: the instruction reads one register and writes another.
    unsafe { asm!("rsqrt.approx.f32 {0}, {1};", out(reg32) y, in(reg32) x, options(pure, nomem, nostack)) }
    y
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
