use super::*;
use crate::tree::Cell;
use crate::tree::tests::{bodies, tree};

const EPSSQ: f32 = 0.01;

/// The force on the first body with an opening angle.
fn force_on_first(walk: Walk, theta: f32) -> Force {
    let (bodies, tree) = (bodies(), tree());
    let values = Values { theta, epssq: EPSSQ, ..Values::usual(theta) };
    let (order, sizes) = ([0, 1, 2, 3], Sizes::new(4, 1));
    let (_, nodes) = tree.check(&bodies).expect("a right tree");
    let trees = [Grown { tree, nodes, bodies: Cow::Borrowed(&bodies) }];
    let (trees, bodies, order) = (&trees, &bodies, &order);
    Forces { walk, trees, bodies, order, values, sizes }.of(&[0])[0]
}

fn of_first(walk: Walk, theta: f32) -> [f64; 3] {
    force_on_first(walk, theta).acceleration
}

/// What masses at some places do to the first body.
fn pulls(of: &[(f64, [f64; 3])]) -> [f64; 3] {
    let one = |&(mass, centre)| {
        Moments { mass, centre, ..Moments::default() }.pull([-1.0; 3], EPSSQ.into())
    };
    of.iter().map(one).fold([0.0; 3], |sum, its| std::array::from_fn(|axis| sum[axis] + its[axis]))
}

fn is_near(a: [f64; 3], b: [f64; 3]) -> bool {
    square(difference(a, b)) < 1e-18
}

/// All bodies, and the last two as one.
fn exact_and_coarse() -> [[f64; 3]; 2] {
    let second = (1.0, [1.0, -1.0, -1.0]);
    let exact = pulls(&[second, (1.0, [1.0; 3]), (1.0, [0.25; 3])]);
    [exact, pulls(&[second, (2.0, [0.625; 3])])]
}

/// With θ so small that every cell is opened, the walk is a direct sum; with one so large that none is, two masses
/// remain besides the cell.
#[test]
fn a_cell_is_opened_where_it_is_near_for_its_side() {
    let [exact, coarse] = exact_and_coarse();
    assert!(is_near(of_first(Walk::BySide(1), 1e-3), exact));
    assert!(is_near(of_first(Walk::BySide(1), 1e3), coarse));
    // The first is √3·1.625 away from the cell of side 1, the third √3·0.375. In one group, both open it.
    assert!(is_near(of_first(Walk::BySide(1), 0.5), coarse));
    assert!(is_near(of_first(Walk::BySide(4), 0.5), exact));
}

/// At that distance of the first body's, rounding decides; what is in doubt is the difference.
#[test]
fn a_node_at_the_limit_is_in_doubt() {
    let [exact, coarse] = exact_and_coarse();
    let at_limit = (3f64.sqrt() * 1.625).recip() as f32;
    let difference = square(difference(exact, coarse)).sqrt();
    for theta in [at_limit * 0.9999, at_limit * 1.0001] {
        let doubt = force_on_first(Walk::BySide(1), theta).doubt;
        assert!((doubt / difference - 1.0).abs() < 1e-9, "{doubt} for {difference}");
    }
    for theta in [at_limit * 0.999, at_limit * 1.001] {
        assert_eq!(force_on_first(Walk::BySide(1), theta).doubt, 0.0);
    }
}

/// The cell's size is twice √(3)·0.375: 1.30. For one group of all, it is near; its own bodies are in it.
#[test]
fn a_node_is_opened_where_it_is_near_for_its_size() {
    let [exact, _] = exact_and_coarse();
    assert!(is_near(of_first(Walk::BySize, 0.5), exact));
    // 4·spread/θ² against mass·d² for the third body: 3.375/θ² < 2·0.42 from θ = 2.001 on; the root, whose spread is 8.06
    // and whose centre is near to nobody, is opened up to θ = 2.6 at least.
    let coarse = exact_and_coarse()[1];
    assert!(is_near(of_first(Walk::BySize, 1.99), exact));
    assert!(is_near(of_first(Walk::BySize, 2.01), coarse));
}

/// Bodies in a line far from each other have boxes that are too wide to walk together; close ones do.
#[test]
fn groups_are_as_large_as_their_boxes_are_narrow() {
    let mut bodies = Bodies::with_capacity(6);
    for x in [0.0, 0.001, 0.002, 0.003, 9.0, 9.001] {
        bodies.push(1.0, [x, 0.0, 0.0], [0.0; 3]);
    }
    let mut children = [Child::None; 8];
    children[0] = Child::Bodies { first: 0, count: 6 };
    let root = Cell { mass: 6.0, centre: [18.007 / 6.0, 0.0, 0.0], bodies: 6, children };
    let tree = Tree {
        cells: vec![root],
        bodies: (0..6).collect(),
        side: 9.001,
        cube: None,
        even_levels: 21,
    };
    let divided = |largest: Largest| {
        let walk = Walk::OfGroups(largest, ErrorLimit { at_half: 7e-4, power: 4 });
        let (values, sizes, order) = (Values::usual(0.5), Sizes::new(6, 1), [0, 1, 2, 3, 4, 5]);
        let (_, nodes) = tree.check(&bodies).expect("a right tree");
        let trees = [Grown { tree: tree.clone(), nodes, bodies: Cow::Borrowed(&bodies) }];
        let (trees, bodies, order) = (&trees, &bodies, &order);
        let forces = Forces { walk, trees, bodies, order, values, sizes };
        let groups = forces.groups(0, WARP, &[]);
        groups.into_iter().map(|group| group.places).collect::<Vec<_>>()
    };
    assert_eq!(divided(|_| 32), [0..4, 4..6]);
    assert_eq!(divided(|_| 2), [0..2, 2..4, 4..6]);
    assert_eq!(divided(|_| 1).len(), 6);
}

/// With second moments, two bodies far away pull as they are, up to the next term of the series.
#[test]
fn second_moments_are_the_next_term() {
    let two = [[10.0, 0.5, 0.0], [10.0, -0.5, 0.25]].map(|centre| Moments {
        mass: 1.0,
        centre,
        ..Moments::default()
    });
    let (both, at) = (Moments::of(&two), [0.0; 3]);
    let [a, b] = two.map(|it| it.pull(at, 0.01));
    let exact: [f64; 3] = std::array::from_fn(|axis| a[axis] + b[axis]);
    let error = |found| square(difference(found, exact)).sqrt() / square(exact).sqrt();
    let (one_mass, with_second) =
        (error(both.pull(at, 0.01)), error(both.pull_with_second(at, 0.01)));
    assert!(one_mass > 1e-3 && with_second < 2e-5, "{one_mass:e} and {with_second:e}");
}
