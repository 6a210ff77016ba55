//! The arrays of a step on a device.

use device::{Argument, Buffer, Device, Error, Module, Node};
use nbody::Bodies;
use rayon::prelude::*;

use crate::array::{Array, Role, Sizes};
use crate::downloaded::Downloaded;
use crate::kept::Kept;
use crate::step::{Call, Given};
use crate::values::Values;

/// What arrays hold that nobody has written: no number, and no index.
const POISON: u8 = 0xff;

/// What scratch holds: as words an empty place, an index beyond all, and none at all; as numbers none, and ones that are the
/// greatest and the least of all. The number of bodies chooses one, so that no step may count on any.
const OF_SCRATCH: [u8; 3] = [POISON, 0x7f, 0xfe];

/// The arrays.
pub(crate) struct Memory {
    pub(crate) sizes: Sizes,
    buffers: Vec<(Array, Buffer)>,
}

impl Memory {
    /// Allocates arrays of a step.
    pub(crate) fn new(
        device: &mut dyn Device,
        arrays: &[Array],
        sizes: Sizes,
    ) -> Result<Memory, Error> {
        let alloc = |array: &Array| {
            let words = usize::try_from((array.words)(&sizes)).unwrap_or(usize::MAX / 4);
            Ok((*array, device.alloc(array.name, 4 * words)?))
        };
        Ok(Memory { sizes, buffers: arrays.iter().map(alloc).collect::<Result<_, Error>>()? })
    }

    /// Places bodies; what is to be computed is poisoned.
    pub(crate) fn upload(&self, device: &mut dyn Device, bodies: &Bodies) -> Result<(), Error> {
        let n = bodies.len();
        for (array, buffer) in &self.buffers {
            match array.role {
                Role::Exchanged => continue,
                Role::Zero | Role::Accelerations => device.fill(buffer, 0)?,
                role => self.poison(device, role, buffer)?,
            }
            let floats = match array.role {
                Role::Mass => bodies.mass.clone(),
                Role::Position(axis) => bodies.position[axis].clone(),
                Role::Velocity(axis) => bodies.velocity[axis].clone(),
                Role::PositionMass => fours(&bodies.position, |i| bodies.mass[i]),
                Role::Velocities => fours(&bodies.velocity, |_| 0.0),
                Role::Order => {
                    let numbers: Vec<u32> = (0..n as u32).collect();
                    device.upload(buffer, bytemuck::cast_slice(&numbers))?;
                    continue;
                }
                Role::Whole => whole(bodies).to_vec(),
                Role::Boxes => bounds(bodies).repeat(buffer.bytes() / BOX),
                _ => continue,
            };
            device.upload(buffer, bytemuck::cast_slice(&floats))?;
        }
        Ok(())
    }

    /// Places what the GPU keeps of a step, and poisons what is to be computed; whether it keeps anything.
    pub(crate) fn restore(
        &self,
        device: &mut dyn Device,
        step: &'static str,
        kept: &Kept,
    ) -> Result<bool, Error> {
        for (array, buffer) in &self.buffers {
            match array.role {
                Role::Exchanged => {}
                Role::Zero => device.fill(buffer, 0)?,
                role => self.poison(device, role, buffer)?,
            }
        }
        kept.restore(device, step, &self.buffers)
    }

    /// Has the GPU keep what a time step begins with.
    pub(crate) fn keep(
        &self,
        device: &mut dyn Device,
        step: &'static str,
        kept: &Kept,
        share: u64,
    ) -> Result<(), Error> {
        kept.keep(device, step, &self.buffers, share)
    }

    /// What GPUs exchange; none of a step that is for one.
    pub(crate) fn exchanged(&self) -> Option<&Buffer> {
        self.of_role(Role::Exchanged)
    }

    /// Poisons what GPUs exchange: a part that was not computed, or not gathered, shows.
    pub(crate) fn poison_exchanged(&self, device: &mut dyn Device) -> Result<(), Error> {
        let poison = |buffer| self.poison(device, Role::Exchanged, buffer);
        self.exchanged().map_or(Ok(()), poison)
    }

    /// Fills an array with what is no result; the simulator takes it for memory that nobody has written.
    fn poison(&self, device: &mut dyn Device, role: Role, buffer: &Buffer) -> Result<(), Error> {
        let byte = match role {
            Role::Scratch | Role::Tree => OF_SCRATCH[(self.sizes.n % 3) as usize],
            _ => POISON,
        };
        device.fill(buffer, byte)?;
        device.forget(buffer, 0, buffer.bytes())
    }

