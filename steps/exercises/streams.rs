//! In which order a GPU does what its host asks for, and when: streams, events, and who may touch what. Work that nothing orders
//! and that uses the same memory is a race, even where it goes well.

use std::ops::Range;

/// What the host waits for each copy or launch that it asks for, in nanoseconds.
const ASKING: u64 = 2_000;

/// For each stream, how much of its work is known to have ended.
type Clock = Vec<usize>;

fn join(clock: &mut Clock, other: &Clock) {
    clock.resize(clock.len().max(other.len()), 0);
    for (mine, other) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*other);
    }
}

/// Elements that work reads or writes.
#[derive(Debug, Clone)]
pub struct Touch {
    /// The memory's number.
    pub memory: usize,
    /// Which of its elements.
    pub range: Range<usize>,
    /// Whether they change.
    pub writes: bool,
}

impl Touch {
    fn meets(&self, other: &Touch) -> bool {
        self.memory == other.memory
            && (self.writes || other.writes)
            && self.range.start < other.range.end
            && other.range.start < self.range.end
    }
}

/// A copy or a launch.
struct Work {
    what: String,
    stream: usize,
    /// Its place in its stream, from 1.
    place: usize,
    touches: Vec<Touch>,
}

impl Work {
    fn has_ended(&self, known: &Clock) -> bool {
        known.get(self.stream).is_some_and(|&place| place >= self.place)
    }
}

/// The parts of a GPU that work at the same time: two copy engines and the multiprocessors.
#[derive(Clone, Copy)]
pub enum Engine {
    /// Copies to the GPU.
    In,
    /// Runs kernels.
    Compute,
    /// Copies to the host.
    Out,
}

/// What is known at a point of a stream or of the host, and when that is.
#[derive(Default, Clone)]
struct Point {
    known: Clock,
    time: u64,
}

impl Point {
    fn follow(&mut self, other: &Point) {
        join(&mut self.known, &other.known);
        self.time = self.time.max(other.time);
    }
}

/// All that was asked for so far.
#[derive(Default)]
pub struct Order {
    /// The end of each stream, and how much work it was given.
    streams: Vec<(Point, usize)>,
    events: Vec<Option<Point>>,
    host: Point,
    /// When each engine has done what it was given.
    free: [u64; 3],
    work: Vec<Work>,
    /// The first two that were in no order, and the remedy.
    pub wrong: Option<String>,
}

impl Order {
    /// The number of a new stream.
    pub fn stream(&mut self) -> usize {
        self.streams.push((Point::default(), 0));
        self.streams.len() - 1
    }

    /// The number of a new event.
    pub fn event(&mut self) -> usize {
        self.events.push(None);
        self.events.len() - 1
    }

    /// Marks the end of a stream.
    pub fn record(&mut self, event: usize, stream: usize) {
        self.events[event] = Some(self.streams[stream].0.clone());
    }

    /// What the stream is given from now on begins after the event.
    pub fn wait(&mut self, stream: usize, event: usize) {
        if let Some(point) = &self.events[event] {
            self.streams[stream].0.follow(point);
        }
    }

    /// The host waits for the end of a stream.
    pub fn synchronize(&mut self, stream: usize) {
        self.host.follow(&self.streams[stream].0);
    }

    /// A stream is given work, called `what`, that takes so many nanoseconds of an engine.
    pub fn ask(
        &mut self,
        engine: Engine,
        takes: u64,
        what: String,
        touches: Vec<Touch>,
        stream: usize,
    ) {
        self.host.time += ASKING;
        let (point, place) = &mut self.streams[stream];
        *place += 1;
        join(&mut point.known, &self.host.known);
        let meets = |other: &&Work| {
            other.stream != stream
                && !other.has_ended(&point.known)
                && touches.iter().any(|one| other.touches.iter().any(|two| one.meets(two)))
        };
        if let (None, Some(other)) = (&self.wrong, self.work.iter().find(meets)) {
            self.wrong = Some(format!(
                "race: {what} and {} use the same memory in two streams, and nothing orders them\n\
                 = remedy: record an event after the first, and let the other stream wait for it",
                other.what
            ));
        }
        let free = &mut self.free[engine as usize];
        *free = takes + point.time.max(self.host.time).max(*free);
        point.time = *free;
        point.known.resize(point.known.len().max(stream + 1), 0);
        point.known[stream] = *place;
        self.work.push(Work { what, stream, place: *place, touches });
    }

    /// The host itself reads or writes an element of the array called `name`.
    pub fn touch(&mut self, touch: Touch, name: &str) {
        let goes_on = |work: &&Work| {
            !work.has_ended(&self.host.known) && work.touches.iter().any(|other| touch.meets(other))
        };
        if let (None, Some(work)) = (&self.wrong, self.work.iter().find(goes_on)) {
            let does = if touch.writes { "writes" } else { "reads" };
            self.wrong = Some(format!(
                "the host {does} {name}[{}] while {} may still go on\n= remedy: synchronize with its stream before",
                touch.range.start, work.what
            ));
        }
    }

    /// When all has ended, in nanoseconds.
    pub fn end(&self) -> u64 {
        self.streams.iter().map(|(point, _)| point.time).fold(self.host.time, u64::max)
    }
}
