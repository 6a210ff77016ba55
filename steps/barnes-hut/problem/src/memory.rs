//! The arrays of a step on a device.

use device::{Argument, Buffer, Device, Error, Module, Node};
use nbody::Bodies;
use rayon::prelude::*;

use crate::case::Values;
use crate::kept::Kept;
use crate::step::{Array, Call, Given, Host, Role, Sizes};

/// What arrays hold that nobody has written: no number, and no index.
const POISON: u8 = 0xff;

/// The arrays.
pub(crate) struct Memory {
    pub(crate) sizes: Sizes,
    buffers: Vec<(Array, Buffer)>,
}

/// Arrays copied to the host.
#[derive(Debug, Clone)]
pub struct Downloaded {
    n: usize,
    arrays: Vec<(Array, Vec<u32>)>,
}

/// Bodies after a time step, in the order of the input.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) mass: Vec<f32>,
    pub(crate) position: Vec<[f32; 3]>,
    pub(crate) velocity: Vec<[f32; 3]>,
    pub(crate) acceleration: Vec<[f32; 3]>,
}

impl Memory {
    /// Allocates all arrays of a step.
    pub(crate) fn new(device: &mut dyn Device, host: &Host, sizes: Sizes) -> Result<Memory, Error> {
        let alloc = |array: &Array| {
            let words = usize::try_from((array.words)(&sizes)).unwrap_or(usize::MAX / 4);
            Ok((*array, device.alloc(array.name, 4 * words)?))
        };
        Ok(Memory { sizes, buffers: host.arrays.iter().map(alloc).collect::<Result<_, Error>>()? })
    }

