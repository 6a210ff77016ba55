//! Instructions of the units for matrices, textures and copies: reported to a listener and executed. Each gives whether it touched
//! global memory.

use super::context::Context;
use super::copies;
use super::listener::{Arrival, Kind, Listener, Order};
use super::request::Request;
use super::spaces::Refused;
use super::warp::Warp;
use program::registers::{FULL, Operands};
use program::{Copying, Matrix, Texturing};
use ptx::Space;

/// Loads, stores or multiplies matrices.
pub(super) fn matrix<L: Listener>(
    cx: &Context,
    (listener, own): (&mut L, &mut L::Block),
    warp: &mut Warp,
    (which, operands): (Matrix, &Operands),
    (at, mask): (u32, u32),
) -> Result<bool, Refused> {
    if mask != FULL {
        return Err(super::matrix::partial(warp.live, mask).into());
    }
    if let Matrix::Fragment(k) = which {
        let fragment = &cx.program.fragments[k as usize];
        return super::warpgroup::load(cx, (listener, own), warp, fragment, at);
    }
    let mut touched_global = false;
    if let (true, Matrix::Load(k) | Matrix::Store(k)) = (L::LISTENS, which) {
        let rows = &cx.program.matrix_rows[k as usize];
        let kind = if matches!(which, Matrix::Store(_)) { Kind::Store } else { Kind::Load };
        let request = Request::of_matrix_rows(rows, kind);
        touched_global = request.report(cx, (listener, own), warp, at, rows.lanes());
    }
    super::matrix::execute(cx, &mut warp.registers, &warp.local, which, operands)?;
    Ok(touched_global)
}

/// Samples a texture, or accesses a surface.
pub(super) fn texture<L: Listener>(
    cx: &Context,
    (listener, own): (&mut L, &mut L::Block),
    warp: &mut Warp,
    work: (Texturing, &Operands),
    (at, mask): (u32, u32),
) -> Result<bool, Refused> {
    let prepared = super::texture::prepare(cx, &warp.registers, work, mask, L::LISTENS)?;
    let texels = prepared.texels(at, warp.index).filter(|_| L::LISTENS);
    let touched_global = texels.is_some();
    if let Some(texels) = texels {
        listener.samples(own, cx, &warp.registers, &texels);
    }
    prepared.execute(&mut warp.registers, mask);
    Ok(touched_global)
}

/// Begins copies to shared memory, or waits for them.
pub(super) fn copying<L: Listener>(
    cx: &Context,
    (listener, own): (&mut L, &mut L::Block),
    warp: &mut Warp,
    which: Copying,
    (at, mask): (u32, u32),
) -> Result<bool, Refused> {
    let mut touched_global = false;
    let index = warp.index;
    match which {
        Copying::Begin(k) => {
            let copy = &cx.program.copies[k as usize];
            if L::LISTENS {
                for (bytes, mask) in copies::reads(&warp.registers, copy, mask) {
                    let request = Request::of_copy_read(copy, bytes);
                    touched_global |= request.report(cx, (listener, own), warp, at, mask);
                }
                Request::of_copy_write(copy).report(cx, (listener, own), warp, at, mask);
            }
            let memory = (&warp.registers, &warp.local);
            warp.copies.begin(&cx.spaces, memory, copy, (at, mask))?;
        }
        Copying::Bulk(k) => {
            let copy = &cx.program.bulk_copies[k as usize];
            let registers = &warp.registers;
            let memory = (registers, &warp.local);
            touched_global = true;
            let late = cx.lands_late && copy.to.0 != Space::Global;
            let landing = late.then(|| warp.landings.copy(at));
            copies::bulk(&cx.spaces, memory, copy, (at, index, mask), landing, |touch| {
                if L::LISTENS {
                    listener.touches(own, cx, registers, touch);
                }
            })?;
        }
        Copying::Tensor(k) => {
            let copy = &cx.program.tensor_copies[k as usize];
            let memory = (&mut warp.registers, &warp.local);
            touched_global = true;
            let late = cx.lands_late && !copy.stores;
            let landing = late.then(|| warp.landings.copy(at));
            super::tensor::copy(
                &cx.spaces,
                memory,
                copy,
                (at, index, mask),
                landing,
                |registers, touch| {
                    if L::LISTENS {
                        listener.touches(own, cx, registers, touch);
                    }
                },
            )?;
        }
        Copying::Commit => warp.copies.commit(mask),
        Copying::Wait(left) => {
            let registers = &warp.registers;
            warp.copies.wait(&cx.spaces, index, (mask, left), |touch| {
                if L::LISTENS {
                    listener.touches(own, cx, registers, touch);
                }
            });
        }
        Copying::Sent(what) => {
            if L::LISTENS {
                let arrival = Arrival { warp: index, mask, at };
                listener.orders(own, cx, Order::Sent { arrival, what });
            }
        }
    }
    Ok(touched_global)
}
