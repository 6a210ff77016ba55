//! A GPU as the host sees it, for exercises on host code: memory, streams, events, copies and launches that go on by
//! themselves. It computes at once, and knows what a real one would leave to chance: which work is ordered, what the host may
//! read, and how long all of it takes. Time is modelled, so that it is the same on every machine.
#![allow(dead_code)]

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use crate::meter::Check;
use crate::streams::{Engine, Order, Touch};

/// Threads that a block has at the most.
pub const MOST_THREADS: u32 = 1024;

/// What a copy takes besides its elements, and how many of these it moves in a nanosecond (24 GB/s).
const COPYING: u64 = 8_000;
const ELEMENTS_COPIED: u64 = 6;
/// What a launch takes besides its elements.
const LAUNCHING: u64 = 4_000;

/// Why the GPU does not do what it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// There is no room for so many elements.
    OutOfMemory,
    /// Elements that a copy names are not there.
    InvalidValue,
    /// A grid without blocks, or a block of 0 or more than [`MOST_THREADS`] threads.
    InvalidConfiguration,
    /// A kernel that ran before went past the end of its data. Whoever waits next gets to know it.
    IllegalAddress,
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "{self:?}")
    }
}

impl std::error::Error for Error {}

/// A queue of work: each piece begins when the one before it has ended. Other streams know nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream(usize);

/// A mark in a stream, for which others can wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event(usize);

/// An array of f32 in the GPU's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffer {
    memory: usize,
    len: usize,
}

/// An array of f32 in page-locked memory of the host: copies from and to it go on while the host does other things.
#[derive(Clone)]
pub struct HostArray {
    gpu: Gpu,
    memory: usize,
    len: usize,
}

/// A kernel: thread i computes element i of its range.
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    name: &'static str,
    /// What an element takes, in nanoseconds for 64 of them.
    cost: u64,
    function: fn(f32) -> f32,
}

impl Kernel {
    /// A kernel by its name, the time for 64 elements in nanoseconds, and what it makes of a number.
    pub fn new(name: &'static str, cost: u64, function: fn(f32) -> f32) -> Kernel {
        Kernel { name, cost, function }
    }
}

#[derive(Default)]
struct State {
    memories: Vec<(&'static str, Vec<f32>)>,
    room: usize,
    order: Order,
    failed: Option<Error>,
}

/// The GPU.
#[derive(Clone)]
pub struct Gpu {
    state: Rc<RefCell<State>>,
    computed: Rc<Cell<u64>>,
    synchronized: Rc<Cell<u64>>,
}

impl Gpu {
    /// One with room for so many elements.
    pub fn new(room: usize) -> Gpu {
        let state = State { room, ..State::default() };
        Gpu {
            state: Rc::new(RefCell::new(state)),
            computed: Rc::default(),
            synchronized: Rc::default(),
        }
    }

    /// An array of the host with these values. Messages name it.
    pub fn host(&self, name: &'static str, values: Vec<f32>) -> HostArray {
        let len = values.len();
        HostArray { gpu: self.clone(), memory: self.add(name, values), len }
    }

    fn add(&self, name: &'static str, values: Vec<f32>) -> usize {
        let mut state = self.state.borrow_mut();
        state.memories.push((name, values));
        state.memories.len() - 1
    }

    /// An array in the GPU's memory. Nobody knows what is in it.
    ///
    /// # Errors
    /// There is no room: [`Error::OutOfMemory`].
    pub fn alloc(&self, len: usize) -> Result<Buffer, Error> {
        let room = self.state.borrow().room;
        self.state.borrow_mut().room = room.checked_sub(len).ok_or(Error::OutOfMemory)?;
        Ok(Buffer { memory: self.add("the GPU's memory", vec![f32::NAN; len]), len })
    }

    /// Gives an array's room back.
    pub fn free(&self, buffer: Buffer) {
        self.state.borrow_mut().room += buffer.len;
    }

    /// A new stream.
    pub fn stream(&self) -> Stream {
        Stream(self.state.borrow_mut().order.stream())
    }

    /// A new event.
    pub fn event(&self) -> Event {
        Event(self.state.borrow_mut().order.event())
    }

    /// Copies elements of the host's array to the GPU's, from element `from` of the one to element `to` of the other, and does
    /// not wait for the end.
    ///
    /// # Errors
    /// They are not all there: [`Error::InvalidValue`].
    pub fn copy_in(
        &self,
        (array, from): (&HostArray, usize),
        (buffer, to): (Buffer, usize),
        count: usize,
        stream: Stream,
    ) -> Result<(), Error> {
        self.copy(
            Engine::In,
            (array.memory, from, array.len),
            (buffer.memory, to, buffer.len),
            count,
            stream,
        )
    }

    /// Copies elements of the GPU's array to the host's, and does not wait for the end.
    ///
    /// # Errors
    /// They are not all there: [`Error::InvalidValue`].
    pub fn copy_out(
        &self,
        (buffer, from): (Buffer, usize),
        (array, to): (&HostArray, usize),
        count: usize,
        stream: Stream,
    ) -> Result<(), Error> {
        self.copy(
            Engine::Out,
            (buffer.memory, from, buffer.len),
            (array.memory, to, array.len),
            count,
            stream,
        )
    }

