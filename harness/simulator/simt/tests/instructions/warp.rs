//! Instructions in which the lanes of a warp, or the warps of a block, meet.

use super::harness::{THREAD, kernel, run_words};

/// `%r3` = 1000 + lane, shuffled; the result, or 7777 where the predicate says out of range.
fn shuffle(mode: &str, operand: &str, clamp: u32) -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}mov.u32 %r9, %laneid;\nadd.u32 %r3, %r9, 1000;\nxor.b32 %r8, %r9, 21;\n\
         shfl.sync.{mode}.b32 %r4|%p1, %r3, {operand}, {clamp:#x}, 0xffffffff;\n\
         selp.b32 %r5, %r4, 7777, %p1;\nadd.u32 %r5, %r5, %r4;\nst.global.u32 [%rd0], %r5;"
        ),
    )
}

/// The lane read, if it is in the segment; as CUDA's guide says for a `width`.
fn source(mode: &str, lane: u32, by: u32, width: u32) -> Option<u32> {
    let start = lane / width * width;
    match mode {
        "up" => lane.checked_sub(by).filter(|&of| of >= start),
        "down" => Some(lane + by).filter(|&of| of < start + width),
        "bfly" => Some(lane ^ by).filter(|&of| of < start + width),
        _ => Some(start + by % width),
    }
}

#[test]
fn shuffles() {
    for width in [32u32, 16, 8, 4, 2] {
        for mode in ["up", "down", "bfly", "idx"] {
            // CUDA's encoding of a width: the segment mask, and the last lane unless going up.
            let clamp = (32 - width) << 8 | if mode == "up" { 0 } else { 31 };
            for by in [0, 1, 2, 5, 15, 16, 31] {
                let lanes = run_words(&shuffle(mode, &by.to_string(), clamp), 1, 64);
                for (thread, got) in (0..).zip(lanes) {
                    let lane = thread % 32;
                    let from = source(mode, lane, by, width);
                    let value = 1000 + from.unwrap_or(lane);
                    let expected = value + if from.is_some() { value } else { 7777 };
                    assert_eq!(got, expected, "{mode} {by} width {width} lane {lane}");
                }
            }
        }
    }
    // Each lane from another one: lane ^ 21.
    let lanes = run_words(&shuffle("idx", "%r8", 31), 1, 32);
    assert_eq!(lanes, (0..32).map(|lane| 2 * (1000 + (lane ^ 21))).collect::<Vec<_>>());
}

/// Votes on lane < v for some lanes, kept apart from the others by a branch.
fn votes() -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}mov.u32 %r9, %laneid;\nmov.u32 %r20, 0;\nsetp.lt.u32 %p1, %r9, 8;\n\
         setp.lt.u32 %p2, %r9, 24;\n@!%p2 bra OTHERS;\n\
         vote.sync.ballot.b32 %r3, %p1, 0x00ffffff;\nactivemask.b32 %r4;\n\
         vote.sync.any.pred %p3, %p1, 0x00ffffff;\nvote.sync.all.pred %p4, %p1, 0x00ffffff;\n\
         vote.sync.all.pred %p5, %p2, 0x00ffffff;\nvote.sync.any.pred %p6, !%p2, 0x00ffffff;\n\
         vote.sync.uni.pred %p7, %p1, 0x00ffffff;\nvote.sync.uni.pred %p8, %p2, 0x00ffffff;\n\
         selp.u32 %r5, 1, 0, %p3;\nselp.u32 %r6, 2, 0, %p4;\nselp.u32 %r7, 4, 0, %p5;\n\
         selp.u32 %r8, 8, 0, %p6;\nselp.u32 %r10, 16, 0, %p7;\nselp.u32 %r11, 32, 0, %p8;\n\
         or.b32 %r20, %r5, %r6;\nor.b32 %r20, %r20, %r7;\nor.b32 %r20, %r20, %r8;\n\
         or.b32 %r20, %r20, %r10;\nor.b32 %r20, %r20, %r11;\n\
         shl.b32 %r3, %r3, 8;\nor.b32 %r20, %r20, %r3;\nand.b32 %r4, %r4, 0xf0000000;\n\
         or.b32 %r20, %r20, %r4;\nOTHERS:\nbar.warp.sync 0xffffffff;\nst.global.u32 [%rd0], %r20;"
        ),
    )
}