    /// Places bodies; what is to be computed is poisoned.
    pub(crate) fn upload(&self, device: &mut dyn Device, bodies: &Bodies) -> Result<(), Error> {
        let n = bodies.len();
        for (array, buffer) in &self.buffers {
            match array.role {
                Role::Exchanged => continue,
                Role::Zero | Role::Accelerations => device.fill(buffer, 0)?,
                _ => poison(device, buffer)?,
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
                _ => poison(device, buffer)?,
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
    ) -> Result<(), Error> {
        kept.keep(device, step, &self.buffers)
    }

    /// What GPUs exchange; none of a step that is for one.
    pub(crate) fn exchanged(&self) -> Option<&Buffer> {
        self.of_role(Role::Exchanged)
    }

    /// Poisons what GPUs exchange: a part that was not computed, or not gathered, shows.
    pub(crate) fn poison_exchanged(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.exchanged().map_or(Ok(()), |buffer| poison(device, buffer))
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
        let Node { kernel, shape, arguments } = self.node(call, values);
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
        let int = |count: u64| Argument::I32(i32::try_from(count).unwrap_or(i32::MAX));
        let argument = |given: &Given| match *given {
            Given::Array(name) => Argument::Buffer(self.buffer(name)),
            Given::Bodies => int(self.sizes.n),
            Given::Nodes => int(self.sizes.nodes()),
            Given::Gpu => int(self.sizes.gpu),
            Given::Gpus => int(self.sizes.gpus),
            Given::Opening => Argument::F32(values.opening()),
            Given::Softening => Argument::F32(values.epssq),
            Given::TimeStep => Argument::F32(values.dtime),
            Given::Int(value) => Argument::I32(value),
            Given::Count(count) => int(count(&self.sizes)),
            Given::Float(value) => Argument::F32(value),
            Given::Scaled { at_half, power } => {
                Argument::F32(at_half * (2.0 * values.theta).powi(power))
            }
        };
        let arguments = call.given.iter().map(argument).collect();
        Node { kernel: call.kernel, shape: call.launch(&self.sizes).shape, arguments }
    }

    fn buffer(&self, name: &str) -> &Buffer {
        let found = self.buffers.iter().find(|(array, _)| array.name == name);
        &found.unwrap_or_else(|| panic!("the step has no array `{name}`")).1
    }

    /// Copies everything to the host, after a look whether anything was written around it.
    pub(crate) fn download(&self, device: &mut dyn Device) -> Result<Downloaded, Error> {
        for (_, buffer) in &self.buffers {
            device.check_guards(buffer)?;
        }
        let read = |(array, buffer): &(Array, Buffer)| Ok((*array, device.read(buffer)?));
        let arrays = self.buffers.iter().map(read).collect::<Result<_, Error>>()?;
        Ok(Downloaded { n: self.sizes.n as usize, arrays })
    }

    /// The arrays that hold results.
    pub(crate) fn results(&self) -> impl Iterator<Item = &Buffer> {
        let is_result = |role| {
            use Role::{Exchanged, Mass, Scratch, Sorted, Zero};
            !matches!(role, Scratch | Zero | Sorted | Mass | Exchanged)
        };
        self.buffers
            .iter()
            .filter(move |(array, _)| is_result(array.role))
            .map(|(_, buffer)| buffer)
    }
}

impl Downloaded {
    /// The number of bodies.
    pub fn n(&self) -> usize {
        self.n
    }

    /// An array as words.
    ///
    /// # Panics
    /// The step has no such array.
    pub fn words(&self, name: &str) -> &[u32] {
        let found = self.arrays.iter().find(|(array, _)| array.name == name);
        &found.unwrap_or_else(|| panic!("the step has no array `{name}`")).1
    }

    /// An array as signed numbers.
    ///
    /// # Panics
    /// The step has no such array.
    pub fn ints(&self, name: &str) -> &[i32] {
        bytemuck::cast_slice(self.words(name))
    }

    /// An array as floats.
    ///
    /// # Panics
    /// The step has no such array.
    pub fn floats(&self, name: &str) -> &[f32] {
        bytemuck::cast_slice(self.words(name))
    }

    fn of_role(&self, role: Role) -> Option<&[u32]> {
        self.arrays.iter().find(|(array, _)| array.role == role).map(|(_, words)| &words[..])
    }

    /// The bodies in the order in which warps have them, by their numbers in the input.
    ///
    /// # Errors
    /// It is no permutation.
    pub(crate) fn order(&self) -> Result<Vec<u32>, String> {
        let of = |role| self.of_role(role).map(|words| words[..self.n].to_vec());
        let Some(order) = of(Role::Order).or_else(|| of(Role::Sorted)) else {
            return Ok((0..self.n as u32).collect());
        };
        let mut met = vec![false; self.n];
        for (place, &body) in order.iter().enumerate() {
            match met.get_mut(body as usize) {
                Some(met) if !*met => *met = true,
                Some(_) => {
                    return Err(format!("body {body} is twice in the order, again at {place}"));
                }
                None => return Err(format!("place {place} of the order holds {}", body as i32)),
            }
        }
        Ok(order)
    }

    /// The bodies, in the order of the input; `order` says where each is if the step moves them.
    pub(crate) fn state(&self, order: &[u32]) -> State {
        let moves = self.of_role(Role::Order).is_some();
        let number = |place: usize| if moves { order[place] as usize } else { place };
        let mut state = State {
            mass: vec![0.0; self.n],
            position: vec![[0.0; 3]; self.n],
            velocity: vec![[0.0; 3]; self.n],
            acceleration: vec![[0.0; 3]; self.n],
        };
        for (array, words) in &self.arrays {
            let float = |at: usize| f32::from_bits(words[at]);
            let three = |place: usize| std::array::from_fn(|axis| float(4 * place + axis));
            for place in 0..self.n {
                let body = number(place);
                match array.role {
                    Role::Mass => state.mass[body] = float(place),
                    Role::Position(axis) => state.position[body][axis] = float(place),
                    Role::Velocity(axis) => state.velocity[body][axis] = float(place),
                    Role::Acceleration(axis) => state.acceleration[body][axis] = float(place),
                    Role::PositionMass => {
                        state.position[body] = three(place);
                        state.mass[body] = float(4 * place + 3);
                    }
                    Role::Velocities => state.velocity[body] = three(place),
                    Role::Accelerations => state.acceleration[body] = three(place),
                    Role::Order | Role::Sorted | Role::Zero | Role::Scratch | Role::Exchanged => {
                        break;
                    }
                }
            }
        }
        state
    }
}

/// Fills memory with what is no number and no index; the simulator takes it for memory that nobody has written.
fn poison(device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
    device.fill(buffer, POISON)?;
    device.forget(buffer, 0, buffer.bytes())
}

fn fours(of: &[Vec<f32>; 3], last: impl Fn(usize) -> f32 + Sync) -> Vec<f32> {
    let [x, y, z] = of;
    let all: Vec<[f32; 4]> =
        (0..x.len()).into_par_iter().map(|i| [x[i], y[i], z[i], last(i)]).collect();
    all.into_flattened()
}
