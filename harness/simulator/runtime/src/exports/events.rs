//! Streams, events and host functions.

use super::entry::{calls, enter};
use crate::error::{self, CudaResult};
use crate::host::{HostFunction, Out, Pointer};
use crate::state::Runtime;
use crate::state::Work;

/// `cudaStreamCallback_t`
pub(super) type Callback = Option<extern "C" fn(u64, i32, Pointer)>;

/// Lets the host wait for a stream.
fn wait_for(cuda: &mut Runtime, stream: u64) -> CudaResult {
    if cuda.graphs.captures.is_captured(stream) {
        return Err(error::CAPTURE_UNSUPPORTED);
    }
    cuda.streams.wait_for(stream)
}

fn record(cuda: &mut Runtime, event: u64, stream: u64) -> CudaResult {
    cuda.streams.event(event)?;
    if cuda.graphs.captures.mark(event, stream) {
        return Ok(());
    }
    let stream = cuda.streams.get(stream)?;
    cuda.issue(Work::Record(event), stream)
}

calls! {
    cudaStreamCreate(stream: Out<u64>) => |cuda| stream.put(cuda.streams.create());
    cudaStreamCreateWithFlags | cuStreamCreate(stream: Out<u64>, _flags: u32) => |cuda| {
        stream.put(cuda.streams.create())
    };
    cudaStreamCreateWithPriority(stream: Out<u64>, _flags: u32, _priority: i32) => |cuda| {
        stream.put(cuda.streams.create())
    };
    cudaStreamDestroy | cuStreamDestroy_v2(stream: u64) => |cuda| cuda.streams.destroy(stream);
    cudaStreamSynchronize | cudaStreamSynchronize_ptsz | cuStreamSynchronize(stream: u64) => |cuda| {
        wait_for(cuda, stream)
    };
    cudaStreamQuery | cudaStreamQuery_ptsz | cuStreamQuery(stream: u64) => |cuda| match cuda.is_busy()? {
        true => Err(error::NOT_READY),
        false => wait_for(cuda, stream),
    };
    cudaStreamWaitEvent | cudaStreamWaitEvent_ptsz | cuStreamWaitEvent(
        stream: u64, event: u64, _flags: u32,
    ) => |cuda| {
        if cuda.graphs.captures.join(stream, event) { Ok(()) } else { cuda.streams.wait(stream, event) }
    };
    cudaStreamGetFlags | cudaStreamGetFlags_ptsz(stream: u64, flags: Out<u32>) => |cuda| {
        cuda.streams.get(stream)?;
        flags.put(0)
    };
    cudaStreamGetPriority | cudaStreamGetPriority_ptsz(stream: u64, priority: Out<i32>) => |cuda| {
        cuda.streams.get(stream)?;
        priority.put(0)
    };
    cudaStreamGetId | cudaStreamGetId_ptsz(stream: u64, id: Out<u64>) => |cuda| {
        cuda.streams.get(stream)?;
        id.put(stream)
    };
    cudaStreamAttachMemAsync | cudaStreamAttachMemAsync_ptsz(
        stream: u64, _memory: Pointer, _bytes: usize, _flags: u32,
    ) => |cuda| cuda.streams.get(stream).map(|_| ());
    // Hints about data to keep in a cache.
    cudaStreamSetAttribute | cudaStreamSetAttribute_ptsz(
        stream: u64, _attribute: i32, _value: Pointer,
    ) => |cuda| cuda.streams.get(stream).map(|_| ());
    cudaCtxResetPersistingL2Cache() => |_| Ok(());
    cudaDeviceGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) => |_| {
        least.put_if_wanted(0)?;
        greatest.put_if_wanted(-5)
    };

    cudaEventCreate(event: Out<u64>) => |cuda| event.put(cuda.streams.create_event());
    cudaEventCreateWithFlags | cuEventCreate(event: Out<u64>, _flags: u32) => |cuda| {
        event.put(cuda.streams.create_event())
    };
    cudaEventDestroy | cuEventDestroy_v2(event: u64) => |cuda| cuda.streams.destroy_event(event);
    cudaEventRecord | cudaEventRecord_ptsz | cuEventRecord(event: u64, stream: u64) => |cuda| {
        record(cuda, event, stream)
    };
    cudaEventRecordWithFlags | cudaEventRecordWithFlags_ptsz(
        event: u64, stream: u64, _flags: u32,
    ) => |cuda| record(cuda, event, stream);
    // Without a pending launch all work has been done.
    cudaEventQuery | cuEventQuery(event: u64) => |cuda| match cuda.is_busy()? {
        true => Err(error::NOT_READY),
        false => cuda.streams.wait_for_event(event),
    };
    cudaEventSynchronize | cuEventSynchronize(event: u64) => |cuda| cuda.streams.wait_for_event(event);
    cudaEventElapsedTime | cudaEventElapsedTime_v2 | cuEventElapsedTime | cuEventElapsedTime_v2(
        milliseconds: Out<f32>, from: u64, to: u64,
    ) => |cuda| milliseconds.put((cuda.streams.elapsed(from, to)? * 1e3) as f32);
}

// Functions of the program may call the runtime, so they run with the runtime unlocked.

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn cudaLaunchHostFunc(
    stream: u64,
    function: Option<HostFunction>,
    data: Pointer,
) -> i32 {
    let mut now = None;
    let code = enter("cudaLaunchHostFunc", |cuda| {
        let work = Work::Host { function: function.ok_or(error::INVALID_VALUE)?, data };
        now = cuda.graphs.capture(stream, work);
        if now.is_none() { Ok(()) } else { cuda.streams.get(stream).map(|_| ()) }
    });
    if let (0, Some(_), Some(function)) = (code, now, function) {
        function(data);
    }
    code
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn cudaStreamAddCallback(
    stream: u64,
    function: Callback,
    data: Pointer,
    _flags: u32,
) -> i32 {
    let code = enter("cudaStreamAddCallback", |cuda| {
        function.ok_or(error::INVALID_VALUE)?;
        cuda.streams.get(stream).map(|_| ())
    });
    if let (0, Some(function)) = (code, function) {
        function(stream, 0, data);
    }
    code
}
