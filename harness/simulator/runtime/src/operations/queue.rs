//! When work is performed: at once, after a launch that waits for the host, or whenever its graph is launched.

use std::time::Duration;

use crate::error::CudaResult;
use crate::state::{CopyEnd, Runtime, Work};

impl Runtime {
    /// Adds work to a stream. If the stream is captured, it becomes a node of the graph.
    pub(crate) fn submit(&mut self, stream: u64, work: Work) -> CudaResult {
        match self.graphs.capture(stream, work) {
            None => Ok(()),
            Some(work) => {
                let stream = self.streams.get(stream)?;
                self.issue(work, stream)
            }
        }
    }

    /// Performs work of a stream, or queues it after a pending launch.
    pub(crate) fn issue(&mut self, work: Work, stream: Option<u64>) -> CudaResult {
        // The program may change pageable memory as soon as the call returns.
        if let Work::Copy { to, from, .. } = &work
            && (self.is_pageable(to) || self.is_pageable(from))
        {
            self.settle()?;
        }
        match &mut self.pending {
            Some(pending) => {
                pending.push(stream, work);
                Ok(())
            }
            None => self.perform(&work, stream),
        }
    }

    fn is_pageable(&self, end: &CopyEnd) -> bool {
        matches!(end, CopyEnd::Rows(rows) if self.simulator.allocation(rows.first.address()).is_none())
    }

    /// Lets the host wait for a pending launch and the work after it.
    pub(crate) fn settle(&mut self) -> CudaResult {
        while let Some(pending) = self.pending.take() {
            let ended = pending.wait()?;
            self.finish(&ended.launch, ended.result)?;
            for (stream, work) in ended.queue {
                self.issue(work, stream)?;
            }
        }
        Ok(())
    }

    /// Whether a launch is pending. Once it has run for as long as a launch may take, the host waits for it.
    pub(crate) fn is_busy(&mut self) -> CudaResult<bool> {
        let limit = self.launch_limit().unwrap_or(Duration::MAX);
        if self.pending.as_ref().is_some_and(|pending| pending.elapsed() > limit) {
            self.settle()?;
        }
        Ok(self.pending.is_some())
    }
}
