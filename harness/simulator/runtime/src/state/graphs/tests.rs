//! Graphs in order, captures of several streams, clones and the life of conditional handles.

use std::collections::BTreeSet;

use super::{Graph, Graphs};
use crate::error;
use crate::state::Work;

fn handles(graphs: &Graphs, executable: u64) -> Vec<u64> {
    graphs.executable(executable).unwrap().iter().map(|node| node.handle).collect()
}

#[test]
fn nodes_come_after_those_before_them_however_they_were_added() {
    let mut graphs = Graphs::default();
    let graph = graphs.add(Graph::default());
    let [a, b, c] =
        [(); 3].map(|()| graphs.add_node(graph, BTreeSet::new(), Work::Empty).expect("a graph"));
    graphs.add_edge(graph, c, a).unwrap();
    graphs.add_edge(graph, b, c).unwrap();
    let executable = graphs.instantiate(graph).unwrap();
    assert_eq!(handles(&graphs, executable), [b, c, a]);
    graphs.add_edge(graph, a, b).unwrap();
    assert_eq!(graphs.instantiate(graph), Err(error::INVALID_VALUE), "a circle");
    assert_eq!(graphs.add_node(graph, BTreeSet::from([7]), Work::Empty), Err(error::INVALID_VALUE));
    assert_eq!(graphs.add_edge(graph, a, 7), Err(error::INVALID_VALUE));
    assert_eq!(graphs.instantiate(7), Err(error::INVALID_VALUE));
}

#[test]
fn a_capture_takes_in_the_streams_that_wait_for_it() {
    let (one, other, event, joint) = (17, 18, 30, 31);
    let mut graphs = Graphs::default();
    assert!(graphs.capture(one, Work::Empty).is_some(), "not captured");
    graphs.begin_capture(one).unwrap();
    assert_eq!(graphs.begin_capture(one), Err(error::ILLEGAL_STATE));
    assert!(graphs.capture(one, Work::Empty).is_none());
    assert!(graphs.captures.mark(event, one));
    assert!(graphs.captures.join(other, event));
    assert!(graphs.capture(other, Work::Record(1)).is_none());
    assert!(graphs.capture(one, Work::Wait(1)).is_none());
    assert!(graphs.captures.mark(joint, other));
    assert!(graphs.captures.join(one, joint));
    assert!(graphs.capture(one, Work::Free(1)).is_none());
    let graph = graphs.end_capture(one).unwrap();
    let nodes = &graphs.graph(graph).unwrap().nodes;
    let before: Vec<usize> = nodes.iter().map(|node| node.after.len()).collect();
    assert_eq!(before, [0, 1, 1, 2]);
    assert!(!graphs.captures.is_captured(other) && !graphs.captures.join(other, event));
    assert_eq!(graphs.end_capture(one), Err(error::ILLEGAL_STATE));

    // A clone is one of its own; what differs in form does not take its place.
    let clone = graphs.clone_of(graph).unwrap();
    let executable = graphs.instantiate(graph).unwrap();
    assert_eq!(graphs.update(executable, clone), Ok(true));
    graphs.add_node(clone, BTreeSet::new(), Work::Empty).unwrap();
    assert_eq!(graphs.update(executable, clone), Ok(false));
    let first = handles(&graphs, executable)[0];
    assert_eq!(graphs.replace(Some(executable), first, Work::Wait(2)), Err(error::INVALID_VALUE));
    assert_eq!(graphs.replace(Some(executable), first, Work::Empty), Ok(()));
}

#[test]
fn work_that_nobody_waits_for_makes_a_capture_invalid() {
    let mut graphs = Graphs::default();
    graphs.begin_capture(17).unwrap();
    graphs.captures.mark(30, 17);
    graphs.captures.join(18, 30);
    graphs.capture(18, Work::Empty);
    assert_eq!(graphs.end_capture(17), Err(error::CAPTURE_UNJOINED));
    assert!(!graphs.captures.is_captured(17) && !graphs.captures.is_captured(18));
}
