//! Conditional nodes: which graph runs, and how often, for values that a kernel or a default sets.

use std::sync::PoisonError;

use super::super::{binaries, conditional, copies, graphs, memory};
use super::RUNTIME;
use crate::error;
use crate::fatbin::tests::{Packing, fat_binary};
use crate::host::{In, Out, Pointer, Text};

/// `down` counts a word down and makes it the condition; `add` adds a number to another word.
pub(super) const PTX: &str = "
.version 8.3
.target sm_50
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry down(.param .u64 p, .param .u64 h) {
    .reg .b32 %r<2>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [h];
    ld.global.u32 %r1, [%rd1];
    sub.u32 %r1, %r1, 1;
    st.global.u32 [%rd1], %r1;
    { .param .b64 a; .param .b32 b;
    st.param.b64 [a], %rd2; st.param.b32 [b], %r1;
    call.uni cudaGraphSetConditional, (a, b); }
    ret;
}
.visible .entry add(.param .u64 p, .param .u32 n) {
    .reg .b32 %r<3>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    ld.global.u32 %r2, [%rd1+4];
    add.u32 %r2, %r2, %r1;
    st.global.u32 [%rd1+4], %r2;
    ret;
}";

pub(super) const DOWN: u64 = 0x3000;
pub(super) const ADD: u64 = 0x4000;

/// `cudaGraphNodeParams`, in words of 8 bytes.
pub(super) type Parameters = [u64; 32];

/// Registers both kernels.
pub(super) fn register() {
    let binary = fat_binary(&[(50, PTX)], Packing::Plain);
    let wrapper = binaries::Wrapper::of(&binary);
    let handle = binaries::__cudaRegisterFatBinary(In::of(&wrapper));
    for (host, name) in [(DOWN, c"down"), (ADD, c"add")] {
        binaries::__cudaRegisterFunction(handle, host, 0, Text::of(name), -1, 0, 0, 0, 0, 0);
    }
}

/// Adds a node as release 13 does.
pub(super) fn add_node(graph: u64, after: &[u64], parameters: &mut Parameters) -> (i32, u64) {
    let mut node = 0;
    let first = In::of(after.first().unwrap_or(&0));
    let (count, place) = (Pointer::of_device(after.len() as u64), Pointer::to(&mut parameters[0]));
    let code = conditional::cudaGraphAddNode(Out::to(&mut node), graph, first, 0, count, place);
    (code, node)
}

/// Adds a kernel's node of one thread.
pub(super) fn add_kernel(graph: u64, after: &[u64], function: u64, mut values: [u64; 2]) -> u64 {
    let [first, second] = &mut values;
    let arguments = [Pointer::to(first), Pointer::to(second)];
    let mut parameters: Parameters = [0; 32];
    parameters[2..8].copy_from_slice(&[function, 1 | 1 << 32, 1 | 1 << 32, 1 | 1 << 32, 0, 0]);
    parameters[7] = arguments.as_ptr() as u64;
    let (code, node) = add_node(graph, after, &mut parameters);
    assert_eq!(code, 0);
    node
}

/// Adds a conditional node; gives the handles of its graphs.
pub(super) fn add_choice(
    graph: u64,
    after: &[u64],
    handle: u64,
    kind: u64,
    count: u64,
) -> (i32, u64) {
    let mut parameters: Parameters = [0; 32];
    parameters[0] = 13;
    parameters[2..4].copy_from_slice(&[handle, kind | count << 32]);
    let (code, _) = add_node(graph, after, &mut parameters);
    (code, parameters[4])
}

/// The graph of an index.
pub(super) fn body(graphs: u64, index: usize) -> u64 {
    Pointer::of_device(graphs).plus(8 * index).value().unwrap()
}

