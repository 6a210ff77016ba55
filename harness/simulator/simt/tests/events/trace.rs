//! What is recorded of the first warps.

use simt::{Simulator, Space, Trace, TraceRequest, Watch};

use super::machine::bench;

/// The trace of a body, run by a block of `threads` threads.
fn trace(body: &str, threads: u32) -> Trace {
    let request = TraceRequest { warps: 1, instructions: 100 };
    let watch = Watch { trace: Some(request), ..Watch::default() };
    bench(Simulator::new(1 << 20), body).watch(1, threads, &watch).unwrap().trace.unwrap()
}

#[test]
fn accesses_have_the_time_of_their_instruction() {
    let body = "shl.b32 %r6, %r2, 2;\nadd.u32 %r7, %r5, %r6;\nst.shared.u32 [%r7], %r2;\n\
                bar.sync 0;\nld.shared.u32 %r8, [%r7+4];";
    let trace = trace(body, 64);
    // Of the first warp only; the parameter's load is an access too.
    let shared: Vec<_> = trace.touches.iter().filter(|it| it.space == Space::Shared).collect();
    let seen: Vec<_> = shared.iter().map(|it| (it.warp, it.writes, it.bytes, it.lanes)).collect();
    assert_eq!(seen, [(0, true, 4, u32::MAX), (0, false, 4, u32::MAX)]);
    // Six instructions come before the body, two before the store, and the barrier between.
    assert_eq!(shared.iter().map(|it| it.time).collect::<Vec<_>>(), [8, 10]);
    let offsets = |at: usize| shared[at].addresses.map(|address| address - shared[0].addresses[0]);
    assert_eq!(offsets(0), std::array::from_fn(|lane| 4 * lane as u64));
    assert_eq!(offsets(1), std::array::from_fn(|lane| 4 * lane as u64 + 4));
}
