//! Where the host has elements and results.

use std::cell::RefCell;
use std::mem::take;
use std::sync::{Mutex, PoisonError};

use device::{Buffer, Device, Error};

/// Bytes of an element.
pub const BYTES: usize = size_of::<f32>();

/// No number: a result that nobody has computed, or that was not copied, shows.
pub(super) const POISON: u8 = 0xff;

/// The host's elements and results.
pub trait Ends {
    /// Gives the host its elements, and poisons its results.
    ///
    /// # Errors
    /// The device's.
    fn begin(&mut self, device: &mut dyn Device, elements: &[f32]) -> Result<(), Error>;

    /// What the host has after a pass: elements and results.
    ///
    /// # Errors
    /// The device's: something was written around them.
    fn end(&mut self, device: &mut dyn Device) -> Result<[Vec<f32>; 2], Error>;
}

/// Host arrays in ordinary memory, which is pageable.
pub struct Ordinary {
    /// Inputs, which are copied to the device.
    pub elements: Vec<f32>,
    /// Results, which are copied back to the host.
    pub results: RefCell<Vec<f32>>,
}

impl Ordinary {
    /// Room for so many; what they are does not matter.
    pub fn new(n: usize) -> Ordinary {
        Ordinary { elements: spare(n), results: RefCell::new(spare(n)) }
    }
}

impl Drop for Ordinary {
    fn drop(&mut self) {
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        spare.extend([take(&mut self.elements), take(self.results.get_mut())]);
        let too_many = spare.len().saturating_sub(MOST_SPARE);
        spare.drain(..too_many);
    }
}

/// Ordinary memory that nobody uses: to be given new pages by the system takes longer than to be timed, and every step has
/// its inputs placed 24 times for that.
static SPARE: Mutex<Vec<Vec<f32>>> = Mutex::new(Vec::new());

/// Arrays that are kept at most: those of one pass.
const MOST_SPARE: usize = 2;

/// An array of `n` elements.
fn spare(n: usize) -> Vec<f32> {
    let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = spare.iter().position(|array| array.len() == n);
    place.map_or_else(|| vec![0.0; n], |place| spare.remove(place))
}

impl Ends for Ordinary {
    fn begin(&mut self, _: &mut dyn Device, elements: &[f32]) -> Result<(), Error> {
        self.elements.copy_from_slice(elements);
        self.results.get_mut().fill(f32::from_le_bytes([POISON; BYTES]));
        Ok(())
    }

    fn end(&mut self, _: &mut dyn Device) -> Result<[Vec<f32>; 2], Error> {
        Ok([self.elements.clone(), self.results.borrow().clone()])
    }
}

/// Host arrays in page-locked memory.
pub struct Locked {
    /// Inputs, which are copied to the device.
    pub elements: Buffer,
    /// Results, which are copied back to the host.
    pub results: Buffer,
}

impl Locked {
    /// Room for so many.
    ///
    /// # Errors
    /// The device's.
    pub fn new(device: &mut dyn Device, n: usize) -> Result<Locked, Error> {
        Ok(Locked {
            elements: device.alloc_host("elements", n * BYTES)?,
            results: device.alloc_host("results", n * BYTES)?,
        })
    }
}

impl Ends for Locked {
    fn begin(&mut self, device: &mut dyn Device, elements: &[f32]) -> Result<(), Error> {
        device.upload(&self.elements, bytemuck::cast_slice(elements))?;
        device.fill(&self.results, POISON)
    }

    fn end(&mut self, device: &mut dyn Device) -> Result<[Vec<f32>; 2], Error> {
        for buffer in [&self.elements, &self.results] {
            device.check_guards(buffer)?;
        }
        Ok([device.read(&self.elements)?, device.read(&self.results)?])
    }
}
