//! Barriers that whole warps miss, and shuffles and votes with invalid lanes.

use super::fixture::{Fixture, Run};
use simt::{Fault, FaultKind, Launch, Scheduling, Simulator};

/// What is found in a body run by blocks of `threads`: `%r1` is the thread, `%rd3` the address of its word.
fn found_by(body: &str, threads: u32, scheduling: Scheduling) -> Vec<Fault> {
    let text = format!(
        ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\n\
         ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n\
         {body}\nst.global.u32 [%rd3], %r1;\nEND:\nret;\n}}"
    );
    let simulator = Simulator::new(1 << 20);
    let run = Run {
        text: &text,
        kernel: "k",
        launch: Launch::new([2, 1, 1], [threads, 1, 1]).scheduling(scheduling),
    };
    run.hazards(&simulator, |_| {
        vec![simulator.alloc("out", 4096).expect("enough memory").to_le_bytes().into()]
    })
}

fn found(body: &str, threads: u32) -> Vec<Fault> {
    found_by(body, threads, Scheduling::Independent)
}

/// The kind and text of the only fault.
fn only(found: Vec<Fault>) -> (FaultKind, u32, String) {
    assert_eq!(found.len(), 1, "{found:?}");
    (found[0].kind.clone(), found[0].line, found[0].to_string())
}

/// `if (threadIdx.x < 32) __syncthreads();`, with something to do after it.
const HALF: &str = "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra NEXT;\nbar.sync 0;\nNEXT:";

/// Each warp its own number of rounds.
const ROUNDS: &str = "shr.u32 %r2, %r1, 5;\nadd.u32 %r2, %r2, 1;\nROUND:\nbar.sync 0;\n\
                      sub.u32 %r2, %r2, 1;\nsetp.gt.u32 %p1, %r2, 0;\n@%p1 bra ROUND;";

#[test]
fn whole_warps_that_miss_a_barrier() {
    let (kind, line, text) = only(found(HALF, 64));
    assert!(matches!(kind, FaultKind::DivergentBarrier(_)), "{text}");
    assert_eq!(line, 10, "{text}");
    let missed = "warp 0 reaches it, but lanes 0xffffffff of warp 1 skipped it, went on to k.ptx:12 and exited";
    assert!(text.contains(missed), "{text}");
    assert!(text.contains("to do: move the barrier out of the condition"), "{text}");
    assert_eq!(found(HALF, 32), []);
    // Before CC 7.0 a barrier counts the warps that are left.
    assert_eq!(found_by(HALF, 64, Scheduling::Lockstep), []);
}

#[test]
fn warps_that_come_to_a_barrier_a_different_number_of_times() {
    let (kind, line, text) = only(found(ROUNDS, 96));
    assert!(matches!(kind, FaultKind::DivergentBarrier(_)), "{text}");
    assert_eq!(line, 11, "{text}");
    assert!(text.contains("of warp 0 skipped it, went on to k.ptx:15 and exited"), "{text}");
    assert_eq!(found(&ROUNDS.replace("shr.u32 %r2, %r1, 5", "mov.u32 %r2, 3"), 96), []);
}

#[test]
fn threads_that_return_early_are_not_missed() {
    // Before a barrier, between two, and out of a loop of barriers.
    let early = "setp.ge.u32 %p1, %r1, 40;\n@%p1 bra END;\nbar.sync 0;";
    assert_eq!(found(early, 64), []);
    assert_eq!(found(&format!("bar.sync 0;\n{early}\nbar.sync 0;"), 64), []);
    assert_eq!(found(&early.replace("bra END", "exit"), 64), []);
    let from_loop = "shr.u32 %r2, %r1, 5;\nmov.u32 %r3, 0;\nROUND:\nsetp.gt.u32 %p1, %r3, %r2;\n\
                     @%p1 bra END;\nbar.sync 0;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 9;\n\
                     @%p2 bra ROUND;";
    assert_eq!(found(from_loop, 96), []);
}

/// What the clean kernels leave in `out`.
fn results(kernel: &str) -> Vec<u32> {
    let fixture = Fixture::filled("lanes");
    assert_eq!(fixture.hazards(kernel, [1, 1, 1], [32, 1, 1], 0), [], "{kernel}");
    let mut bytes = [0; 4 * 96];
    fixture.simulator.read(fixture.out, &mut bytes).expect("inside of it");
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

#[test]
fn lanes_that_give_different_masks_exchange_in_groups() {
    // Of 32 lanes 11 have the rest 0 or 1 by 3, and 10 the rest 2.
    let sums = results("clean_group_sums");
    assert!((0..32).all(|lane| sums[lane] == [11, 11, 10][lane % 3]), "{sums:?}");
    // The keys are two bits of `in`; each lane gets where its group begins, which is 0, and how many it has.
    let key = |lane: u32| (lane.wrapping_mul(2_654_435_761) >> 9) & 3;
    let groups = results("clean_groups");
    for lane in 0..32 {
        let count = (0..32).filter(|&other| key(other) == key(lane)).count();
        assert_eq!(groups[64 + lane as usize], count as u32, "lane {lane}");
        assert_eq!(groups[key(lane) as usize], count as u32, "lane {lane}");
    }
}

/// A butterfly over all lanes.
const FULL: &str = "shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;";

#[test]
fn masks_that_name_lanes_that_the_block_does_not_have() {
    let vote = "setp.gt.u32 %p1, %r1, 3;\nvote.sync.ballot.b32 %r2, %p1, -1;";
    for (body, line) in [(FULL, 8), (vote, 9)] {
        let (kind, at, text) = only(found(body, 20));
        assert!(matches!(kind, FaultKind::InvalidLanes(_)), "{text}");
        assert_eq!(at, line);
        assert!(text.contains("names lanes 0xfff00000 of warp 0, which the block does"), "{text}");
        assert!(text.contains("to do: pass a mask of exactly the lanes that take part"), "{text}");
        assert_eq!(found(body, 64), []);
    }
    assert_eq!(found(&vote.replace("-1", "0xfffff"), 20), []);
    // `__syncwarp()` names all lanes by default.
    assert_eq!(found("bar.warp.sync -1;", 20), []);
}

#[test]
fn lanes_that_do_not_take_part() {
    // Lanes 0 to 15 read from 16 to 31.
    let half = "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra NEXT;\n\
                shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffff;\nNEXT:";
    let (kind, line, text) = only(found(half, 32));
    assert!(matches!(kind, FaultKind::InvalidLanes(_)), "{text}");
    assert_eq!(line, 10);
    assert!(
        text.contains("lane 8 of warp 0 reads from lane 16, which does not take part"),
        "{text}"
    );
    assert_eq!(found(&half.replace("8, 31", "8, 0x100f"), 32), []);
    // A lane that its own mask does not name.
    let unnamed = "shfl.sync.idx.b32 %r2, %r1, 0, 31, 0x7fffffff;";
    let (_, _, text) = only(found(unnamed, 32));
    assert!(text.contains("lanes 0x80000000 of warp 0 execute it with a mask"), "{text}");
    // Lanes that ended are not waited for, and nobody reads from them.
    let ended = "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra END;\nshfl.sync.bfly.b32 %r2, %r1, 8, 31, -1;";
    assert_eq!(found(ended, 32), []);
    assert!(!found(&ended.replace("%r1, 8,", "%r1, 16,"), 32).is_empty());
}