/// Counts from `start` down by one launch of `down` before a conditional node of `kind`, whose graphs add 1, 10 and 100.
fn launch(kind: u64, count: u64, start: u32) -> [u32; 2] {
    let (mut graph, mut handle, mut pointer, mut executable) = (0, 0, 0, 0);
    assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 8), 0);
    assert_eq!(graphs::cudaGraphCreate(Out::to(&mut graph), 0), 0);
    let made = conditional::cudaGraphConditionalHandleCreate(Out::to(&mut handle), graph, 0, 0);
    assert_eq!(made, 0);
    let before = add_kernel(graph, &[], DOWN, [pointer, handle]);
    let (code, bodies) = add_choice(graph, &[before], handle, kind, count);
    assert_eq!(code, 0);
    for (index, number) in [1, 10, 100].into_iter().take(count as usize).enumerate() {
        let graph = body(bodies, index);
        let first = add_kernel(graph, &[], ADD, [pointer, number]);
        if kind == 1 {
            add_kernel(graph, &[first], DOWN, [pointer, handle]);
        }
    }
    assert_eq!(graphs::cudaGraphInstantiate(Out::to(&mut executable), graph), 0);
    let mut words = [start, 0];
    let (on_host, on_device) = (Pointer::to(&mut words[0]), Pointer::of_device(pointer));
    assert_eq!(copies::cudaMemcpy(on_device, on_host, 8, 1), 0);
    assert_eq!(graphs::cudaGraphLaunch(executable, 0), 0);
    assert_eq!(copies::cudaMemcpy(on_host, on_device, 8, 2), 0);
    assert_eq!(memory::cudaFree(pointer), 0);
    words
}

#[test]
fn conditional_nodes_run_the_graph_that_a_kernel_chose() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    register();
    let (choose_if, repeat, switch) = (0, 1, 2);
    assert_eq!(launch(choose_if, 1, 3), [2, 1]);
    assert_eq!(launch(choose_if, 1, 1), [0, 0]);
    assert_eq!(launch(choose_if, 2, 1), [0, 10]);
    assert_eq!(launch(repeat, 1, 6), [0, 5]);
    assert_eq!(launch(repeat, 1, 1), [0, 0]);
    assert_eq!(launch(switch, 3, 1), [0, 1]);
    assert_eq!(launch(switch, 3, 3), [2, 100]);
    assert_eq!(launch(switch, 3, 4), [3, 0]);

    // Of a default: each launch begins with it.
    let (mut graph, mut handle, mut pointer, mut executable) = (0, 0, 0, 0);
    assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 8), 0);
    assert_eq!(graphs::cudaGraphCreate(Out::to(&mut graph), 0), 0);
    let made = conditional::cudaGraphConditionalHandleCreate(Out::to(&mut handle), graph, 1, 1);
    assert_eq!(made, 0);
    assert_eq!(add_choice(graph, &[], handle, 1, 2).0, error::INVALID_VALUE.0, "one graph");
    assert_eq!(add_choice(graph, &[], handle, 3, 1).0, error::INVALID_VALUE.0, "no such kind");
    let (code, bodies) = add_choice(graph, &[], handle, 1, 1);
    assert_eq!(code, 0);
    let first = add_kernel(body(bodies, 0), &[], ADD, [pointer, 1]);
    add_kernel(body(bodies, 0), &[first], DOWN, [pointer, handle]);
    assert_eq!(graphs::cudaGraphInstantiate(Out::to(&mut executable), graph), 0);
    for start in [4, 2] {
        let mut words = [start, 0];
        let (on_host, on_device) = (Pointer::to(&mut words[0]), Pointer::of_device(pointer));
        assert_eq!(copies::cudaMemcpy(on_device, on_host, 8, 1), 0);
        assert_eq!(graphs::cudaGraphLaunch(executable, 0), 0);
        assert_eq!(copies::cudaMemcpy(on_host, on_device, 8, 2), 0);
        assert_eq!(words, [0, start]);
    }
    assert_eq!(memory::cudaFree(pointer), 0);
}
