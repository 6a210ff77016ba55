//! When the work of several streams would begin and end on a GPU.
//!
//! A stream does its work in order. Copies over the bus use one engine in each direction, which does one copy at a time.
//! Launches of several streams overlap while their blocks fit on the GPU together: each has as large a share of it as its
//! grid has of the blocks that may be resident. A launch that fills the GPU thus runs alone. Overlapping work does not slow
//! each other down: the model shares no bandwidth among them.

use std::collections::BTreeMap;

/// What does work.
#[derive(Debug, Clone, Copy)]
pub(super) enum Engine {
    Multiprocessors,
    ToDevice,
    ToHost,
}

/// A time when an engine is busy, and with what part of it.
#[derive(Debug)]
struct Busy {
    begin: f64,
    end: f64,
    share: f64,
}

/// A place on a timeline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    /// When the timeline began, in seconds since the device was opened.
    base: f64,
    at: f64,
}

impl Mark {
    /// Seconds until a later mark.
    pub(super) fn until(self, later: Mark) -> f64 {
        if self.base == later.base {
            later.at - self.at
        } else {
            later.base + later.at - (self.base + self.at)
        }
    }
}

/// The work so far, in seconds since the timeline began.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    base: f64,
    /// The host has waited until then.
    now: f64,
    /// When the work of the default stream ends.
    default: f64,
    /// When that of each other stream ends.
    streams: BTreeMap<u64, f64>,
    engines: [Vec<Busy>; 3],
}

impl Timeline {
    /// Begins again, with nothing to do.
    pub(super) fn restart(&mut self) {
        *self = Timeline { base: self.base + self.end(), ..Timeline::default() };
    }

    /// When all work ends.
    pub(super) fn end(&self) -> f64 {
        self.streams.values().copied().fold(self.now.max(self.default), f64::max)
    }

    /// Adds work of so many seconds that takes a share of an engine; no stream: the default one.
    pub(super) fn add(&mut self, stream: Option<u64>, engine: Engine, seconds: f64, share: f64) {
        let Some(stream) = stream else {
            // It waits for all work, and all later work waits for it: no engine is busy after its end.
            self.default = self.end() + seconds;
            self.engines.iter_mut().for_each(Vec::clear);
            return;
        };
        let ready = self.ready(stream);
        let engine = &mut self.engines[engine as usize];
        let begin = earliest(engine, ready, seconds, share);
        engine.push(Busy { begin, end: begin + seconds, share });
        self.streams.insert(stream, begin + seconds);
    }

    /// The end of a stream's work so far.
    pub(super) fn mark(&self, stream: u64) -> Mark {
        Mark { base: self.base, at: self.ready(stream) }
    }

    /// Lets a stream wait until a mark.
    pub(super) fn wait(&mut self, stream: u64, mark: Mark) {
        if mark.base == self.base {
            let until = self.ready(stream).max(mark.at);
            self.streams.insert(stream, until);
        }
    }

    /// Lets the host wait: for a mark, or for all work.
    pub(super) fn synchronize(&mut self, mark: Option<Mark>) {
        self.now = match mark {
            None => self.end(),
            Some(mark) if mark.base == self.base => self.now.max(mark.at),
            Some(_) => self.now,
        };
        let now = self.now;
        self.engines.iter_mut().for_each(|engine| engine.retain(|busy| busy.end > now));
    }

    fn ready(&self, stream: u64) -> f64 {
        let own = self.streams.get(&stream).copied().unwrap_or_default();
        own.max(self.now).max(self.default)
    }
}

/// When an engine first has such a share free for so long.
fn earliest(engine: &[Busy], ready: f64, seconds: f64, share: f64) -> f64 {
    let mut begins: Vec<f64> =
        engine.iter().map(|busy| busy.end).filter(|end| *end > ready).collect();
    begins.push(ready);
    begins.sort_by(f64::total_cmp);
    let in_use = |at: f64| -> f64 {
        let busy = engine.iter().filter(|busy| busy.begin <= at && at < busy.end);
        busy.map(|busy| busy.share).sum()
    };
    let fits = |begin: f64| {
        let changes = engine.iter().map(|busy| busy.begin);
        let during = changes.filter(|at| begin < *at && *at < begin + seconds);
        during.chain([begin]).all(|at| in_use(at) + share <= 1.0 + 1e-9)
    };
    begins.into_iter().find(|begin| fits(*begin)).unwrap_or(ready)
}
