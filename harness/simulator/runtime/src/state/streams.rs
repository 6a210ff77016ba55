//! Streams and events. Work is performed in the order of its calls. A timeline models when it would run on the GPU.

use std::collections::{BTreeMap, BTreeSet};

use simt::model::{Engine, Mark, Timeline};

use crate::error::{self, CudaResult};

/// Handles below this mean the default stream: 0, `cudaStreamLegacy` and `cudaStreamPerThread`.
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

    /// Creates a stream.
    pub(crate) fn create(&mut self) -> u64 {
        let handle = self.handle();
        self.streams.insert(handle);
        handle
    }

    /// Destroys a stream.
    pub(crate) fn destroy(&mut self, stream: u64) -> CudaResult {
        self.streams.remove(&stream).then_some(()).ok_or(error::INVALID_HANDLE)
    }

    /// The stream of a handle, as the timeline has it. The default stream is `None`.
    pub(crate) fn get(&self, stream: u64) -> CudaResult<Option<u64>> {
        match stream {
            handle if handle < FIRST_HANDLE => Ok(None),
            handle if self.streams.contains(&handle) => Ok(Some(handle)),
            _ => Err(error::INVALID_HANDLE),
        }
    }

    /// Adds modelled work of some seconds, which takes a share of the engine from 0 to 1.
    pub(crate) fn add(&mut self, stream: Option<u64>, engine: Engine, seconds: f64, share: f64) {
        self.timeline.add(stream, engine, seconds, share);
    }

    /// Lets the host wait for all work.
    pub(crate) fn synchronize(&mut self) {
        self.timeline.synchronize(None);
    }

    /// Lets the host wait for a stream.
    pub(crate) fn wait_for(&mut self, stream: u64) -> CudaResult {
        let mark = self.mark(stream)?;
        self.timeline.synchronize(Some(mark));
        Ok(())
    }

    /// The end of a stream's work so far. For the default stream that is the end of all work.
    fn mark(&self, stream: u64) -> CudaResult<Mark> {
        Ok(match self.get(stream)? {
            Some(stream) => self.timeline.mark(stream),
            None => self.timeline.mark_all(),
        })
    }

    /// Creates an event.
    pub(crate) fn create_event(&mut self) -> u64 {
        let handle = self.handle();
        self.events.insert(handle, None);
        handle
    }

    /// Destroys an event.
    pub(crate) fn destroy_event(&mut self, event: u64) -> CudaResult {
        self.events.remove(&event).map(|_| ()).ok_or(error::INVALID_HANDLE)
    }

    /// Records an event at the end of a stream's work so far.
    pub(crate) fn record(&mut self, event: u64, stream: u64) -> CudaResult {
        let mark = self.mark(stream)?;
        *self.events.get_mut(&event).ok_or(error::INVALID_HANDLE)? = Some(mark);
        Ok(())
    }

    /// When an event was recorded, if it was.
    pub(crate) fn event(&self, event: u64) -> CudaResult<Option<Mark>> {
        self.events.get(&event).copied().ok_or(error::INVALID_HANDLE)
    }

    /// Lets a stream wait for an event.
    pub(crate) fn wait(&mut self, stream: u64, event: u64) -> CudaResult {
        if let (Some(stream), Some(mark)) = (self.get(stream)?, self.event(event)?) {
            self.timeline.wait(stream, mark);
        }
        Ok(())
    }

    /// Lets the host wait for an event.
    pub(crate) fn wait_for_event(&mut self, event: u64) -> CudaResult {
        if let Some(mark) = self.event(event)? {
            self.timeline.synchronize(Some(mark));
        }
        Ok(())
    }

    /// Seconds from one event to another.
    pub(crate) fn elapsed(&self, from: u64, to: u64) -> CudaResult<f64> {
        match (self.event(from)?, self.event(to)?) {
            (Some(from), Some(to)) => Ok(from.until(to)),
            _ => Err(error::INVALID_HANDLE),
        }
    }
}
