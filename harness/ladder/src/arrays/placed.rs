//! The arrays of a case on a device.

use std::sync::Arc;

use device::{Argument, Buffer, Device, Error, Module};

use super::data::{Judge, Role, Values};
use super::{Call, Case, Extent, Given};
use crate::judge::{Errors, Tolerance};
use crate::problem::{Checked, Copied, Failed, Pass};

/// What outputs and scratch memory hold before a pass: no number, and no index.
const POISON: u8 = 0xff;

/// A case on a device, for one step.
pub(super) struct Placed<'m> {
    module: &'m Module,
    case: Arc<Case>,
    /// A buffer for each array, in their order.
    buffers: Vec<Buffer>,
    /// How each is judged, where it is an output.
    judges: Vec<Option<Judge>>,
    calls: Vec<Call>,
    place: fn(Extent, &str, usize) -> String,
}

impl<'m> Placed<'m> {
    /// Allocates every array.
    ///
    /// # Errors
    /// The device's: out of memory.
    pub(super) fn new(
        device: &mut dyn Device,
        module: &'m Module,
        case: Arc<Case>,
        calls: Vec<Call>,
        judge: impl Fn(&str, Judge) -> Judge,
        place: fn(Extent, &str, usize) -> String,
    ) -> Result<Placed<'m>, Error> {
        let arrays = case.data.arrays.iter();
        let buffers = arrays
            .map(|array| device.alloc(array.name, array.role.bytes()))
            .collect::<Result<_, _>>()?;
        let judges = case.data.arrays.iter().map(|array| match &array.role {
            Role::Output(_, stated) => Some(judge(array.name, *stated)),
            Role::Input(_) | Role::Scratch(_) => None,
        });
        let judges = judges.collect();
        Ok(Placed { module, case, buffers, judges, calls, place })
    }

    /// The buffer of an array.
    ///
    /// # Panics
    /// The ladder's calls name no array of its data.
    fn buffer(&self, name: &str) -> &Buffer {
        let at = self.case.data.arrays.iter().position(|array| array.name == name);
        &self.buffers[at.unwrap_or_else(|| panic!("the data has no array `{name}`"))]
    }

    fn arguments(&self, given: &[Given]) -> Vec<Argument<'_>> {
        let argument = |given: &Given| match *given {
            Given::Array(name) => Argument::Buffer(self.buffer(name)),
            Given::Value(value) => value,
        };
        given.iter().map(argument).collect()
    }

    /// Every array with its buffer.
    fn placed(&self) -> impl Iterator<Item = (&'static str, &Role, &Buffer)> {
        let arrays = self.case.data.arrays.iter();
        arrays.zip(&self.buffers).map(|(array, buffer)| (array.name, &array.role, buffer))
    }
}

impl Pass for Placed<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        for (_, role, buffer) in self.placed() {
            match role {
                Role::Input(values) => device.upload(buffer, values.bytes())?,
                Role::Output(..) | Role::Scratch(_) => {
                    device.fill(buffer, POISON)?;
                    device.forget(buffer, 0, buffer.bytes())?;
                }
            }
        }
        let mut constants = self.case.data.constants.iter();
        constants.try_for_each(|(name, bytes)| device.set_constant(self.module, name, bytes))
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        for call in &self.calls {
            match call {
                Call::Launch(launch, given) => {
                    let arguments = self.arguments(given);
                    device.launch(self.module, launch.kernel, launch.shape, &arguments)?;
                }
                Call::Together(launch, given) => {
                    let arguments = self.arguments(given);
                    device.launch_cooperative(
                        self.module,
                        launch.kernel,
                        launch.shape,
                        &arguments,
                    )?;
                }
                Call::Fill(name, byte) => device.fill(self.buffer(name), *byte)?,
            }
        }
        Ok(())
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        let outputs = self.placed().filter(|(_, role, _)| matches!(role, Role::Output(..)));
        outputs.map(|(_, _, buffer)| Copied::from(device, buffer)).collect()
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        for (_, _, buffer) in self.placed() {
            device.check_guards(buffer)?;
        }
        let Case { n, extent, .. } = *self.case;
        let mut all = Checked::exact(Errors::NONE);
        for ((name, role, buffer), judge) in self.placed().zip(&self.judges) {
            let place = |i| (self.place)(extent, name, i);
            match role {
                Role::Input(values) => {
                    let now = values.read_like(device, buffer)?;
                    now.judge_equal(&format!("input `{name}`"), n, values, place)?;
                }
                Role::Output(expected, stated) => {
                    let judge = judge.unwrap_or(*stated);
                    let got = expected.read_like(device, buffer)?;
                    let (errors, tolerance) = judge.judge(name, n, (&got, expected), place)?;
                    keep_worst(&mut all, errors, tolerance);
                    if tolerance != Tolerance::EXACT {
                        keep_bits(&mut all, &got);
                    }
                }
                Role::Scratch(_) => {}
            }
        }
        Ok(all)
    }

    fn bytes(&self) -> (u64, u64) {
        let (mut to, mut back) = (0, 0);
        for (_, role, buffer) in self.placed() {
            match role {
                Role::Input(_) => to += buffer.bytes() as u64,
                Role::Output(..) => back += buffer.bytes() as u64,
                Role::Scratch(_) => {}
            }
        }
        (to, back)
    }
}

/// Of several outputs the one that is nearest to what it may be off counts.
fn keep_worst(all: &mut Checked, errors: Errors, tolerance: Tolerance) {
    let used = |errors: Errors, tolerance: Tolerance| match tolerance == Tolerance::EXACT {
        true => 0.0,
        false => errors.rms / tolerance.rms,
    };
    if all.tolerance == Tolerance::EXACT
        || used(errors, tolerance) > used(all.errors, all.tolerance)
    {
        (all.errors, all.tolerance) = (errors, tolerance);
    }
}

/// The bits by which two runs are compared; what is exact is the same in both.
fn keep_bits(all: &mut Checked, got: &Values) {
    let words = got.bytes().chunks(4).map(|word| {
        let mut whole = [0; 4];
        whole[..word.len()].copy_from_slice(word);
        u64::from(u32::from_le_bytes(whole))
    });
    all.bits.0.extend(words);
}
