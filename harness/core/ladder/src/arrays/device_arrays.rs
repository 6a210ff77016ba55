//! The arrays of a case on a device.

use std::borrow::Cow;
use std::sync::Arc;

use device::{Argument, Boxes, Buffer, Device, Error, Module, Routine, TensorMap};
use elements::append_words;

use super::call::{Attention, Call, KernelArgument, Product, check_names};
use super::case::Case;
use super::data::{Extent, Role};
use super::judge::Judge;
use super::memory::Memory;
use super::values::Values;
use crate::judge::{Errors, Mismatch, Tolerance};
use crate::problem::{Checked, Copied, Failed, Pass, named};
use crate::step::Launch;

/// Places the input of a name in its memory.
type PlaceInput<'p> =
    dyn FnMut(&mut dyn Device, &'static str, &Memory, &[u8]) -> Result<(), Error> + 'p;

/// A case on a device, for one step.
pub(super) struct DeviceArrays<'m> {
    module: &'m Module,
    case: Arc<Case>,
    /// The memory of each array, in their order; none of what the step does not use.
    memory: Vec<Option<Memory>>,
    /// Tensor maps that the calls have as arguments, and what they are of.
    maps: Vec<((&'static str, Boxes), TensorMap)>,
    /// How each is judged, where it is an output.
    judges: Vec<Option<Judge>>,
    calls: Vec<Call>,
    place: fn(Extent, &str, usize) -> String,
}

impl<'m> DeviceArrays<'m> {
    /// Allocates what the calls name, and makes their tensor maps.
    ///
    /// # Errors
    /// The device's: out of memory, or it has no such tensor maps. The calls name what the data have not, or no output.
    pub(super) fn new(
        device: &mut dyn Device,
        module: &'m Module,
        case: Arc<Case>,
        calls: Vec<Call>,
        judge: impl Fn(&str, Judge) -> Judge,
        place: fn(Extent, &str, usize) -> String,
    ) -> Result<DeviceArrays<'m>, Error> {
        check_names(&case.data, &calls)?;
        let arrays = case.data.arrays.iter();
        let memory = arrays
            .map(|array| match calls.iter().any(|call| call.arrays().contains(&array.name)) {
                true => Memory::new(device, array).map(Some),
                false => Ok(None),
            })
            .collect::<Result<_, _>>()?;
        let judges = case.data.arrays.iter().map(|array| match &array.role {
            Role::Output(_, stated) => Some(judge(array.name, *stated)),
            Role::Input(_) | Role::Scratch(_) => None,
        });
        let judges = judges.collect();
        let maps = Vec::new();
        let mut placed = DeviceArrays { module, case, memory, maps, judges, calls, place };
        let maps = placed.calls.iter().flat_map(Call::maps).map(|(name, boxes)| {
            Ok(((name, boxes), device.tensor_map(placed.buffer(name), &boxes)?))
        });
        placed.maps = maps.collect::<Result<_, Error>>()?;
        Ok(placed)
    }

    /// The memory of an array.
    ///
    /// # Panics
    /// The ladder's calls name no array of its data.
    fn memory(&self, name: &str) -> &Memory {
        let at = self.case.data.arrays.iter().position(|array| array.name == name);
        let memory = at.and_then(|at| self.memory[at].as_ref());
        memory.unwrap_or_else(|| panic!("the data has no array `{name}`"))
    }

    /// Its buffer.
    ///
    /// # Panics
    /// The ladder's calls take an address of texels.
    fn buffer(&self, name: &str) -> &Buffer {
        self.memory(name).buffer().unwrap_or_else(|| panic!("the texels `{name}` have no address"))
    }

    /// A number of the data.
    ///
    /// # Panics
    /// The data have none of that name.
    fn scalar(&self, name: &str) -> Argument<'static> {
        let scalar = self.case.data.scalars.iter().find(|(other, _)| *other == name);
        scalar.unwrap_or_else(|| panic!("the data have no number `{name}`")).1
    }

    /// A factor of the data.
    ///
    /// # Panics
    /// It is no `f32`.
    fn factor(&self, name: &str) -> f32 {
        match self.scalar(name) {
            Argument::F32(factor) => factor,
            other => panic!("the factor `{name}` is {other:?}"),
        }
    }

    /// What cuBLAS is called with.
    fn product(&self, of: &Product) -> Routine {
        let [alpha, beta] = of.factors.map(|name| self.factor(name));
        let Product { sizes, precision, .. } = *of;
        Routine::Product(device::Product { sizes, alpha, beta, precision })
    }

    /// What cuDNN is called with.
    fn attention(&self, of: &Attention) -> Routine {
        let causal = !matches!(self.scalar(of.causal), Argument::I32(0));
        let Attention { extent, .. } = *of;
        Routine::Attention(device::Attention { extent, causal, scale: self.factor(of.scale) })
    }

    fn call(
        &self,
        device: &mut dyn Device,
        routine: &Routine,
        arrays: &[&'static str],
    ) -> Result<(), Error> {
        let arrays: Vec<&Buffer> = arrays.iter().map(|name| self.buffer(name)).collect();
        device.call(self.module, routine, &arrays)
    }

    fn arguments(&self, given: &[KernelArgument]) -> Vec<Argument<'_>> {
        let argument = |given: &KernelArgument| match *given {
            KernelArgument::Array(name) => Argument::Buffer(self.buffer(name)),
            KernelArgument::Texture(name) => {
                self.memory(name).texture().unwrap_or_else(|| no_texels(name))
            }
            KernelArgument::Surface(name) => {
                self.memory(name).surface().unwrap_or_else(|| no_texels(name))
            }
            KernelArgument::TensorMap(name, boxes) => {
                let made = self.maps.iter().find(|(of, _)| *of == (name, boxes));
                Argument::TensorMap(&made.expect("`new` has made it").1)
            }
            KernelArgument::Scalar(name) => self.scalar(name),
            KernelArgument::Value(value) => value,
        };
        given.iter().map(argument).collect()
    }

    /// How an output is judged; `stated`, where its step says nothing else.
    fn judge(&self, name: &str, stated: Judge) -> Judge {
        let at = self.case.data.arrays.iter().position(|array| array.name == name);
        at.and_then(|at| self.judges[at]).unwrap_or(stated)
    }

    /// Places the inputs, each by `place`, and poisons everything else.
    fn prepare(&self, device: &mut dyn Device, place: &mut PlaceInput) -> Result<(), Error> {
        for ((array, memory), &poison) in
            self.case.data.arrays.iter().zip(&self.memory).zip(&self.case.poison)
        {
            let Some(memory) = memory else { continue };
            match (&array.role, &array.initial) {
                (Role::Input(values), _) | (_, Some(values)) => {
                    place(device, array.name, memory, values.bytes())?;
                }
                _ => memory.poison(device, poison)?,
            }
        }
        // A step that has its parameters elsewhere declares no such constant.
        self.case.data.constants.iter().try_for_each(|(name, bytes)| {
            match device.set_constant(self.module, name, bytes) {
                Err(Error::NoSymbol { .. }) => Ok(()),
                other => other,
            }
        })
    }

    /// Every array that has memory, with it.
    fn placed(&self) -> impl Iterator<Item = (&'static str, &Role, &Memory)> {
        let arrays = self.case.data.arrays.iter().zip(&self.memory);
        arrays.filter_map(|(array, memory)| Some((array.name, &array.role, memory.as_ref()?)))
    }
}

