//! Arrays, launches and tree of the steps that follow the tutorial: bodies first, cells from the end downwards, each
//! cell with eight numbers of children; a leaf is one body.

use crate::array::{Array, Role};
use crate::defect::Defect;
use crate::downloaded::Downloaded;
use crate::inputs::{CORNERS, COUNTED};
use crate::step::Given::{self, Bodies, Nodes, Opening, Softening, TimeStep};
use crate::step::{Alone, Blocks, Call, Host, given};
use crate::tree::{Cell, Child, Tree};
use crate::walk::Walk;

/// The first step.
pub const NAIVE: Host = Host {
    arrays: ARRAYS,
    calls: NAIVE_CALLS,
    tree: read,
    walks: &[Walk::BySide(1)],
    in_graph: false,
    exchange: None,
    began_with: &[],
    alone: &[
        Alone {
            what: CORNERS,
            kernels: &["box"],
            n: 1 << 19,
            multiprocessors: 256,
            hazards: false,
            before: &[],
            check: check_root,
        },
        Alone {
            what: COUNTED,
            kernels: &["box", "build", "summarise"],
            n: 70_001,
            multiprocessors: 16,
            hazards: false,
            before: &[],
            check: check_count,
        },
    ],
};

const ARRAYS: &[Array] = &[
    Array { name: "x", role: Role::Position(0), words: |it| it.nodes() },
    Array { name: "y", role: Role::Position(1), words: |it| it.nodes() },
    Array { name: "z", role: Role::Position(2), words: |it| it.nodes() },
    Array { name: "m", role: Role::Mass, words: |it| it.nodes() },
    Array { name: "vx", role: Role::Velocity(0), words: |it| it.n },
    Array { name: "vy", role: Role::Velocity(1), words: |it| it.n },
    Array { name: "vz", role: Role::Velocity(2), words: |it| it.n },
    Array { name: "ax", role: Role::Acceleration(0), words: |it| it.n },
    Array { name: "ay", role: Role::Acceleration(1), words: |it| it.n },
    Array { name: "az", role: Role::Acceleration(2), words: |it| it.n },
    Array { name: "child", role: Role::Tree, words: |it| 8 * it.cells },
    Array { name: "count", role: Role::Tree, words: |it| it.nodes() },
    Array { name: "start", role: Role::Scratch, words: |it| it.nodes() },
    Array { name: "bottom", role: Role::Tree, words: |_| 1 },
    Array { name: "full", role: Role::Tree, words: |_| 1 },
    Array { name: "half side", role: Role::Tree, words: |_| 1 },
    Array {
        name: "boxes",
        role: Role::Scratch,
        words: |it| 6 * MOST_BOXES * it.multiprocessors.max(1),
    },
    Array { name: "ticket", role: Role::Zero, words: |_| 1 },
];

/// The same with the order of the bodies.
pub const ARRAYS_WITH_ORDER: &[Array] = &with_order();

const fn with_order() -> [Array; ARRAYS.len() + 1] {
    let order = Array { name: "sorted", role: Role::Sorted, words: |it| it.n };
    let mut all = [order; ARRAYS.len() + 1];
    let mut at = 0;
    while at < ARRAYS.len() {
        all[at] = ARRAYS[at];
        at += 1;
    }
    all
}

/// Levels of cells that are cut by place.
const EVEN_LEVELS: u32 = 21;

/// Blocks of the box for each multiprocessor, at most.
const MOST_BOXES: u64 = 4;

/// Arguments of `box`.
pub const BOX: &[Given] = given!(
    Bodies, Nodes; "x" "y" "z" "m" "child" "start" "bottom" "full" "half side" "boxes" "ticket"
);

/// Arguments of `build`.
pub const BUILD: &[Given] = given!(
    Bodies, Nodes; "x" "y" "z" "m" "child" "start" "bottom" "full" "half side"
);

/// Arguments of `summarise`.
pub const SUMMARISE: &[Given] = given!(Bodies, Nodes; "x" "y" "z" "m" "child" "count" "bottom");

/// Arguments of `force`, where bodies have no order.
pub const FORCE: &[Given] = given!(
    Bodies, Nodes, Opening, Softening; "x" "y" "z" "m" "child" "half side" "ax" "ay" "az"
);

/// Arguments of `sort`.
pub const SORT: &[Given] = given!(Bodies, Nodes; "child" "count" "start" "sorted" "bottom");

/// Arguments of `force`, in the order that `sort` has found.
pub const FORCE_IN_ORDER: &[Given] = given!(
    Bodies, Nodes, Opening, Softening; "x" "y" "z" "m" "child" "sorted" "half side" "ax" "ay" "az"
);

/// Arguments of `advance`.
pub const ADVANCE: &[Given] = given!(Bodies, TimeStep; "x" "y" "z" "vx" "vy" "vz" "ax" "ay" "az");

const WARP: Blocks = Blocks::PerMultiprocessor(1);

const NAIVE_CALLS: &[Call] = &[
    Call::new("box", WARP, 32, BOX),
    Call::new("build", WARP, 32, BUILD),
    Call::new("summarise", WARP, 32, SUMMARISE).together(),
    Call::new("force", WARP, 32, FORCE),
    Call::new("advance", WARP, 32, ADVANCE),
];

