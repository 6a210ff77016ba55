//! Streams whose work becomes nodes of a graph.

use std::collections::BTreeSet;

use super::calls;
use super::nodes::set_of;
use super::pointer::{In, Out};
use crate::code::{self, Done};
use crate::runtime::Runtime;

/// `cudaStreamSetCaptureDependencies`
const SET: u32 = 1;

/// Where a program wants what it asks about a capture: its number, its graph, the nodes that the stream's next work comes
/// after, the data of the edges from these, and their number.
type Wanted = (Out<u64>, Out<u64>, Out<u64>, Out<u64>, Out<usize>);

/// Says whether a stream is captured, and what into.
fn look(cuda: &mut Runtime, stream: u64, status: Out<i32>, wanted: Wanted) -> Done {
    cuda.streams.get(stream)?;
    let found = cuda.graphs.look(stream);
    status.put(found.is_some().into())?;
    let Some(found) = found else { return Ok(()) };
    let (id, graph, nodes, edges, count) = wanted;
    id.put_if_wanted(found.id)?;
    graph.put_if_wanted(found.graph)?;
    nodes.put_if_wanted(found.last.0)?;
    edges.put_if_wanted(found.last.1)?;
    count.put_if_wanted(found.last.2)
}

fn update(cuda: &mut Runtime, stream: u64, nodes: BTreeSet<u64>, flags: u32) -> Done {
    cuda.streams.get(stream)?;
    match flags {
        0 | SET => cuda.graphs.come_after(stream, nodes, flags == SET),
        _ => Err(code::INVALID_VALUE),
    }
}

calls! {
    cudaStreamBeginCapture | cudaStreamBeginCapture_ptsz(stream: u64, _mode: i32) => |cuda| {
        // The default stream cannot be captured.
        cuda.streams.get(stream)?.ok_or(code::CAPTURE_UNSUPPORTED)?;
        cuda.graphs.begin(stream)
    };
    cudaStreamBeginCaptureToGraph | cudaStreamBeginCaptureToGraph_ptsz(
        stream: u64, graph: u64, after: In<u64>, _edges: u64, count: usize, _mode: i32,
    ) => |cuda| {
        cuda.streams.get(stream)?.ok_or(code::CAPTURE_UNSUPPORTED)?;
        cuda.graphs.begin_in(stream, graph, set_of(after, count)?)
    };
    cudaStreamEndCapture | cudaStreamEndCapture_ptsz(stream: u64, graph: Out<u64>) => |cuda| {
        // Who captures into a graph has its handle.
        graph.put_if_wanted(cuda.graphs.end(stream)?)
    };
    cudaStreamIsCapturing | cudaStreamIsCapturing_ptsz(stream: u64, status: Out<i32>) => |cuda| {
        cuda.streams.get(stream)?;
        status.put(cuda.graphs.is_captured(stream).into())
    };
    cudaStreamGetCaptureInfo | cudaStreamGetCaptureInfo_ptsz(
        stream: u64, status: Out<i32>, id: Out<u64>, graph: Out<u64>, nodes: Out<u64>,
        edges: Out<u64>, count: Out<usize>,
    ) => |cuda| {
        // Before release 13 there is nothing after the number.
        if cuda.config.release < 13 {
            let none = Out::null();
            return look(cuda, stream, status, (id, none, none, none, Out::null()));
        }
        look(cuda, stream, status, (id, graph, nodes, edges, count))
    };
    cudaStreamGetCaptureInfo_v2 | cudaStreamGetCaptureInfo_v2_ptsz(
        stream: u64, status: Out<i32>, id: Out<u64>, graph: Out<u64>, nodes: Out<u64>,
        count: Out<usize>,
    ) => |cuda| look(cuda, stream, status, (id, graph, nodes, Out::null(), count));
    cudaStreamGetCaptureInfo_v3 | cudaStreamGetCaptureInfo_v3_ptsz(
        stream: u64, status: Out<i32>, id: Out<u64>, graph: Out<u64>, nodes: Out<u64>,
        edges: Out<u64>, count: Out<usize>,
    ) => |cuda| look(cuda, stream, status, (id, graph, nodes, edges, count));
    cudaStreamUpdateCaptureDependencies | cudaStreamUpdateCaptureDependencies_ptsz(
        stream: u64, nodes: In<u64>, third: u64, fourth: u64, fifth: u32,
    ) => |cuda| {
        // Since release 13 data of the edges comes before their number.
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