#[test]
fn votes_of_a_part_of_the_warp() {
    let lanes = run_words(&votes(), 1, 32);
    // any (1), all of the second (4), uniform of the second (32); the ballot is 0xff.
    assert_eq!(lanes, (0..32).map(|i| if i < 24 { 0xff00 | 37 } else { 0 }).collect::<Vec<_>>());
}

/// Lanes with the same value of lane mod 5, and whether all agree.
fn matches() -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}mov.u32 %r9, %laneid;\nrem.u32 %r3, %r9, 5;\ncvt.u64.u32 %rd3, %r3;\n\
         match.any.sync.b32 %r4, %r3, 0xffffffff;\nmatch.any.sync.b64 %r5, %rd3, 0xffffffff;\n\
         match.all.sync.b32 %r6|%p1, %r3, 0xffffffff;\nmatch.all.sync.b32 %r7|%p2, %r0, 0xffffffff;\n\
         mov.u32 %r10, 9;\nmatch.all.sync.b32 %r8|%p3, %r10, 0xffffffff;\n\
         xor.b32 %r5, %r5, %r4;\nor.b32 %r5, %r5, %r6;\nor.b32 %r5, %r5, %r7;\nnot.b32 %r8, %r8;\n\
         or.b32 %r5, %r5, %r8;\nsetp.ne.u32 %p4, %r5, 0;\nor.pred %p4, %p4, %p1;\n\
         or.pred %p4, %p4, %p2;\nnot.pred %p5, %p3;\nor.pred %p4, %p4, %p5;\n\
         selp.b32 %r4, 0, %r4, %p4;\nst.global.u32 [%rd0], %r4;"
        ),
    )
}

#[test]
fn matching_lanes() {
    let class = |lane: u32| (0..32).filter(|i| i % 5 == lane % 5).fold(0, |mask, i| mask | 1 << i);
    assert_eq!(run_words(&matches(), 1, 32), (0..32).map(class).collect::<Vec<u32>>());
}

/// One reduction of (lane · 3 − 40) over the even lanes and over the odd ones.
fn reduction(operation: &str) -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}mov.u32 %r9, %laneid;\nmul.lo.s32 %r3, %r9, 3;\nsub.s32 %r3, %r3, 40;\n\
         and.b32 %r4, %r9, 1;\nsetp.eq.u32 %p1, %r4, 1;\n@%p1 bra ODD;\n\
         redux.sync.{operation} %r5, %r3, 0x55555555;\nbra JOIN;\nODD:\n\
         redux.sync.{operation} %r5, %r3, 0xaaaaaaaa;\nJOIN:\nst.global.u32 [%rd0], %r5;"
        ),
    )
}

/// Of two values.
type Function = fn(u32, u32) -> u32;

const REDUCTIONS: [(&str, Function); 9] = [
    ("add.s32", u32::wrapping_add),
    ("add.u32", u32::wrapping_add),
    ("min.s32", |a, b| (a as i32).min(b as i32) as u32),
    ("max.s32", |a, b| (a as i32).max(b as i32) as u32),
    ("min.u32", |a, b| a.min(b)),
    ("max.u32", |a, b| a.max(b)),
    ("and.b32", |a, b| a & b),
    ("or.b32", |a, b| a | b),
    ("xor.b32", |a, b| a ^ b),
];

#[test]
fn reductions() {
    for (operation, function) in REDUCTIONS {
        let value = |lane: u32| (lane * 3).wrapping_sub(40);
        let of = |odd: u32| (0..32).filter(|i| i % 2 == odd).map(value).reduce(function).unwrap();
        let expected: Vec<u32> = (0..32).map(|lane| of(lane % 2)).collect();
        assert_eq!(run_words(&reduction(operation), 1, 32), expected, "{operation}");
    }
}

