use rayon::prelude::*;

use super::*;

/// Four bodies of mass 1 in a cube of side 2: two near the corner (1, 1, 1), which need a cell of their own.
pub(crate) fn bodies() -> Bodies {
    let mut bodies = Bodies::with_capacity(4);
    for at in [[-1.0, -1.0, -1.0], [1.0, -1.0, -1.0], [1.0, 1.0, 1.0], [0.25, 0.25, 0.25]] {
        bodies.push(1.0, at, [0.0; 3]);
    }
    bodies
}

pub(crate) fn tree() -> Tree {
    let body = |first| Child::Bodies { first, count: 1 };
    let cell = |mass, centre, bodies, some: &[Child]| {
        let mut children = [Child::None; 8];
        children[..some.len()].copy_from_slice(some);
        Cell { mass, centre, bodies, children }
    };
    let root = cell(4.0, [0.3125, -0.1875, -0.1875], 4, &[body(0), body(1), Child::Cell(1)]);
    let corner = cell(2.0, [0.625; 3], 2, &[body(2), body(3)]);
    Tree {
        cells: vec![root, corner],
        bodies: (0..4).collect(),
        side: 2.0,
        cube: None,
        even_levels: 21,
    }
}

fn wrong(change: impl Fn(&mut Tree)) -> String {
    let mut tree = tree();
    change(&mut tree);
    tree.check(&bodies()).expect_err("a wrong tree").to_string()
}

#[test]
fn a_right_tree_has_its_shape() {
    let (shape, _) = tree().check(&bodies()).expect("a right tree");
    assert_eq!(shape, Shape { nodes: 6, levels: 2 });
}

#[test]
fn every_mistake_in_a_tree_is_told() {
    let found = wrong(|tree| tree.cells[1].children[0] = Child::None);
    assert!(found.contains("body 2 is in no leaf"), "{found}");
    let found = wrong(|tree| tree.cells[0].children[0] = Child::Bodies { first: 2, count: 1 });
    assert!(found.contains("body 2 is in two leaves"), "{found}");
    let found = wrong(|tree| tree.cells[1].children[2] = Child::Cell(1));
    assert!(found.contains("cell 1 is a child of two cells"), "{found}");
    let found = wrong(|tree| tree.cells[0].bodies = 3);
    assert!(found.contains("counts 3 bodies and has 4"), "{found}");
    let found = wrong(|tree| tree.cells[1].mass = 2.001);
    assert!(found.contains("cell 1 has mass"), "{found}");
    let found = wrong(|tree| tree.cells[0].mass = f32::NAN);
    assert!(found.contains("cell 0 has mass"), "{found}");
    let found = wrong(|tree| tree.cells[1].centre[2] = 0.62);
    assert!(found.contains("cell 1 has its centre of mass"), "{found}");
    for side in [1.0, 2.001, f64::NAN] {
        let found = wrong(|tree| tree.side = side);
        assert!(found.contains("the smallest cube around all bodies 2e0"), "{found}");
    }
    let found = wrong(|tree| {
        tree.cells[0].children = tree.cells[1].children;
        tree.cells[0].children[2] = Child::Cell(1);
        tree.cells[1].children = [Child::None; 8];
        tree.cells[1].children[..2].copy_from_slice(&[
            Child::Bodies { first: 0, count: 1 },
            Child::Bodies { first: 1, count: 1 },
        ]);
        tree.cells[1].centre = [0.0, -1.0, -1.0];
    });
    assert!(found.contains("is not inside its cell 1"), "{found}");
}

/// The octants of a body, from the root to the last level that is cut by place, three bits each, as the tutorial's kernels
/// find them: the centre of a cell is its parent's, half a side further, in f32.
fn octants(at: [f32; 3], mut centre: [f32; 3], half_side: f32) -> u64 {
    let mut r = 0.5 * half_side;
    let mut key = 0;
    for _ in 0..21 {
        let octant = (0..3).map(|axis| u64::from(centre[axis] < at[axis]) << axis).sum::<u64>();
        key = key << 3 | octant;
        for (axis, x) in centre.iter_mut().enumerate() {
            *x += if octant >> axis & 1 == 1 { r } else { -r };
        }
        r *= 0.5;
    }
    key
}

/// A cell with several bodies begins, in the order of their octants, with a body that shares more of them with the next one
/// than with the one before. The report's count is that of the tree which an H200 has built.
#[test]
fn five_million_bodies_have_as_many_nodes_as_a_gpu_has_made() {
    let file = ladder::workspace::root()
        .expect("the workspace")
        .join("reports/h200-barnes-hut-tutorial/report.json");
    let report = report::Report::read(&file).expect("a report");
    let row = &report.rows[0];
    let made = row.extras.iter().find(|extra| extra.name == "nodes").expect("it was counted");
    let n = row.n().expect("it was timed") as usize;
    let bodies = nbody::plummer(n, ladder::problem::SEED);
    let ends = bodies.position.each_ref().map(|axis| {
        axis.iter().fold((f32::MAX, f32::MIN), |(low, high), &x| (low.min(x), high.max(x)))
    });
    let centre = ends.map(|(low, high)| 0.5 * (low + high));
    let half_side = ends.iter().map(|(low, high)| 0.5 * (high - low)).fold(0.0, f32::max);
    let key = |i| octants(bodies.position_of(i), centre, half_side);
    let mut keys: Vec<u64> = (0..n).into_par_iter().map(key).collect();
    keys.par_sort_unstable();
    let shared = |pair: &[u64]| i64::from((pair[0] ^ pair[1]).leading_zeros() - 1) / 3;
    let levels: Vec<i64> = keys.par_windows(2).map(shared).collect();
    let before = std::iter::once(-1).chain(levels.iter().copied());
    let cells: i64 = levels.iter().zip(before).map(|(&own, before)| (own - before).max(0)).sum();
    assert_eq!((n as i64 + cells) as f64, made.value);
}

/// A cell whose centre is on a border, up to a rounding, may be on either side; two that are clearly in one octant are not.
#[test]
fn cells_on_a_border_have_the_side_that_is_free() {
    let mut children = [Child::None; 8];
    children[0] = Child::Cell(1);
    children[1] = Child::Cell(2);
    let root = Cell { mass: 2.0, centre: [0.5; 3], bodies: 4, children };
    let tree = Tree { cells: vec![root], ..Tree::default() };
    let cube = Cube { centre: [0.0; 3], half: 1.0 };
    let octants = |first: [f64; 3]| {
        tree.octants(0, cube, |child| if child == 1 { first } else { [0.5; 3] }, 1e-6)
    };
    assert_eq!(octants([1e-9, 0.5, 0.5]).expect("two sides")[..2], [Some(6), Some(7)]);
    let wrong = octants([1e-3, 0.5, 0.5]).expect_err("one octant").to_string();
    assert_eq!(wrong, "two cells are octant 7 of cell 0");
}
