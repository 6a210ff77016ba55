//! Streams whose work becomes nodes of a graph.

use std::collections::BTreeSet;

use super::entry::calls;
use super::nodes::set_of;
use crate::error::{self, CudaResult};
use crate::host::{In, Out};
use crate::state::Runtime;

/// `cudaStreamSetCaptureDependencies`
const SET: u32 = 1;

/// Where a program wants the properties of a capture: its number, its graph, the nodes that the stream's next work depends
/// on, the data of the edges from these, and their number.
type Places = (Out<u64>, Out<u64>, Out<u64>, Out<u64>, Out<usize>);

/// Whether a stream is captured, and the properties of its capture.
fn capture_info(cuda: &mut Runtime, stream: u64, status: Out<i32>, places: Places) -> CudaResult {
    cuda.streams.get(stream)?;
    let found = cuda.graphs.captures.info(stream);
    status.put(found.is_some().into())?;
    let Some(found) = found else { return Ok(()) };
    let (id, graph, nodes, edges, count) = places;
    id.put_if_wanted(found.id)?;
    graph.put_if_wanted(found.graph)?;
    nodes.put_if_wanted(found.nodes)?;
    edges.put_if_wanted(found.edges)?;
    count.put_if_wanted(found.count)
}

/// Changes what the next work of a captured stream depends on.
fn update(cuda: &mut Runtime, stream: u64, nodes: BTreeSet<u64>, flags: u32) -> CudaResult {
    cuda.streams.get(stream)?;
    match flags {
        0 | SET => cuda.graphs.set_dependencies(stream, nodes, flags == SET),
        _ => Err(error::INVALID_VALUE),
    }
}

calls! {
    cudaStreamBeginCapture | cudaStreamBeginCapture_ptsz(stream: u64, _mode: i32) => |cuda| {
        // The default stream cannot be captured.
        cuda.streams.get(stream)?.ok_or(error::CAPTURE_UNSUPPORTED)?;
        cuda.graphs.begin_capture(stream)
    };
    cudaStreamBeginCaptureToGraph | cudaStreamBeginCaptureToGraph_ptsz(
        stream: u64, graph: u64, after: In<u64>, _edges: u64, count: usize, _mode: i32,
    ) => |cuda| {
        cuda.streams.get(stream)?.ok_or(error::CAPTURE_UNSUPPORTED)?;
        cuda.graphs.begin_capture_in(stream, graph, set_of(after, count)?)
    };
    cudaStreamEndCapture | cudaStreamEndCapture_ptsz(stream: u64, graph: Out<u64>) => |cuda| {
        // Whoever captures into an existing graph has its handle already.
        graph.put_if_wanted(cuda.graphs.end_capture(stream)?)
    };
    cudaStreamIsCapturing | cudaStreamIsCapturing_ptsz(stream: u64, status: Out<i32>) => |cuda| {
        cuda.streams.get(stream)?;
        status.put(cuda.graphs.captures.is_captured(stream).into())
    };
    cudaStreamGetCaptureInfo | cudaStreamGetCaptureInfo_ptsz(
        stream: u64, status: Out<i32>, id: Out<u64>, graph: Out<u64>, nodes: Out<u64>,
        edges: Out<u64>, count: Out<usize>,
    ) => |cuda| {
        // Before release 13 the number is the last parameter.
        if cuda.config.release < 13 {
            let none = Out::null();
            return capture_info(cuda, stream, status, (id, none, none, none, Out::null()));
        }
        capture_info(cuda, stream, status, (id, graph, nodes, edges, count))
    };
    cudaStreamGetCaptureInfo_v2 | cudaStreamGetCaptureInfo_v2_ptsz(
        stream: u64, status: Out<i32>, id: Out<u64>, graph: Out<u64>, nodes: Out<u64>,
        count: Out<usize>,
    ) => |cuda| capture_info(cuda, stream, status, (id, graph, nodes, Out::null(), count));
    cudaStreamGetCaptureInfo_v3 | cudaStreamGetCaptureInfo_v3_ptsz(
        stream: u64, status: Out<i32>, id: Out<u64>, graph: Out<u64>, nodes: Out<u64>,
        edges: Out<u64>, count: Out<usize>,
    ) => |cuda| capture_info(cuda, stream, status, (id, graph, nodes, edges, count));
    cudaStreamUpdateCaptureDependencies | cudaStreamUpdateCaptureDependencies_ptsz(
        stream: u64, nodes: In<u64>, third: u64, fourth: u64, fifth: u32,
    ) => |cuda| {
        // Since release 13 the data of the edges precedes their number.
        let (count, flags) = match cuda.config.release >= 13 {
            true => (fourth, fifth),
            false => (third, fourth as u32),
        };
        update(cuda, stream, set_of(nodes, count as usize)?, flags)
    };
    cudaStreamUpdateCaptureDependencies_v2 | cudaStreamUpdateCaptureDependencies_v2_ptsz(
        stream: u64, nodes: In<u64>, _edges: u64, count: usize, flags: u32,
    ) => |cuda| update(cuda, stream, set_of(nodes, count)?, flags);
    cudaThreadExchangeStreamCaptureMode(_mode: Out<i32>) => |_| Ok(());
}