    fn of_role(&self, role: Role) -> Option<&Buffer> {
        self.buffers.iter().find(|(array, _)| array.role == role).map(|(_, buffer)| buffer)
    }

    /// Whether a time step may use the accelerations of the one before.
    pub(crate) fn has_accelerations(&self) -> bool {
        self.of_role(Role::Accelerations).is_some()
    }

    /// The absolute values of accelerations as a time step left them, in the order of the input; their components are
    /// poisoned, so that one that is not computed anew shows.
    pub(crate) fn accelerations(&self, device: &mut dyn Device) -> Result<Vec<[u32; 4]>, Error> {
        let (Some(accelerations), Some(order)) =
            (self.of_role(Role::Accelerations), self.of_role(Role::Order))
        else {
            return Ok(Vec::new());
        };
        let found = device.read::<u32>(accelerations)?;
        let order = device.read::<u32>(order)?;
        let mut sorted = vec![[0; 4]; order.len()];
        for (one, &body) in found.chunks_exact(4).zip(&order) {
            if let Some(place) = sorted.get_mut(body as usize) {
                *place = [u32::MAX, u32::MAX, u32::MAX, one[3]];
            }
        }
        Ok(sorted)
    }

    /// Places accelerations of a time step before.
    pub(crate) fn upload_accelerations(
        &self,
        device: &mut dyn Device,
        accelerations: &[[u32; 4]],
    ) -> Result<(), Error> {
        match self.of_role(Role::Accelerations) {
            Some(buffer) => device.upload(buffer, bytemuck::cast_slice(accelerations)),
            None => Ok(()),
        }
    }

    /// Makes one call of a time step.
    ///
    /// # Panics
    /// A call names an array that the step has not.
    pub(crate) fn call(
        &self,
        device: &mut dyn Device,
        module: &Module,
        call: &Call,
        values: &Values,
    ) -> Result<(), Error> {
        self.call_at(device, module, (call, values, &self.sizes))
    }

    /// The same with other sizes than those that the arrays were made for.
    ///
    /// # Panics
    /// As [`Memory::call`].
    pub(crate) fn call_at(
        &self,
        device: &mut dyn Device,
        module: &Module,
        (call, values, sizes): (&Call, &Values, &Sizes),
    ) -> Result<(), Error> {
        let Node { kernel, shape, arguments } = self.node_at(call, values, sizes);
        match call.together {
            true => device.launch_cooperative(module, kernel, shape, &arguments),
            false => device.launch(module, kernel, shape, &arguments),
        }
    }

