//! Every step climbs, on any number of threads and with all vectors; functions with mistakes do not.

use barnes_hut_cpu::{Cube, Evaluation};
use barnes_hut_cpu_02_array::{Node, tree};
use device::{CpuDevice, Device, Module};
use ladder::problem::{Input, OnCpu, Problem, SEED};
use ladder::testing::verify_silently;
use ladder::verify::{Failure, evaluate};
use ladder::{Ladder, Threads};
use nbody::rust::{Accelerations, Sources};
use report::Request;
use vectors::Vectors;

use super::*;

fn load(device: &mut CpuDevice, step: &Step, vectors: Vectors) -> Module {
    let on = OnCpu { kernels: "".as_ref(), vectors, threads: device.threads() };
    let code = BarnesHut::host_code(step, &on).expect("it is written in Rust");
    device.load_host(code).expect("functions")
}

fn verified(step: &Step, threads: usize) -> Result<(), Failure> {
    let mut open = LADDER.open(&Request::default()).expect("a problem");
    let mut device = CpuDevice::open(Some(threads)).expect("threads");
    let mut module = load(&mut device, step, Vectors::best());
    verify_silently(&mut device, &mut *open, &step.facts(), &mut module).map(drop)
}

#[test]
fn every_step_is_verified() {
    for step in STEPS {
        let threads = if step.threads == Threads::Cores { 3 } else { 1 };
        verified(step, threads).unwrap_or_else(|failure| panic!("{}: {failure}", step.name));
    }
}

#[test]
fn every_step_is_right_with_all_vectors() {
    let mut open = LADDER.open(&Request::default()).expect("a problem");
    let each = |step| Vectors::available().into_iter().map(move |vectors| (step, vectors));
    for (step, vectors) in STEPS.iter().flat_map(each) {
        let mut device = CpuDevice::open(Some(2)).expect("threads");
        let mut module = load(&mut device, step, vectors);
        for n in [5, 1000, 1003] {
            let input = Input::verified(n, barnes_hut::inputs::CLUSTER, SEED);
            let mut pass =
                open.place(&mut device, &step.facts(), &mut module, input).expect("room");
            evaluate(&mut device, &mut *pass)
                .unwrap_or_else(|failure| panic!("{} with {vectors}: {failure}", step.name));
        }
    }
}

/// What `change` makes of the tree, walked by every body.
fn changed(bodies: &Sources, mut to: Accelerations, how: &Evaluation, change: fn(&mut Vec<Node>)) {
    let mut nodes = tree(bodies, how);
    change(&mut nodes);
    for i in 0..bodies.len() {
        to.set(i, barnes_hut_cpu_02_array::attraction(&nodes, bodies.position(i), how));
    }
}

fn found(force: barnes_hut_cpu::Force) {
    let step = Step { host: force, ..barnes_hut_cpu_02_array::STEP };
    let failure = verified(&step, 1).expect_err("a mistake");
    let message = failure.to_string();
    assert!(message.contains("accelerations at n = "), "{message}");
}

#[test]
fn mistakes_are_found() {
    // The last body is lost.
    found(|bodies, to, how| {
        changed(bodies, to, how, |nodes| {
            if let Some(last) = nodes.iter_mut().rfind(|node| node.is_body()) {
                last.mass = 0.0;
            }
        })
    });
    // Cells are a little too heavy.
    found(|bodies, to, how| {
        changed(bodies, to, how, |nodes| {
            nodes.iter_mut().filter(|node| !node.is_body()).for_each(|cell| cell.mass *= 1.001);
        })
    });
    // The centre of a cell is that of its cube.
    found(|bodies, to, how| {
        let mut nodes = tree(bodies, how);
        let cube = Cube::around(bodies);
        nodes[0].centre = cube.corner.map(|axis| axis + cube.side / 2.0);
        let mut to = to;
        for i in 0..bodies.len() {
            to.set(i, barnes_hut_cpu_02_array::attraction(&nodes, bodies.position(i), how));
        }
    });
    // Cells are entered at four times the angle.
    found(|bodies, to, how| {
        changed(bodies, to, how, |nodes| {
            nodes.iter_mut().for_each(|node| node.entered_within /= 16.0);
        })
    });
    // A part of the tree is skipped.
    found(|bodies, to, how| {
        changed(bodies, to, how, |nodes| {
            if nodes.len() > 40 {
                nodes.truncate(nodes.len() - 1);
            }
        })
    });
    // The last acceleration is not written.
    found(|bodies, to, how| {
        let all = bodies.len();
        let nodes = tree(bodies, how);
        let mut to = to;
        for i in 0..all - 1 {
            to.set(i, barnes_hut_cpu_02_array::attraction(&nodes, bodies.position(i), how));
        }
    });
}

#[test]
fn an_opening_angle_must_be_one() {
    for theta in ["0", "-1", "NaN", "inf", "", "half"] {
        let problem = [("theta".to_owned(), theta.to_owned())].into();
        let error = BarnesHut::open(&Request { problem, ..Request::default() }).err();
        let error = error.expect("no angle").to_string();
        assert!(error.contains("--theta") && error.contains("0.001"), "{error}");
    }
}