impl DeviceArrays<'_> {
    /// Blocks of its launch.
    fn blocks(&self) -> u64 {
        self.calls.iter().filter_map(Call::launch).map(Launch::blocks).sum()
    }

    /// How many elements of an output count, and the output of the same pass that says so; none where all do.
    fn counted(
        &self,
        device: &mut dyn Device,
        name: &str,
    ) -> Result<Option<(usize, &'static str)>, Error> {
        let arrays = &self.case.data.arrays;
        let array = arrays.iter().find(|array| array.name == name);
        let Some(by) = array.and_then(|array| array.counted_by) else { return Ok(None) };
        let mut count = [0; size_of::<u32>()];
        self.memory(by).download(device, &mut count)?;
        Ok(Some((u32::from_le_bytes(count) as usize, by)))
    }

    /// What an output held before the pass.
    fn poison(&self, name: &str) -> u8 {
        let at = self.case.data.arrays.iter().position(|array| array.name == name);
        at.map_or(0, |at| self.case.poison[at])
    }

    /// Looks for a wrong element among those of an output that were not compared.
    fn check_residues(&self, name: &str, got: &Values, judge: Judge) -> Result<(), Mismatch> {
        let arrays = &self.case.data.arrays;
        let array = arrays.iter().find(|array| array.name == name);
        let Some(residues) = array.and_then(|array| array.residues.as_ref()) else { return Ok(()) };
        match residues.defect(got, judge) {
            Some(what) => Err(Mismatch::Other { n: self.case.n, what: format!("{name} {what}") }),
            None => Ok(()),
        }
    }

    /// Elements of an output that fall to some blocks, where all have as many; the last may have none.
    fn share(&self, blocks: &[u64], elements: usize) -> u64 {
        let (all, elements) = (self.blocks(), elements as u64);
        let full = if elements.is_multiple_of(all) { blocks.len() } else { blocks.len() - 1 };
        elements / all * full as u64
    }
}

