//! Every step is right, and mistakes in its kernels are found, whatever they are in: the box, the tree, its sums, the
//! order, the walk or the advance.

use barnes_hut::Step;
use barnes_hut_ladder::LADDER;
use device::{Choice, CodeRoute};
use ladder::problem::Input;
use ladder::testing::Change::{Instead, Without};
use ladder::testing::{Excuse, Mistake, expect_found, verified, verified_on, verified_some};
use ladder::verify::run;
use ladder::{Ladder, workspace};
use rayon::prelude::*;
use report::{Extra, Request};

const ROOM: &str = "there is room for more cells than any cluster here needs";
const LARGE: &str = "it takes more bodies than the simulator runs; results are held against f64 at the size that is timed";

const EXCUSES: &[Excuse] = &[
    Excuse::never("*full = 1;", ROOM),
    Excuse::never("*full = 1;\nbreak;", ROOM),
    Excuse::once("+= blockDim.x * gridDim.x) {", LARGE),
    Excuse::once("cell += stride", LARGE),
    // Keys, which a block sorts alone if they are few.
    Excuse::once("c += threads", LARGE),
    Excuse::once("i += threads", LARGE),
    Excuse::never("seen", LARGE),
    Excuse::once("seen", LARGE),
    Excuse::never("= (sum + own) | UP_TO", LARGE),
    Excuse::once("first += 1024", LARGE),
];

/// The tutorial's last step and one past it.
#[test]
fn some_steps_are_verified() {
    let some = ["10-not-volatile", "16-second-moments"];
    drift_little(verified_some(&LADDER, &some, EXCUSES));
}

#[test]
#[ignore = "runs in CI: half a minute"]
fn every_step_is_verified() {
    drift_little(verified(&LADDER, EXCUSES));
}

fn drift_little(verified: Vec<(&str, Vec<Extra>)>) {
    for (step, extras) in verified {
        let drift = extras.iter().find(|extra| extra.name == "energy drift").expect("its drift");
        assert!(drift.value < 1e-3, "{step}: energy drifts by {:e}", drift.value);
    }
}

/// The tree is as on one GPU, where all of its code is verified; the walk and what comes after it is divided.
#[test]
fn a_walk_is_divided() {
    for step in LADDER.steps().into_iter().filter(|step| step.elsewhere.is_some()) {
        let (extras, mut gaps) = verified_on(&LADDER, &step, &[3]);
        assert!(extras.iter().all(|it| it.name != "energy drift" || it.value < 1e-3), "{extras:?}");
        gaps.retain(|gap| ["force", "collect"].contains(&gap.kernel.as_str()));
        assert!(gaps.is_empty(), "{}, never verified: {gaps:?}", step.name);
    }
}

/// What readers have without a GPU: all of a tree's cells, all accelerations, and the launches of a whole chip.
#[test]
#[ignore = "runs in CI: a minute"]
fn every_step_is_verified_with_ten_thousand_bodies() {
    const N: u64 = 10_000;
    let kernels = workspace::root().expect("a clone").join("kernels/barnes-hut");
    let mut steps = LADDER.steps();
    steps.retain(|step| step.elsewhere.is_none());
    assert!(steps.len() > 20, "{}", steps.len());
    steps.par_iter().for_each(|step| {
        let mut open = LADDER.open(&Request::default()).expect("a problem");
        let mut device =
            device::open(Choice::Simt, CodeRoute::Committed, "h200").expect("it opens");
        let source = step.source(&kernels).expect("its code");
        let mut module = device.load(&source).expect("it loads");
        let input = Input::timed(N, 1);
        let mut pass = open.place(&mut *device, step, &mut module, input).expect("its place");
        let checked = run(&mut *device, &mut *pass);
        let checked = checked.unwrap_or_else(|failure| panic!("{}: {failure}", step.name));
        assert!(checked.errors.rms < 5e-3, "{}: {:e}", step.name, checked.errors.rms);
    });
}

const LAST: Step = barnes_hut_10_not_volatile::STEP;

