//! Bodies put in the order of a tree, from the top down: blocks wait for what others find out.

use std::time::{Duration, Instant};

use simt::{Launch, Simulator, Watch};

use super::pattern::module;

/// A random tree: `children` of each cell (a cell; `cells` + a body; -1 for none), and how many bodies are below.
struct Tree {
    children: Vec<i32>,
    counts: Vec<i32>,
    /// The bodies from left to right.
    bodies: Vec<i32>,
}

impl Tree {
    fn new(n: usize) -> Tree {
        // Cells are numbered breadth first, as they are found.
        let mut random = 1u64;
        let mut below = vec![(0..n as i32).collect::<Vec<_>>()];
        let mut children: Vec<Vec<Option<Result<usize, i32>>>> = Vec::new();
        while children.len() < below.len() {
            let bodies = below[children.len()].clone();
            let mut parts = vec![Vec::new(); 8];
            for body in bodies {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                parts[(random >> 61) as usize].push(body);
            }
            children.push(
                parts
                    .into_iter()
                    .map(|part| match part[..] {
                        [] => None,
                        [body] => Some(Err(body)),
                        _ => {
                            below.push(part);
                            Some(Ok(below.len() - 1))
                        }
                    })
                    .collect(),
            );
        }
        let cells = below.len() as i32;
        let mut bodies = Vec::new();
        left_to_right(&children, 0, &mut bodies);
        let number = |child: &Option<Result<usize, i32>>| match child {
            None => -1,
            Some(Ok(cell)) => *cell as i32,
            Some(Err(body)) => cells + body,
        };
        Tree {
            children: children.iter().flatten().map(number).collect(),
            counts: below.iter().map(|bodies| bodies.len() as i32).collect(),
            bodies,
        }
    }
}

fn left_to_right(children: &[Vec<Option<Result<usize, i32>>>], cell: usize, to: &mut Vec<i32>) {
    for child in children[cell].iter().flatten() {
        match child {
            Ok(cell) => left_to_right(children, *cell, to),
            Err(body) => to.push(*body),
        }
    }
}

fn sorts(kernel: &str, n: usize, blocks: u32, threads: u32) {
    let tree = Tree::new(n);
    let cells = tree.counts.len();
    let simulator = Simulator::new(1 << 26);
    let loaded = simulator.load(module()).expect("enough memory");
    let upload = |name: &str, values: &[i32]| {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let address = simulator.alloc(name, bytes.len() as u64).expect("enough memory");
        simulator.write(address, &bytes).expect("the array's size");
        address
    };
    let children = upload("children", &tree.children);
    let counts = upload("counts", &tree.counts);
    let mut start = vec![-1; cells];
    start[0] = 0;
    let start = upload("start", &start);
    let sorted = upload("sorted", &vec![-1; n]);
    let launch = Launch::new([blocks, 1, 1], [threads, 1, 1])
        .argument(children)
        .argument(counts)
        .argument(start)
        .argument(sorted)
        .argument(cells as i32);
    let began = Instant::now();
    let events = simulator.launch(&loaded, kernel, &launch, &Watch::default()).expect("no fault");
    let took = began.elapsed();
    assert!(took < Duration::from_secs(20), "{kernel} of {blocks} blocks takes {took:?}");
    assert!(events.in_order.is_some());
    let mut bytes = vec![0; 4 * n];
    simulator.read(sorted, &mut bytes).expect("the array's size");
    let sorted = bytes.chunks_exact(4).map(|c| i32::from_le_bytes([c[0], c[1], c[2], c[3]]));
    assert!(sorted.eq(tree.bodies), "{kernel}");
}

#[test]
fn bodies_are_sorted_by_blocks_that_wait() {
    for (blocks, threads) in [(1, 1), (3, 40), (792, 64), (16, 256)] {
        sorts("sort", 10_000, blocks, threads);
        sorts("sort_throttled", 10_000, blocks, threads);
    }
}