fn no_texels(name: &str) -> ! {
    panic!("the array `{name}` has no such texels")
}

impl Pass for DeviceArrays<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        self.prepare(device, &mut |device, _, memory, bytes| memory.upload(device, bytes))
    }

    fn restore(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        let stream = device.stream()?;
        self.prepare(device, &mut |device, name, memory, bytes| {
            self.case.kept.restore(device, &stream, (name, memory), bytes)
        })?;
        device.synchronize()
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
                Call::Cub(n, arrays) => self.call(device, &Routine::Pass(*n), arrays)?,
                Call::Cublas(of) => self.call(device, &self.product(of), &of.matrices)?,
                Call::Cudnn(of) => self.call(device, &self.attention(of), &of.matrices)?,
            }
        }
        Ok(())
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        let outputs = self.placed().filter(|(_, role, _)| matches!(role, Role::Output(..)));
        outputs.map(|(_, _, memory)| memory.copied(device)).collect()
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        for (_, _, memory) in self.placed() {
            memory.check_guards(device)?;
        }
        let Case { n, extent, .. } = *self.case;
        let mut all = Checked::exact(Errors::NONE);
        for (name, role, memory) in self.placed() {
            let place = |i| (self.place)(extent, name, i);
            match role {
                Role::Input(values) => {
                    if !memory.holds(device, values.bytes())? {
                        let now = memory.values(device, values.zeros(values.len()))?;
                        now.judge_equal(&format!("input `{name}`"), n, values, place)?;
                    }
                }
                Role::Output(expected, stated) => {
                    let judge = self.judge(name, *stated);
                    let exact = expected.whole().filter(|_| matches!(judge, Judge::Exactly));
                    if let Some(all) = exact
                        && memory.holds(device, all.bytes())?
                    {
                        continue;
                    }
                    let mut got = memory.values(device, expected.zeros())?;
                    let mut values = Cow::Borrowed(expected.values());
                    if let Some((count, by)) = self.counted(device, name)? {
                        let room = values.len();
                        if count > room {
                            let what =
                                format!("{by} is {count}, and {name} has room for {room} elements");
                            return Err(Mismatch::Other { n, what }.into());
                        }
                        got = got.first(count);
                        values = Cow::Owned(values.first(count));
                    }
                    let picked = expected.picked(&got);
                    let place = |i| place(expected.place(i));
                    let (errors, tolerance) = judge.judge(name, n, (&picked, &values), place)?;
                    let unwritten = expected.unwritten(&got, self.poison(name));
                    if unwritten > 0 {
                        let all = got.len();
                        let what =
                            format!("{unwritten} of {all} elements of {name} are not written");
                        return Err(Mismatch::Other { n, what }.into());
                    }
                    self.check_residues(name, &got, judge)?;
                    keep_worst(&mut all, errors, tolerance);
                    if tolerance != Tolerance::EXACT {
                        // The bits by which two runs are compared; what is exact is the same in both.
                        append_words(&mut all.bits.0, got.bytes());
                    }
                }
                Role::Scratch(_) => {}
            }
        }
        Ok(all)
    }

    fn check_blocks(&mut self, device: &mut dyn Device, blocks: &[u64]) -> Result<(), Failed> {
        let Case { n, extent, .. } = *self.case;
        for (name, role, memory) in self.placed() {
            let Role::Output(expected, stated) = role else { continue };
            memory.check_guards(device)?;
            let by = format!("by {}", named(blocks, self.blocks()));
            let got = memory.values(device, expected.zeros())?;
            let written = got.written(self.poison(name)) as u64;
            let share = self.share(blocks, expected.count());
            if share > 0 && 2 * written <= share {
                let what = format!("only {written} elements of {name} are written {by}");
                return Err(Mismatch::Other { n, what }.into());
            }
            let mut picked = expected.picked(&got).into_owned();
            picked.complete(expected.values(), self.poison(name));
            let place = |i| (self.place)(extent, name, expected.place(i));
            let judge = self.judge(name, *stated);
            judge.judge(&format!("{name} {by}"), n, (&picked, expected.values()), place)?;
        }
        Ok(())
    }

    fn bytes(&self) -> (u64, u64) {
        let (mut to, mut back) = (0, 0);
        for (_, role, memory) in self.placed() {
            match role {
                Role::Input(_) => to += memory.bytes() as u64,
                Role::Output(..) => back += memory.bytes() as u64,
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
