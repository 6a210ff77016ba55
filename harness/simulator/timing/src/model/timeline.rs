//! When the work of several streams would begin and end on a GPU.
//!
//! A stream does its work in order. Copies over the bus use one engine in each direction, which does one copy at a time.
//! Launches of several streams overlap while their blocks fit on the GPU together: each has as large a share of it as its
//! grid has of the blocks that may be resident. A launch that fills the GPU thus runs alone. Overlapping work does not slow
//! each other down: the model shares no bandwidth among them.

use std::collections::BTreeMap;

/// What does work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// What runs kernels, and copies inside the device.
    Multiprocessors,
    /// Copies from the host.
    ToDevice,
    /// Copies to the host.
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
pub struct Mark {
    /// When the timeline began, in seconds since the device was opened.
    base: f64,
    at: f64,
}

impl Mark {
    /// Seconds until a later mark.
    pub fn until(self, later: Mark) -> f64 {
        if self.base == later.base {
            later.at - self.at
        } else {
            later.base + later.at - (self.base + self.at)
        }
    }
}

/// A copy or a launch, and when it begins and ends, in seconds since the timeline began.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its stream; none: the default one.
    pub stream: Option<u64>,
    /// What does it.
    pub engine: Engine,
    /// When it begins, s.
    pub begin: f64,
    /// When it ends, s.
    pub end: f64,
}

/// The work so far, in seconds since the timeline began.
#[derive(Debug, Default)]
pub struct Timeline {
    base: f64,
    /// The host has waited until then.
    now: f64,
    /// When the work of the default stream ends.
    default: f64,
    /// When that of each other stream ends.
    streams: BTreeMap<u64, f64>,
    engines: [Vec<Busy>; 3],
    /// All operations since the timeline began, for whoever asked for them.
    kept: Option<Vec<Operation>>,
}

impl Timeline {
    /// Begins again, with nothing to do.
    pub fn restart(&mut self) {
        let kept = self.kept.as_ref().map(|_| Vec::new());
        *self = Timeline { base: self.base + self.end(), kept, ..Timeline::default() };
    }

    /// Keeps operations from now on.
    pub fn keep(&mut self) {
        self.kept.get_or_insert_default();
    }

    /// What was kept since the timeline began, in the order in which it was added.
    pub fn operations(&self) -> &[Operation] {
        self.kept.as_deref().unwrap_or_default()
    }

    /// When all work ends.
    pub fn end(&self) -> f64 {
        self.streams.values().copied().fold(self.now.max(self.default), f64::max)
    }

    /// Adds work of so many seconds that takes a share of an engine; no stream: the default one.
    pub fn add(&mut self, stream: Option<u64>, engine: Engine, seconds: f64, share: f64) {
        let Some(own) = stream else {
            // It waits for all work, and all later work waits for it: no engine is busy after its end.
            let begin = self.end();
            self.default = begin + seconds;
            self.engines.iter_mut().for_each(Vec::clear);
            return self.note(Operation { stream, engine, begin, end: begin + seconds });
        };
        let ready = self.ready(own);
        let busy = &mut self.engines[engine as usize];
        let begin = earliest(busy, ready, seconds, share);
        let end = begin + seconds;
        busy.push(Busy { begin, end, share });
        self.streams.insert(own, end);
        self.note(Operation { stream, engine, begin, end });
    }

    fn note(&mut self, operation: Operation) {
        if let Some(kept) = &mut self.kept {
            kept.push(operation);
        }
    }

    /// The end of a stream's work so far.
    pub fn mark(&self, stream: u64) -> Mark {
        Mark { base: self.base, at: self.ready(stream) }
    }

    /// The end of all work so far.
    pub fn mark_all(&self) -> Mark {
        Mark { base: self.base, at: self.end() }
    }

    /// Lets a stream wait until a mark.
    pub fn wait(&mut self, stream: u64, mark: Mark) {
        if mark.base == self.base {
            let until = self.ready(stream).max(mark.at);
            self.streams.insert(stream, until);
        }
    }

    /// Lets the host wait: for a mark, or for all work.
    pub fn synchronize(&mut self, mark: Option<Mark>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    const IN: Engine = Engine::ToDevice;
    const OUT: Engine = Engine::ToHost;
    const RUN: Engine = Engine::Multiprocessors;

    fn after(work: &[(Option<u64>, Engine, f64, f64)]) -> Timeline {
        let mut timeline = Timeline::default();
        for &(stream, engine, seconds, share) in work {
            timeline.add(stream, engine, seconds, share);
        }
        timeline
    }

    #[test]
    fn one_stream_does_its_work_in_order_and_two_overlap() {
        let chunk = |stream| {
            [(IN, 2.0), (RUN, 1.0), (OUT, 2.0)]
                .map(|(engine, seconds)| (stream, engine, seconds, 1.0))
        };
        assert_eq!(after(&[chunk(Some(1)), chunk(Some(1))].concat()).end(), 10.0);
        // The second copy in begins with the launch of the first chunk, the second copy out after the first.
        assert_eq!(after(&[chunk(Some(1)), chunk(Some(2))].concat()).end(), 7.0);
        let mut kept = Timeline::default();
        kept.keep();
        [chunk(Some(1)), chunk(Some(2))]
            .concat()
            .into_iter()
            .for_each(|it| kept.add(it.0, it.1, it.2, it.3));
        let begins: Vec<f64> = kept.operations().iter().map(|it| it.begin).collect();
        assert_eq!(begins, [0.0, 2.0, 3.0, 2.0, 4.0, 5.0]);
        assert_eq!(after(&[chunk(Some(1)), chunk(None)].concat()).end(), 10.0);
    }

    #[test]
    fn small_launches_run_together_and_full_ones_alone() {
        let launch = |stream, share| (Some(stream), RUN, 1.0, share);
        assert_eq!(after(&[launch(1, 0.5), launch(2, 0.5), launch(3, 0.5)]).end(), 2.0);
        assert_eq!(after(&[launch(1, 1.0), launch(2, 0.1)]).end(), 2.0);
        assert_eq!(after(&[launch(1, 0.5), launch(1, 0.5)]).end(), 2.0);
    }

    #[test]
    fn work_begins_in_a_gap_that_is_long_enough() {
        let mut timeline = after(&[(Some(1), IN, 3.0, 1.0)]);
        timeline.wait(2, timeline.mark(1));
        timeline.add(Some(2), OUT, 1.0, 1.0);
        timeline.add(Some(3), OUT, 3.0, 1.0);
        assert_eq!(timeline.end(), 4.0);
        timeline.add(Some(4), OUT, 1.0, 1.0);
        assert_eq!(timeline.mark(4).at, 5.0);
    }

    #[test]
    fn marks_of_an_older_timeline_have_passed_and_can_be_measured_from() {
        let mut timeline = after(&[(Some(1), RUN, 3.0, 1.0)]);
        let (start, old) = (Mark { base: 0.0, at: 1.0 }, timeline.mark(1));
        timeline.restart();
        assert_eq!(timeline.end(), 0.0);
        timeline.wait(2, old);
        timeline.synchronize(Some(old));
        timeline.add(Some(2), RUN, 2.0, 1.0);
        assert_eq!(start.until(timeline.mark(2)), 4.0);
        assert_eq!(start.until(old), 2.0);
        timeline.synchronize(None);
        timeline.add(Some(3), OUT, 1.0, 1.0);
        assert_eq!(timeline.end(), 3.0);
    }
}