/// Barriers that reduce a predicate over a block of three warps.
fn block_reductions() -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}setp.lt.u32 %p1, %r2, 70;\nsetp.lt.u32 %p2, %r2, 1000;\n\
         bar.red.popc.u32 %r3, 0, %p1;\nbar.red.and.pred %p3, 0, %p1;\nbar.red.or.pred %p4, 0, %p1;\n\
         bar.red.and.pred %p5, 0, %p2;\nbar.red.or.pred %p6, 0, !%p2;\nmembar.cta;\nmembar.gl;\n\
         fence.acq_rel.gpu;\nbarrier.sync 0;\n\
         selp.u32 %r4, 1000, 0, %p3;\nselp.u32 %r5, 2000, 0, %p4;\nselp.u32 %r6, 4000, 0, %p5;\n\
         selp.u32 %r7, 8000, 0, %p6;\nadd.u32 %r3, %r3, %r4;\nadd.u32 %r3, %r3, %r5;\n\
         add.u32 %r3, %r3, %r6;\nadd.u32 %r3, %r3, %r7;\nst.global.u32 [%rd0], %r3;"
        ),
    )
}

#[test]
fn barriers_reduce() {
    assert_eq!(run_words(&block_reductions(), 2, 90), vec![6070; 180]);
}

/// Each lane's result of a statement that sets `%r4` from `%r3`, the lane's number, and `%f1`, less 16.
fn of_lanes(statement: &str) -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}mov.u32 %r3, %laneid;\nsub.s32 %r6, %r3, 16;\ncvt.rn.f32.s32 %f1, %r6;\n\
             setp.lt.u32 %p1, %r3, 5;\n{statement}\nst.global.u32 [%rd0], %r4;"
        ),
    )
}

/// What each lane must find.
type OfLane = fn(u32) -> u32;

const OF_LANES: [(&str, OfLane); 11] = [
    ("vote.ballot.sync.b32 %r4, %p1, -1;", |_| 31),
    ("vote.ballot.b32 %r4, !%p1;", |_| !31),
    ("shfl.bfly.b32 %r4, %r3, 3, 31;", |lane| lane ^ 3),
    ("redux.sync.min.f32 %f2, %f1, -1;\ncvt.rzi.s32.f32 %r4, %f2;", |_| -16i32 as u32),
    ("redux.sync.max.f32 %f2, %f1, -1;\ncvt.rzi.s32.f32 %r4, %f2;", |_| 15),
    ("redux.sync.max.abs.f32 %f2, %f1, -1;\ncvt.rzi.s32.f32 %r4, %f2;", |_| 16),
    (
        "@%p1 mov.f32 %f1, 0f7FC00000;\nredux.sync.min.NaN.f32 %f2, %f1, -1;\nmov.b32 %r4, %f2;",
        |_| 0x7fff_ffff,
    ),
    (
        "@%p1 mov.f32 %f1, 0f7FC00000;\nredux.sync.min.abs.f32 %f2, %f1, -1;\nmov.b32 %r4, %f2;",
        |_| 0,
    ),
    (
        "elect.sync %r4|%p2, -1;\nselp.u32 %r4, 100, %r4, %p2;",
        |lane| if lane == 0 { 100 } else { 0 },
    ),
    ("mov.u32 %r4, WARP_SZ;\nadd.u32 %r4, %r4, WARP_SZ;", |_| 64),
    ("mov.u32 %r4, %cluster_nctaid.x;\nadd.u32 %r4, %r4, %cluster_ctarank;", |_| 1),
];

#[test]
fn what_lanes_find_together() {
    for (statement, expected) in OF_LANES {
        let expected: Vec<u32> = (0..32).map(expected).collect();
        assert_eq!(run_words(&of_lanes(statement), 1, 32), expected, "{statement}");
    }
    for statement in ["redux.sync.add.f32 %f2, %f1, -1;", "vote.sync.all.b32 %r4, %p1, -1;"] {
        let error = simt::Module::parse("test.ptx", &of_lanes(statement)).unwrap_err();
        assert!(error.message.starts_with("unsupported instruction"), "{error}");
    }
}

pub fn texts() -> Vec<String> {
    let of_lanes = OF_LANES.iter().map(|(statement, _)| of_lanes(statement));
    let modes = ["up", "down", "bfly", "idx"].map(|mode| shuffle(mode, "1", 31));
    let reductions = REDUCTIONS.map(|(operation, _)| reduction(operation));
    let others = [votes(), matches(), block_reductions()];
    modes.into_iter().chain(reductions).chain(others).chain(of_lanes).collect()
}
