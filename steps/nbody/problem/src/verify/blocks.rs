//! Blocks of a launch that is too large for the simulator, each of which computes bodies of its own.
//!
//! All bodies are there, a few blocks run, and what they leave is judged: how many accelerations they
//! wrote, and of each block as many as can be afforded. What is expected of a body is computed once
//! for all steps whose blocks have it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ladder::judge::Mismatch;
use ladder::problem::named;

use super::bodies::verification_bodies;
use super::compare::{Judged, acceleration_of, check_unchanged, other};
use crate::bodies::Bodies;
use crate::constants::Constants;
use crate::random::Random;
use crate::reference::Reference;
use crate::simulation::State;
use crate::tolerance::{Precision, Pulls};

/// The most bodies of such a launch: of more, a block would take the simulator seconds.
pub const MOST_SAMPLED: u64 = 1 << 18;

/// Many bodies, and what is known of their accelerations.
#[derive(Debug)]
pub struct Sampled {
    /// The bodies.
    pub bodies: Bodies,
    /// What they are moved with.
    pub constants: Constants,
    seed: u64,
    reference: Reference,
    known: Mutex<BTreeMap<usize, ([f64; 3], Pulls)>>,
}

/// Which blocks of a launch ran.
#[derive(Debug, Clone, Copy)]
pub struct Ran<'b> {
    /// Their numbers, ascending.
    pub blocks: &'b [u64],
    /// Bodies of each block.
    pub each: u64,
}

impl Sampled {
    /// `n` bodies for verification, as the seed draws them.
    pub fn drawn(n: u64, seed: u64) -> Sampled {
        let bodies = verification_bodies(n as usize, seed);
        let constants = Constants::drawn(seed ^ n);
        let reference = Reference::new(&bodies).with(constants);
        Sampled { bodies, constants, seed, reference, known: Mutex::default() }
    }

    /// What is expected of some bodies.
    fn expected(&self, targets: &[usize]) -> (Vec<[f64; 3]>, Vec<Pulls>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<usize> = targets.iter().copied().filter(|i| !known.contains_key(i)).collect();
        let accelerations = self.reference.accelerations(&new);
        let pulls = Pulls::on(&self.bodies, self.constants, &new);
        known.extend(new.into_iter().zip(accelerations.into_iter().zip(pulls)));
        targets.iter().map(|i| known[i]).unzip()
    }

    /// Judges what some blocks of the first force evaluation left.
    ///
    /// # Errors
    /// [`Mismatch`]: accelerations are off or missing, or something else was changed.
    pub fn judge(&self, ran: Ran, state: &State, precision: &Precision) -> Result<(), Mismatch> {
        let Ran { blocks, each } = ran;
        let n = self.bodies.len();
        check_unchanged(&self.bodies, state)?;
        let all = (n as u64).div_ceil(each);
        let written: Vec<usize> = (0..n).filter(|&i| state.is_written(i)).collect();
        // As many for each block, also where a kernel gives bodies to blocks in another order.
        let own = |&block: &u64| each.min(n as u64 - block * each);
        let least = blocks.iter().map(own).sum::<u64>().min(blocks.len() as u64 * (n as u64 / all));
        if (written.len() as u64) < least {
            let what = format!(
                "{} wrote the accelerations of {} bodies, and {each} bodies a block make {least}",
                named(blocks, all),
                written.len()
            );
            return Err(other(n, what));
        }
        // Close together at first and then less so, from a body on that the seed draws.
        let shift = Random::new(self.seed).below(each as usize);
        let is_judged = |(place, _): &(usize, &usize)| is_square((place + shift) % each as usize);
        let mut of_blocks: BTreeMap<Option<u64>, Vec<usize>> = BTreeMap::new();
        for (_, &i) in written.iter().enumerate().filter(is_judged) {
            let block = Some(i as u64 / each).filter(|block| blocks.contains(block));
            of_blocks.entry(block).or_default().push(i);
        }
        for (block, targets) in of_blocks {
            let (expected, pulls) = self.expected(&targets);
            let got: Vec<[f64; 3]> = targets.iter().map(|&i| acceleration_of(state, i)).collect();
            let allowed = precision.accelerations(&expected, &pulls);
            let blocks = block.map_or_else(|| blocks.to_vec(), |block| vec![block]);
            let quantity = format!("accelerations by {}", named(&blocks, all));
            Judged { quantity: &quantity, n, targets: &targets }
                .check_each(&got, &expected, &allowed)?;
        }
        Ok(())
    }
}

fn is_square(number: usize) -> bool {
    number.isqrt().pow(2) == number
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: u64 = 1000;
    const EACH: u64 = 64;
    const RAN: Ran = Ran { blocks: &[0, 5, 15], each: EACH };

    /// What correct blocks leave; `of` says which bodies a block has.
    fn left(sampled: &Sampled, of: impl Fn(u64) -> Vec<usize>) -> State {
        let mut acceleration: [Vec<f32>; 3] =
            std::array::from_fn(|_| vec![f32::from_bits(u32::MAX); N as usize]);
        let written: Vec<usize> = RAN.blocks.iter().flat_map(|&block| of(block)).collect();
        for (i, a) in written.iter().zip(sampled.reference.accelerations(&written)) {
            (0..3).for_each(|axis| acceleration[axis][*i] = a[axis] as f32);
        }
        State { bodies: sampled.bodies.clone(), acceleration, stray: None }
    }

    fn in_order(block: u64) -> Vec<usize> {
        (block * EACH..N.min((block + 1) * EACH)).map(|i| i as usize).collect()
    }

    #[test]
    fn bodies_of_blocks_may_lie_anywhere_and_must_be_written_and_right() {
        let (sampled, precision) = (Sampled::drawn(N, 3), Precision::plain(N as usize));
        let judged = |state: &State| sampled.judge(RAN, state, &precision);
        let right = left(&sampled, in_order);
        assert_eq!(judged(&right), Ok(()));
        let apart = |block: u64| (block..N).step_by(16).map(|i| i as usize).collect();
        assert_eq!(judged(&left(&sampled, apart)), Ok(()));
        let fewer =
            |block: u64| in_order(block).into_iter().skip(usize::from(block == 5)).collect();
        let wrong = judged(&left(&sampled, fewer)).expect_err("one is missing").to_string();
        assert!(wrong.starts_with("at n = 1000: blocks 0, 5 and 15 of 16 wrote"), "{wrong}");
        let mut half = right.clone();
        in_order(5).into_iter().for_each(|i| half.acceleration[1][i] *= 0.5);
        let wrong = judged(&half).expect_err("half of it").to_string();
        assert!(wrong.contains("by block 5 of 16 at n = 1000: body 3"), "{wrong}");
        let mut moved = right;
        moved.bodies.velocity[0][999] += 1.0;
        assert!(judged(&moved).is_err());
    }
}