#[test]
fn mistakes_are_found() {
    expect_found(
        &LADDER,
        &[
            // The root is too small.
            Mistake::at(
                &LAST,
                "*half_side =",
                Instead("mul.f32 $0, $1, 0fBF000000", "mul.f32 $0, $1, 0fBE800000"),
            )
            .is_wrong("the root has side"),
            // Insertion takes a cell's place from whoever holds its lock.
            Mistake::at(
                &LAST,
                "ch != LOCKED && atomicCAS(",
                Instead(
                    "atom.global.cas.b32 $0, [$1], $2, $3",
                    "atom.global.exch.b32 $0, [$1], $3",
                ),
            )
            .fails("infinite loop"),
            // A subtree is found before it is visible.
            Mistake::at(&LAST, "// subtrees are visible before they are found", Without("membar"))
                .fails("infinite loop"),
            // Insertion does not look whether the place was still empty: bodies are left out.
            Mistake::at(
                &LAST,
                "is_new = atomicCAS(",
                Instead("setp.eq.s32 $0, $1, -1", "setp.eq.s32 $0, $1, $1"),
            )
            .fails("before allocation `x`"),
            // A parent does not wait for its first child.
            Mistake::at(
                &LAST,
                "ready &= ch < n || m[ch] >= 0.0f",
                Instead("setp.ge.f32 $0, $1, 0f00000000", "setp.ge.f32 $0, $1, 0fC0000000"),
            )
            .fails("race"),
            // The second body of a cell takes the place of the first.
            Mistake::at(
                &LAST,
                "sorted[place++] = ch",
                Instead("add.s32 $0, $1, 1", "add.s32 $0, $1, 0"),
            )
            .fails("before allocation `x`"),
            // Sides of cells shrink too fast on the way down.
            Mistake::at(
                &LAST,
                "limit *= 0.25f",
                Instead("mul.f32 $0, $1, 0f3E800000", "mul.f32 $0, $1, 0f3E000000"),
            )
            .is_wrong("accelerations by the same walk"),
            // A cell is one mass if it is far from any body of the warp, not from all.
            Mistake::at(&LAST, "__all_sync(", Instead("vote.sync.all", "vote.sync.any"))
                .is_wrong("accelerations by the same walk"),
            // Velocities along x are not advanced.
            Mistake::at(
                &LAST,
                "vx[i] += ax[i] * dtime",
                Instead("fma.rn.f32 $0, $1, $2, $3", "mov.f32 $0, $3"),
            )
            .is_wrong("the time step left it at"),
        ],
    );
}

const BEYOND: Step = barnes_hut_16_second_moments::STEP;

#[test]
fn mistakes_past_the_tutorial_are_found() {
    expect_found(
        &LADDER,
        &[
            // Sums of leaves are multiplied by their mass, not divided by it.
            Mistake::at(&BEYOND, "const float share =", Instead("rcp.approx.ftz.f32", "mov.f32"))
                .is_wrong("has spread"),
            // Every other group of bodies is left out.
            Mistake::at(
                &BEYOND,
                "next = atomicAdd(&counter[GROUPS + 1], 1)",
                Instead("atom.global.add.u32 $0, [$1], 1", "atom.global.add.u32 $0, [$1], 2"),
            )
            .is_wrong("accelerations by the same walk"),
            // The error accepted of nodes without second moments is another share of the rest.
            Mistake::at(
                &BEYOND,
                "more = alpha * target.pull, one = share * more",
                Instead("mul.ftz.f32 $0, $1, $2", "mul.ftz.f32 $0, $1, 0f3E570A3D"),
            )
            .is_wrong("accelerations by the same walk"),
        ],
    );
}

const DIVIDED: Step = barnes_hut_18_divided::STEP;

/// One GPU alone does not have them.
#[test]
#[ignore = "runs in CI: all that one GPU does is verified before"]
fn mistakes_of_several_gpus_are_found() {
    expect_found(
        &LADDER,
        &[
            // Parts of the exchange are rounded down: the second GPU's begins where the first one's last warp is.
            Mistake::at(
                &DIVIDED,
                "const int warp =",
                Instead("add.s32 $0, $1, -1", "add.s32 $0, $1, -2"),
            )
            .is_wrong("on 2 GPUs"),
        ],
    );
}
