//! Changed: 512 bodies meet 8192 others at a time, and what they do to those is summed by itself first.
//! Why:     8192 bodies' positions and sums stay in the second cache, however many there are; and short sums in f32 lose less.
//! Expect:  no speed as long as all bodies fit there anyway, but a fraction of the error.

use cpu_07_pairs::BLOCK;
use cpu_08_shared_product::by_forces;
use cpu_09_register_blocks::{STEP as PARENT, among, between};
use nbody::rust::{Accelerations, Evaluation, Rust, Sources, Sums};
use nbody::{Arithmetic, Host, Step, Sum};
use vectors::{Loop, Simd};

/// Bodies whose pairs with all behind them are computed together: whole blocks.
pub const STRIP: usize = 32 * BLOCK;

/// Others that they meet at a time: seven numbers each, 224 KiB.
pub const OTHERS: usize = 8192;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host {
        rust: Some(Rust::Vectors(force)),
        // A strip adds its own pairs to what the strips before left: for the last bodies that is nearly
        // all, so that each addition rounds as the last of a sum does; for the first it is nothing.
        arithmetic: Arithmetic {
            sums: |grid| {
                let strip = grid.n.min(STRIP as u32);
                vec![Sum::Rounded(strip + strip / 2)]
            },
            ..PARENT.host.arithmetic
        },
        ..PARENT.host
    },
    ..PARENT.then("10-tiles", "Tiles", "512 bodies meet 8192 others at a time; short sums")
};

fn force(bodies: &Sources, to: Accelerations, evaluation: &Evaluation) {
    by_forces(bodies, to, evaluation, |bodies, mut to| {
        for first in (0..bodies.len()).step_by(STRIP) {
            strip(bodies, first, STRIP, &mut to, evaluation);
        }
    });
}

/// Adds the forces of all pairs of `strip` bodies, from the `first` on, with each other and with those
/// behind them.
pub fn strip(
    bodies: &Sources,
    first: usize,
    strip: usize,
    to: &mut Accelerations,
    evaluation: &Evaluation,
) {
    let n = bodies.len();
    let behind = n.min(first + strip);
    let own = bodies.range(first..behind);
    let (mut to_own, mut to_others) = to.split(behind);
    let softening = evaluation.softening;
    evaluation.vectors.run(Among { own: &own, to: to_own.range(first..behind), softening });
    let others = bodies.range(behind..n);
    let sizes = others.chunks(OTHERS).zip(to_others.chunks(OTHERS));
    let mut sums = Sums::zeros(others.len().min(OTHERS));
    for (others, mut to_others) in sizes {
        let mut sums = sums.first(others.len());
        sums.clear();
        let to = [to_own.range(first..behind), sums.range(0..others.len())];
        evaluation.vectors.run(Between { own: &own, others: &others, to, softening });
        to_others.add_all(&sums);
    }
}

struct Among<'a> {
    own: &'a Sources<'a>,
    to: Accelerations<'a>,
    softening: f32,
}

impl Loop for Among<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        among(simd, self.own, &mut self.to, self.softening);
    }
}

struct Between<'a> {
    own: &'a Sources<'a>,
    others: &'a Sources<'a>,
    to: [Accelerations<'a>; 2],
    softening: f32,
}

impl Loop for Between<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let [mut to_own, mut to_others] = self.to;
        between(simd, self.own, &mut to_own, self.others, &mut to_others, self.softening);
    }
}