    /// One call of a time step, as a graph has it.
    ///
    /// # Panics
    /// A call names an array that the step has not.
    pub(crate) fn node(&self, call: &Call, values: &Values) -> Node<'_> {
        self.node_at(call, values, &self.sizes)
    }

    fn node_at(&self, call: &Call, values: &Values, sizes: &Sizes) -> Node<'_> {
        let int = |count: u64| Argument::I32(i32::try_from(count).unwrap_or(i32::MAX));
        let argument = |given: &Given| match *given {
            Given::Array(name) => Argument::Buffer(self.buffer(name)),
            Given::Bodies => int(sizes.n),
            Given::Nodes => int(sizes.nodes()),
            Given::Gpu => int(sizes.gpu),
            Given::Gpus => int(sizes.gpus),
            Given::Opening => Argument::F32(values.opening()),
            Given::Softening => Argument::F32(values.epssq),
            Given::TimeStep => Argument::F32(values.dtime),
            Given::Int(value) => Argument::I32(value),
            Given::Count(count) => int(count(sizes)),
            Given::Float(value) => Argument::F32(value),
            Given::Limit(limit) => Argument::F32(limit.at(values.theta)),
        };
        let arguments = call.given.iter().map(argument).collect();
        Node { kernel: call.kernel, shape: call.launch(sizes).shape, arguments }
    }

    /// Has a time step begin where the last one began, in the order that it left. Components of accelerations are
    /// poisoned as in [`Memory::accelerations`].
    pub(crate) fn begin_again(
        &self,
        device: &mut dyn Device,
        began_with: &[(&str, &str)],
    ) -> Result<(), Error> {
        let stream = device.stream()?;
        for (from, to) in began_with {
            let to = self.buffer(to);
            device.copy_on(&stream, &self.buffer(from).part(0..to.bytes())?, to)?;
        }
        device.synchronize()?;
        let Some(accelerations) = self.of_role(Role::Accelerations) else { return Ok(()) };
        let mut found: Vec<[u32; 4]> = device.read(accelerations)?;
        found.par_iter_mut().for_each(|one| one[..3].fill(u32::MAX));
        device.upload(accelerations, bytemuck::cast_slice(&found))
    }

    /// An array by its name.
    ///
    /// # Panics
    /// The step has none of that name.
    pub(crate) fn buffer(&self, name: &str) -> &Buffer {
        let found = self.buffers.iter().find(|(array, _)| array.name == name);
        &found.unwrap_or_else(|| panic!("the step has no array `{name}`")).1
    }

    /// Copies bodies and tree to the host, after a look whether anything was written around any array.
    pub(crate) fn download(&self, device: &mut dyn Device) -> Result<Downloaded, Error> {
        self.download_some(device, |role| {
            !matches!(role, Role::Scratch | Role::Zero | Role::Exchanged | Role::Whole)
        })
    }

    /// The same with bodies alone.
    pub(crate) fn download_bodies(&self, device: &mut dyn Device) -> Result<Downloaded, Error> {
        self.download_some(device, |role| {
            !matches!(role, Role::Scratch | Role::Zero | Role::Exchanged | Role::Whole | Role::Tree)
        })
    }

    /// The same with arrays of these roles.
    pub(crate) fn download_some(
        &self,
        device: &mut dyn Device,
        is_read: impl Fn(Role) -> bool,
    ) -> Result<Downloaded, Error> {
        for (_, buffer) in &self.buffers {
            device.check_guards(buffer)?;
        }
        let read = |(array, buffer): &(Array, Buffer)| Ok((*array, device.read(buffer)?));
        let some = self.buffers.iter().filter(|(array, _)| is_read(array.role));
        let arrays = some.map(read).collect::<Result<_, Error>>()?;
        Ok(Downloaded { sizes: self.sizes, arrays })
    }

    /// The arrays that hold results.
    pub(crate) fn results(&self) -> impl Iterator<Item = &Buffer> {
        let is_result = |role| {
            use Role::{Boxes, Exchanged, Mass, Scratch, Sorted, Tree, Whole, Zero};
            !matches!(role, Scratch | Zero | Sorted | Mass | Exchanged | Tree | Whole | Boxes)
        };
        self.buffers
            .iter()
            .filter(move |(array, _)| is_result(array.role))
            .map(|(_, buffer)| buffer)
    }
}

/// Bytes of a box: the least coordinates, then the greatest.
pub(crate) const BOX: usize = 6 * size_of::<f32>();

/// The smallest box around bodies.
pub(crate) fn bounds(bodies: &Bodies) -> [f32; 6] {
    let ends = |of: fn(f32, f32) -> f32, start: f32| {
        let along = |axis: &Vec<f32>| axis.par_iter().copied().reduce(|| start, of);
        bodies.position.each_ref().map(along)
    };
    let (low, high) = (ends(f32::min, f32::INFINITY), ends(f32::max, f32::NEG_INFINITY));
    [low[0], low[1], low[2], high[0], high[1], high[2]]
}

/// All bodies as one node: centre of mass and mass, and nothing in the other words of a node.
pub(crate) fn whole(bodies: &Bodies) -> [f32; 8] {
    let sum = |of: &(dyn Fn(usize) -> f64 + Sync)| -> f64 {
        let all = (0..bodies.len()).into_par_iter();
        all.map(|i| f64::from(bodies.mass[i]) * of(i)).sum()
    };
    let mass = sum(&|_| 1.0);
    let share = if mass > 0.0 { 1.0 / mass } else { 0.0 };
    let [x, y, z] = bodies.position.each_ref().map(|axis| sum(&|i| axis[i].into()) * share);
    [x as f32, y as f32, z as f32, mass as f32, 0.0, 0.0, 0.0, 0.0]
}

fn fours(of: &[Vec<f32>; 3], last: impl Fn(usize) -> f32 + Sync) -> Vec<f32> {
    let [x, y, z] = of;
    let all: Vec<[f32; 4]> =
        (0..x.len()).into_par_iter().map(|i| [x[i], y[i], z[i], last(i)]).collect();
    all.into_flattened()
}