    fn copy(
        &self,
        engine: Engine,
        (source, from, has): (usize, usize, usize),
        (target, to, takes): (usize, usize, usize),
        count: usize,
        stream: Stream,
    ) -> Result<(), Error> {
        let is_within = |first: usize, len| first.checked_add(count).is_some_and(|end| end <= len);
        if !is_within(from, has) || !is_within(to, takes) {
            return Err(Error::InvalidValue);
        }
        let touches = vec![
            Touch { memory: source, range: from..from + count, writes: false },
            Touch { memory: target, range: to..to + count, writes: true },
        ];
        let name = match engine {
            Engine::In => format!("the copy of {}[{from}..{}]", self.name(source), from + count),
            _ => format!("the copy to {}[{to}..{}]", self.name(target), to + count),
        };
        let State { order, memories, .. } = &mut *self.state.borrow_mut();
        order.ask(engine, COPYING + count as u64 / ELEMENTS_COPIED, name, touches, stream.0);
        let values = memories[source].1[from..from + count].to_vec();
        memories[target].1[to..to + count].copy_from_slice(&values);
        Ok(())
    }

    /// Starts a kernel and does not wait for its end. Thread i of the grid computes element `first + i` of `output` from that
    /// of `input`, as long as i is below `count`.
    ///
    /// # Errors
    /// The grid or the block cannot be: [`Error::InvalidConfiguration`]. What happens while the kernel runs is not known yet:
    /// it is returned by [`Gpu::synchronize`].
    pub fn launch(
        &self,
        kernel: Kernel,
        (grid, block): (u32, u32),
        (input, output): (Buffer, Buffer),
        (first, count): (usize, usize),
        stream: Stream,
    ) -> Result<(), Error> {
        if grid == 0 || block == 0 || block > MOST_THREADS {
            return Err(Error::InvalidConfiguration);
        }
        let threads = u64::from(grid) * u64::from(block);
        let done = threads.min(count as u64) as usize;
        let end = first.saturating_add(done);
        if end > input.len || end > output.len {
            self.state.borrow_mut().failed.get_or_insert(Error::IllegalAddress);
            return Ok(());
        }
        let touches = vec![
            Touch { memory: input.memory, range: first..end, writes: false },
            Touch { memory: output.memory, range: first..end, writes: true },
        ];
        let what = format!("kernel `{}` on elements {first}..{end}", kernel.name);
        let takes = LAUNCHING + done as u64 * kernel.cost / 64;
        let State { order, memories, .. } = &mut *self.state.borrow_mut();
        order.ask(Engine::Compute, takes, what, touches, stream.0);
        for at in first..end {
            memories[output.memory].1[at] = (kernel.function)(memories[input.memory].1[at]);
        }
        self.computed.set(self.computed.get() + done as u64);
        Ok(())
    }

    /// Marks the end of what the stream has been given so far.
    pub fn record(&self, event: Event, stream: Stream) {
        self.state.borrow_mut().order.record(event.0, stream.0);
    }

    /// What the stream is given from now on begins after the event. The host does not wait. An event that was not recorded yet
    /// holds nothing up.
    pub fn wait(&self, stream: Stream, event: Event) {
        self.state.borrow_mut().order.wait(stream.0, event.0);
    }

    /// The host waits until the stream has done all that it was given.
    ///
    /// # Errors
    /// A kernel failed before: [`Error::IllegalAddress`].
    pub fn synchronize(&self, stream: Stream) -> Result<(), Error> {
        self.synchronized.set(self.synchronized.get() + 1);
        let mut state = self.state.borrow_mut();
        state.order.synchronize(stream.0);
        state.failed.map_or(Ok(()), Err)
    }

    fn name(&self, memory: usize) -> &'static str {
        self.state.borrow().memories[memory].0
    }

    /// Counts for the goals: the time until all has ended, what kernels computed, and how often the host waited.
    pub fn count(&self, check: &Check) {
        let state = self.state.borrow();
        check.count("microseconds", state.order.end().div_ceil(1000) as f64);
        check.count("elements computed by kernels", self.computed.get() as f64);
        check.count("waits of the host", self.synchronized.get() as f64);
    }
}

impl HostArray {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Reads an element.
    pub fn get(&self, at: usize) -> f32 {
        self.touch(at, false);
        self.gpu.state.borrow().memories[self.memory].1[at]
    }

    /// Writes an element.
    pub fn set(&self, at: usize, value: f32) {
        self.touch(at, true);
        self.gpu.state.borrow_mut().memories[self.memory].1[at] = value;
    }

    fn touch(&self, at: usize, writes: bool) {
        let State { order, memories, .. } = &mut *self.gpu.state.borrow_mut();
        let touch = Touch { memory: self.memory, range: at..at + 1, writes };
        order.touch(touch, memories[self.memory].0);
    }

    /// Ends the check unless all that was asked for has ended in order, and each element is as expected. `function` says of an
    /// element what it must be.
    pub fn expect(&self, check: &Check, function: impl Fn(usize) -> f32) {
        let got: Vec<f32> = (0..self.len).map(|at| self.get(at)).collect();
        let state = self.gpu.state.borrow();
        if let Some(why) = &state.order.wrong {
            check.wrong(&format!("for n = {}: {why}", check.n));
        }
        let differs = |(at, got): &(usize, f32)| got.to_bits() != function(*at).to_bits();
        if let Some((at, got)) = got.into_iter().enumerate().find(differs) {
            let name = state.memories[self.memory].0;
            let expected = function(at);
            check.wrong(&format!(
                "for n = {}, {name}[{at}] is {got}, and {expected} is right",
                check.n
            ));
        }
    }
}
