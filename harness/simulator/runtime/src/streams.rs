//! Streams and events. Work is done when it is asked for, so that all of it is in order; when it would be done on the modelled
//! GPU, the timeline knows.

use std::collections::{BTreeMap, BTreeSet};

use simt::model::{Engine, Mark, Timeline};

use crate::code::{self, Done};

/// Handles below this are the default stream's: 0, `cudaStreamLegacy` and `cudaStreamPerThread`.
const FIRST_HANDLE: u64 = 16;

/// The program's streams and events.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    timeline: Timeline,
    made: u64,
    streams: BTreeSet<u64>,
    events: BTreeMap<u64, Option<Mark>>,
}

impl Streams {
    fn handle(&mut self) -> u64 {
        self.made += 1;
        FIRST_HANDLE + self.made
    }

    /// Makes a stream.
    pub(crate) fn create(&mut self) -> u64 {
        let handle = self.handle();
        self.streams.insert(handle);
        handle
    }

    /// Ends a stream.
    pub(crate) fn destroy(&mut self, stream: u64) -> Done {
        self.streams.remove(&stream).then_some(()).ok_or(code::INVALID_HANDLE)
    }

    /// The stream of a handle as the timeline knows it: none is the default one.
    pub(crate) fn get(&self, stream: u64) -> Done<Option<u64>> {
        match stream {
            handle if handle < FIRST_HANDLE => Ok(None),
            handle if self.streams.contains(&handle) => Ok(Some(handle)),
            _ => Err(code::INVALID_HANDLE),
        }
    }

    /// Adds modelled work.
    pub(crate) fn add(&mut self, stream: Option<u64>, engine: Engine, seconds: f64, share: f64) {
        self.timeline.add(stream, engine, seconds, share);
    }

    /// Lets the host wait for all work.
    pub(crate) fn synchronize(&mut self) {
        self.timeline.synchronize(None);
    }

    /// Lets the host wait for a stream.
    pub(crate) fn wait_for(&mut self, stream: u64) -> Done {
        let mark = self.mark(stream)?;
        self.timeline.synchronize(Some(mark));
        Ok(())
    }

    /// The end of a stream's work so far; of the default stream, that of all work.
    fn mark(&self, stream: u64) -> Done<Mark> {
        Ok(match self.get(stream)? {
            Some(stream) => self.timeline.mark(stream),
            None => self.timeline.mark_all(),
        })
    }

    /// Makes an event.
    pub(crate) fn create_event(&mut self) -> u64 {
        let handle = self.handle();
        self.events.insert(handle, None);
        handle
    }

    /// Ends an event.
    pub(crate) fn destroy_event(&mut self, event: u64) -> Done {
        self.events.remove(&event).map(|_| ()).ok_or(code::INVALID_HANDLE)
    }

    /// Lets an event mark the end of a stream's work so far.
    pub(crate) fn record(&mut self, event: u64, stream: u64) -> Done {
        let mark = self.mark(stream)?;
        *self.events.get_mut(&event).ok_or(code::INVALID_HANDLE)? = Some(mark);
        Ok(())
    }

    /// What an event marks.
    pub(crate) fn event(&self, event: u64) -> Done<Option<Mark>> {
        self.events.get(&event).copied().ok_or(code::INVALID_HANDLE)
    }

    /// Lets a stream wait for an event.
    pub(crate) fn wait(&mut self, stream: u64, event: u64) -> Done {
        if let (Some(stream), Some(mark)) = (self.get(stream)?, self.event(event)?) {
            self.timeline.wait(stream, mark);
        }
        Ok(())
    }

    /// Lets the host wait for an event.
    pub(crate) fn wait_for_event(&mut self, event: u64) -> Done {
        if let Some(mark) = self.event(event)? {
            self.timeline.synchronize(Some(mark));
        }
        Ok(())
    }

    /// Seconds from one event to another.
    pub(crate) fn elapsed(&self, from: u64, to: u64) -> Done<f64> {
        match (self.event(from)?, self.event(to)?) {
            (Some(from), Some(to)) => Ok(from.until(to)),
            _ => Err(code::INVALID_HANDLE),
        }
    }
}
