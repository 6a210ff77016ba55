//! How long blocks wait for each other.

use simt::{Simulator, Watch};

use super::machine::{MACHINE, WORDS, bench};

/// Clocks that the slowest of `blocks` blocks of a warp needs for messages.
fn messages(body: &str, blocks: u32) -> u64 {
    let bench = bench(Simulator::new(1 << 24), body);
    bench.simulator.fill(bench.out, 4 * WORDS, 0).unwrap();
    let watch = Watch { traffic: Some(MACHINE), ..Watch::default() };
    bench.watch(blocks, 32, &watch).unwrap().message_clocks
}

/// A block reads the word of the block before it until it is set, if there is one, and sets its own. `first` comes
/// before.
fn relay(first: &str, set: &str) -> String {
    format!(
        "mul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n{first}\nsetp.eq.u32 %p1, %r4, 0;\n\
         @%p1 bra SET;\nWAIT:\nld.volatile.global.u32 %r6, [%rd3+-4];\nsetp.eq.u32 %p2, %r6, 0;\n\
         @%p2 bra WAIT;\nSET:\n{set}"
    )
}

#[test]
fn a_word_goes_from_block_to_block_in_one_and_a_half_loads() {
    let chain = relay("", "st.volatile.global.u32 [%rd3], 1;");
    // A store comes to L2 in half the time of a load; its reader asks again half a load later, and half a load on it
    // has the answer.
    let hop = u64::from(MACHINE.l2_clocks) * 3 / 2;
    for blocks in [2, 8, 40] {
        let clocks = messages(&chain, blocks);
        let hops = u64::from(blocks - 1) * hop;
        assert!(clocks.abs_diff(hops) <= hop, "{blocks} blocks: {clocks} clocks, {hops}");
    }
    // A fence comes before each hop, which is longer if it has to wait for a store; the reader may have to ask once more.
    for (first, fence) in [
        ("", MACHINE.fence_clocks),
        ("st.global.u32 [%rd3+2048], 1;", MACHINE.fence_after_store_clocks),
    ] {
        let fenced = relay("", &format!("{first}\nmembar.gl;\nst.volatile.global.u32 [%rd3], 1;"));
        let more = messages(&fenced, 40) - messages(&chain, 40);
        let fences = 40 * u64::from(fence);
        assert!(more.abs_diff(fences) <= u64::from(MACHINE.l2_clocks), "{more}, {fences}");
    }
}

#[test]
fn who_publishes_first_keeps_nobody_waiting() {
    // Every block sets its word before it looks at the other's, so that no chain comes about. It is read again when it
    // has changed, but that is not what was waited for.
    let body = relay("st.volatile.global.u32 [%rd3], 1;", "st.volatile.global.u32 [%rd3], 2;");
    let rounds = 40 / u64::from(MACHINE.multiprocessors * MACHINE.resident_blocks);
    let each = u64::from(MACHINE.l2_clocks) * 3 / 2;
    let clocks = messages(&body, 40);
    assert!(clocks <= rounds * each, "{clocks}");
}

#[test]
fn atomics_are_messages_if_their_result_is_awaited() {
    let alone = "atom.global.add.u32 %r6, [%rd1], 1;\nst.global.u32 [%rd1+4], %r6;";
    assert_eq!(messages(alone, 1), u64::from(MACHINE.atomic_clocks));
    assert_eq!(messages("red.global.add.u32 [%rd1], 1;", 1), 0);
    // Tickets are drawn at the same time.
    let at_once = MACHINE.multiprocessors * MACHINE.resident_blocks;
    assert_eq!(messages(alone, at_once), u64::from(MACHINE.atomic_clocks));
}
