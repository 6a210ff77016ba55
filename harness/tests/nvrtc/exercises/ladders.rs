//! What the exercises compute that belong to the smaller ladders.

use super::{Data, Formula, scan};

/// By the exercises' slugs.
pub const FORMULAS: &[(&str, Formula)] = &[
    ("shifted-row", |it| {
        let element = |(i, x): (usize, &f64)| if i < 3 { *x } else { 2.0 * x };
        it.get("data").iter().enumerate().map(element).collect()
    }),
    ("records", |it| it.groups(3, |record| vec![record.iter().map(|x| x * x).sum::<f64>().sqrt()])),
    ("two-loops", |it| {
        let all = it.get("in");
        let column = |of: usize| all[of..].iter().step_by(it.n).copied();
        let spread = |of| column(of).fold(0.0, f64::max) - column(of).fold(1.0, f64::min);
        (0..it.n).map(spread).collect()
    }),
    ("same-work", |it| {
        it.each(|x| {
            let start = if x < 0.5 { x + 0.5 } else { 1.5 - x };
            (0..16).fold(start, |x, _| x + 0.25 / (x + 1.0))
        })
    }),
    ("unwritten-zeros", |it| {
        let expensive = |x: f64| (0..32).fold(x, |x, _| x / (1.0 + x) + x);
        it.get("in").iter().map(|x| if *x > 0.9 { expensive(*x) } else { 0.0 }).collect()
    }),
    ("last-round", |it| it.groups(256, super::count_large)),
    ("vote-by-key", |it| {
        let has = |key: usize| it.get("keys").iter().filter(|x| **x as usize % 8 == key).count();
        (0..8).map(|key| has(key) as f64).collect()
    }),
    ("block-queue", |it| it.each(|x| 3.0 * x + 1.0)),
    ("sums-of-blocks", |it| scan(it.get("in"))),
    ("room-for-six", |it| it.each(|x| x)),
    ("neutral-element", |it| {
        it.groups(32, |warp| vec![-1000.0 - warp.iter().copied().fold(f64::MAX, f64::min)])
    }),
    ("known-count", |it| {
        let windows = it.get("in").windows(16).take(it.n);
        windows.map(|window| window.iter().sum::<f64>() / 16.0).collect()
    }),
    ("left-of-the-edge", |it| {
        let all = it.get("in");
        (0..it.n as i64).map(|i| all[(i - 5).rem_euclid(it.n as i64) as usize]).collect()
    }),
    ("rows-then-columns", |it| {
        let near = |i: usize| i.saturating_sub(2)..it.n.min(i + 3);
        let row = |row: usize, column| it.get("in")[row * it.n..][near(column)].iter().sum::<f64>();
        let square = |i| near(i / it.n).map(|y| row(y, i % it.n)).sum();
        (0..it.n * it.n).map(square).collect()
    }),
    ("spread-bits", |it| {
        let cell = |coordinate: f64| (coordinate * 65536.0) as u64;
        let key = |(x, y): (&f64, &f64)| {
            let bit = |b: u64| (cell(*x) >> b & 1) << (2 * b) | (cell(*y) >> b & 1) << (2 * b + 1);
            (0..16).map(bit).sum::<u64>() as f64
        };
        it.get("x").iter().zip(it.get("y")).map(key).collect()
    }),
    ("vote-to-open", |it| {
        let places = it.get("in").iter().enumerate();
        let places: Vec<f64> = places.map(|(i, x)| (i as f64 + x) / it.n as f64).collect();
        places.chunks(32).flat_map(|warp| pulls(warp, 1.0, 0.5)).collect()
    }),
    ("four-by-four", |it| product(it, |x| x)),
    ("arrived-for-all", |it| product(it, |x| x)),
    ("which-lane", |it| product(it, |x| f32::from_bits((x as f32).to_bits() & !0x1fff).into())), // TF32
];

/// The product of `a`, which has n rows, and `b`, once their elements are rounded.
fn product(it: &Data, rounded: fn(f64) -> f64) -> Vec<f64> {
    let [a, b] =
        ["a", "b"].map(|name| it.get(name).iter().map(|x| rounded(*x)).collect::<Vec<_>>());
    let length = a.len() / it.n;
    let columns = b.len() / length;
    let element = |at: usize| {
        let (row, column) = (&a[at / columns * length..], &b[at % columns..]);
        row[..length].iter().zip(column.iter().step_by(columns)).map(|(a, b)| a * b).sum()
    };
    (0..it.n * columns).map(element).collect()
}

/// What a cell of this width around a place pulls the bodies of a warp by, or its halves do if it is near to one of them.
fn pulls(warp: &[f64], width: f64, centre: f64) -> Vec<f64> {
    let distances: Vec<f64> = warp.iter().map(|x| (x - centre).abs()).collect();
    if width > 1.0 / 64.0 && distances.iter().any(|distance| *distance < width) {
        let halves = [-0.25, 0.25].map(|to| pulls(warp, width / 2.0, centre + to * width));
        return halves[0].iter().zip(&halves[1]).map(|(one, other)| one + other).collect();
    }
    distances.iter().map(|distance| width / (distance + 0.125)).collect()
}
