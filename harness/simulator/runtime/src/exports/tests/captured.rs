//! Streams that are captured into graphs that exist, or around nodes that the program adds itself; and what clones share.

use std::sync::PoisonError;

use super::super::entry::with;
use super::super::structures::Dim3;
use super::super::{capture, conditional, copies, events, graphs, launches, memory};
use super::RUNTIME;
use super::conditional::{ADD, DOWN, add_choice, add_kernel, body, register};
use crate::error;
use crate::host::{In, Out, Pointer};

/// Launches a kernel of one thread.
fn launch(function: u64, mut values: [u64; 2], stream: u64) {
    let [first, second] = &mut values;
    let arguments = [Pointer::to(first), Pointer::to(second)];
    let one = || Dim3::new([1; 3]);
    let done = launches::cudaLaunchKernel(function, one(), one(), In::of(&arguments[0]), 0, stream);
    assert_eq!(done, 0);
}

/// Launches a graph that was made ready, on two words; gives what they are then.
fn on_words(executable: u64, pointer: u64, mut words: [u32; 2]) -> [u32; 2] {
    let (on_host, on_device) = (Pointer::to(&mut words[0]), Pointer::of_device(pointer));
    assert_eq!(copies::cudaMemcpy(on_device, on_host, 8, 1), 0);
    assert_eq!(graphs::cudaGraphLaunch(executable, 0), 0);
    assert_eq!(copies::cudaMemcpy(on_host, on_device, 8, 2), 0);
    words
}

/// State of a capture, its graph and the node before the stream's next work, of which there is one at most.
fn look(stream: u64) -> (i32, u64, Option<u64>) {
    let (mut status, mut id, mut graph, mut last, mut edges, mut count) = (7, 0, 0, 0, 0, 0);
    let done = capture::cudaStreamGetCaptureInfo(
        stream,
        Out::to(&mut status),
        Out::to(&mut id),
        Out::to(&mut graph),
        Out::to(&mut last),
        Out::to(&mut edges),
        Out::to(&mut count),
    );
    assert_eq!(done, 0);
    assert!(count <= 1 && (status == 0 || id != 0));
    let at = |address| Pointer::of_device(address).value::<u64>().unwrap();
    if count == 1 {
        assert_eq!(at(edges), 0, "an edge of the usual kind");
    }
    (status, graph, (count == 1).then(|| at(last)))
}

#[test]
fn a_loop_is_added_to_a_capture_and_its_body_is_captured() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    register();
    let used = || with("test", |cuda| cuda.simulator.used_bytes());
    let before = used();
    let (mut pointer, mut stream, mut handle, mut graph) = (0, 0, 0, 0);
    let (mut clone, mut executable, mut of_clone) = (0, 0, 0);
    assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 8), 0);
    assert_eq!(events::cudaStreamCreate(Out::to(&mut stream)), 0);
    assert_eq!(look(stream), (0, 0, None), "not captured");
    let set = |nodes: &[u64], flags| {
        let (first, count) = (In::of(&nodes[0]), nodes.len() as u64);
        capture::cudaStreamUpdateCaptureDependencies(stream, first, 0, count, flags)
    };
    assert_eq!(set(&[0], 1), error::ILLEGAL_STATE.0);

    // `down`, then a loop that the program adds, then `add` of 100 after the loop.
    assert_eq!(capture::cudaStreamBeginCapture(stream, 0), 0);
    let (status, captured, last) = look(stream);
    assert_eq!((status, last), (1, None));
    let made = conditional::cudaGraphConditionalHandleCreate(Out::to(&mut handle), captured, 0, 0);
    assert_eq!(made, 0);
    launch(DOWN, [pointer, handle], stream);
    let first = look(stream).2.expect("the launch");
    let (done, bodies) = add_choice(captured, &[first], handle, 1, 1);
    assert_eq!(done, 0);
    let mut nodes = [0_u64; 2];
    let mut count = nodes.len();
    let listed = graphs::cudaGraphGetNodes(captured, Out::to(&mut nodes[0]), Out::to(&mut count));
    assert_eq!((listed, count, nodes[0]), (0, 2, first));
    assert_eq!(set(&[nodes[1]], 2), error::INVALID_VALUE.0, "no such flag");
    assert_eq!(set(&[captured], 1), error::INVALID_VALUE.0, "no node of the graph");
    assert_eq!(set(&[nodes[1]], 1), 0);
    assert_eq!(look(stream).2, Some(nodes[1]));
    launch(ADD, [pointer, 100], stream);
    assert_eq!(capture::cudaStreamEndCapture(stream, Out::to(&mut graph)), 0);
    assert_eq!(graph, captured);

    // The loop's graph: captured from the same stream, whose end gives no handle.
    let in_loop = body(bodies, 0);
    let into = |graph, after: &[u64]| {
        let first = In::of(after.first().unwrap_or(&0));
        capture::cudaStreamBeginCaptureToGraph(stream, graph, first, 0, after.len(), 0)
    };
    assert_eq!(into(in_loop, &[first]), error::INVALID_VALUE.0, "a node of another graph");
    assert_eq!(into(in_loop, &[]), 0);
    assert_eq!(into(in_loop, &[]), error::ILLEGAL_STATE.0);
    launch(ADD, [pointer, 1], stream);
    launch(DOWN, [pointer, handle], stream);
    assert_eq!(capture::cudaStreamEndCapture(stream, Out::null()), 0);

    // A clone has a loop of its own: what is added to the first one's is not in it.
    assert_eq!(graphs::cudaGraphClone(Out::to(&mut clone), graph), 0);
    add_kernel(in_loop, &[], ADD, [pointer, 1000]);
    assert_eq!(graphs::cudaGraphInstantiate(Out::to(&mut executable), graph), 0);
    assert_eq!(graphs::cudaGraphInstantiate(Out::to(&mut of_clone), clone), 0);
    assert_eq!(on_words(executable, pointer, [4, 0]), [0, 3103]);
    assert_eq!(on_words(of_clone, pointer, [4, 0]), [0, 103]);

    // The loop's graph ends with its graph; the handle is there as long as something is left that names it.
    assert_eq!(graphs::cudaGraphDestroy(graph), 0);
    assert_eq!(graphs::cudaGraphDestroy(in_loop), error::INVALID_VALUE.0);
    assert_eq!(graphs::cudaGraphExecDestroy(executable), 0);
    assert_eq!(graphs::cudaGraphDestroy(clone), 0);
    assert_eq!(on_words(of_clone, pointer, [2, 0]), [0, 101]);
    assert_eq!(memory::cudaFree(pointer), 0);
    assert!(used() > before);
    assert_eq!(graphs::cudaGraphExecDestroy(of_clone), 0);
    assert_eq!(used(), before, "the handle is free");
    assert_eq!(events::cudaStreamDestroy(stream), 0);
}