/// Reads the tree from the arrays `child`, `x`, `y`, `z`, `m`, `count`, `bottom`, `full` and `half side`.
///
/// # Errors
/// There was no room for all cells, or a child is no node.
pub fn read(from: &Downloaded) -> Result<Tree, Defect> {
    let n = from.n();
    let child = from.ints("child");
    let [x, y, z, m] = ["x", "y", "z", "m"].map(|name| from.floats(name));
    let count = from.ints("count");
    let nodes = m.len();
    if from.ints("full")[0] != 0 {
        return Err(Defect(format!(
            "the tree needs more than the {} cells that there is room for",
            nodes - n
        )));
    }
    let bottom = from.ints("bottom")[0];
    let first = usize::try_from(bottom).ok().filter(|it| (n..nodes).contains(it));
    let first = first.ok_or_else(|| format!("the lowest cell is {bottom}"))?;
    // Cell 0 is the root, the last node.
    let cell = |node: usize| -> Result<Cell, Defect> {
        let children = &child[8 * (node - n)..][..8];
        let mut of = [Child::None; 8];
        for (k, &number) in children.iter().enumerate() {
            of[k] = match usize::try_from(number) {
                Err(_) if number == -1 => Child::None,
                Ok(body) if body < n => Child::Bodies { first: body as u32, count: 1 },
                Ok(cell) if (first..nodes).contains(&cell) => {
                    Child::Cell((nodes - 1 - cell) as u32)
                }
                _ => {
                    return Err(Defect(format!(
                        "child {k} of cell {node} is {number}, which is no node"
                    )));
                }
            };
        }
        Ok(Cell {
            mass: m[node],
            centre: [x[node], y[node], z[node]],
            bodies: u32::try_from(count[node]).unwrap_or(u32::MAX),
            children: of,
        })
    };
    let cells = (first..nodes).rev().map(cell).collect::<Result<Vec<Cell>, Defect>>()?;
    let half_side = from.floats("half side")[0];
    Ok(Tree {
        cells,
        bodies: (0..n as u32).collect(),
        side: 2.0 * f64::from(half_side),
        cube: None,
        even_levels: EVEN_LEVELS,
    })
}

/// Holds the root's cube against the smallest one around all bodies: both are exact where the outermost
/// coordinates are powers of two.
fn check_root(from: &Downloaded) -> Result<(), Defect> {
    let root = from.sizes.nodes() as usize - 1;
    let ends = ["x", "y", "z"].map(|axis| {
        let along = || from.floats(axis)[..from.n()].iter().copied();
        [along().fold(f32::INFINITY, f32::min), along().fold(f32::NEG_INFINITY, f32::max)]
    });
    let centre = ["x", "y", "z"].map(|axis| from.floats(axis)[root]);
    let half = from.floats("half side")[0];
    let expected = ends.map(|[low, high]| 0.5 * (low + high));
    let half_side = ends.map(|[low, high]| 0.5 * (high - low)).into_iter().fold(0.0, f32::max);
    match centre == expected && half == half_side {
        true => Ok(()),
        false => Err(Defect(format!(
            "the root is at {centre:?} with half a side of {half}, and the smallest cube around all bodies at {expected:?} \
             with {half_side}"
        ))),
    }
}

/// Looks whether the root has all bodies, and their mass.
fn check_count(from: &Downloaded) -> Result<(), Defect> {
    let (n, root) = (from.n(), from.sizes.nodes() as usize - 1);
    let (count, mass) = (from.words("count")[root] as usize, from.floats("m")[root]);
    let all: f64 = from.floats("m")[..n].iter().map(|&m| f64::from(m)).sum();
    match count == n && (f64::from(mass) - all).abs() <= 1e-3 * all {
        true => Ok(()),
        false => Err(Defect(format!(
            "the root has {count} bodies with a mass of {mass}, and all are {n} with {all}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use device::{Choice, CodeRoute, Source};
    use ladder::problem::{Failed, Pass, SEED};
    use nbody::plummer;

    use super::*;
    use crate::array::Sizes;
    use crate::case::Case;
    use crate::memory::Memory;
    use crate::pass::Placed;
    use crate::values::Values;

    /// A time step for whose tree there is too little room ends, and says so.
    #[test]
    fn too_few_cells_are_reported() {
        let kernels = ladder::workspace::root().expect("the workspace").join("kernels/barnes-hut");
        let source = Source::from_kernels(&kernels, "01-naive", "01-naive", &[]).expect("its code");
        let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").expect("opens");
        let module = device.load(&source).expect("PTX");
        let bodies = plummer(200, SEED);
        for (cells, enough) in [(400, true), (40, false), (1, false)] {
            let sizes = Sizes { cells, ..Sizes::new(200, 3) };
            let case = Arc::new(Case::judged(bodies.clone(), Values::usual(0.5), SEED));
            let memory = Memory::new(&mut *device, NAIVE.arrays, sizes).expect("memory");
            let mut placed =
                Placed { step: "01-naive", module: &module, host: NAIVE, memory, case };
            placed.upload(&mut *device).and_then(|()| placed.run(&mut *device)).expect("it ends");
            match placed.check(&mut *device) {
                Ok(_) => assert!(enough, "{cells} cells"),
                Err(Failed::Wrong(wrong)) => {
                    let room = format!("the tree needs more than the {cells} cells");
                    assert!(!enough && wrong.to_string().contains(&room), "{wrong}");
                }
                Err(failed) => panic!("{failed:?}"),
            }
        }
    }
}
