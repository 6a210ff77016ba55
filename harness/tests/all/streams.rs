//! The modelled GPU of exercises on host code knows what is ordered, and what overlaps.

#[path = "../../../steps/exercises/streams.rs"]
mod order;

use order::{Engine, Order, Touch};

/// What the host needs to ask for one copy or launch, in nanoseconds.
const ASKING: u64 = 2_000;

fn touch(memory: usize, elements: std::ops::Range<usize>, writes: bool) -> Vec<Touch> {
    vec![Touch { memory, range: elements, writes }]
}

#[test]
fn work_of_two_streams_is_ordered_by_an_event_that_was_recorded_before() {
    for (records_first, is_race) in [(true, false), (false, true)] {
        let mut order = Order::default();
        let (one, two, event) = (order.stream(), order.stream(), order.event());
        order.ask(Engine::In, 10, "copy".to_owned(), touch(0, 0..8, true), one);
        if records_first {
            order.record(event, one);
        }
        order.wait(two, event);
        order.record(event, one);
        order.ask(Engine::Compute, 10, "kernel".to_owned(), touch(0, 4..5, false), two);
        assert_eq!(order.wrong.is_some(), is_race, "{:?}", order.wrong);
    }
}

#[test]
fn reads_and_other_elements_need_no_order() {
    let mut order = Order::default();
    let (one, two) = (order.stream(), order.stream());
    for (stream, elements, writes) in
        [(one, 0..4, false), (two, 0..4, false), (one, 4..8, true), (two, 8..9, true)]
    {
        order.ask(Engine::Compute, 10, "kernel".to_owned(), touch(0, elements, writes), stream);
    }
    assert_eq!(order.wrong, None);
    order.ask(Engine::Compute, 10, "late".to_owned(), touch(0, 3..5, false), two);
    assert!(order.wrong.expect("a race").starts_with("race: late and kernel"));
}

#[test]
fn the_host_waits_for_what_it_uses() {
    for waits in [false, true] {
        let mut order = Order::default();
        let stream = order.stream();
        order.ask(Engine::Out, 10, "the copy".to_owned(), touch(0, 0..4, true), stream);
        if waits {
            order.synchronize(stream);
        }
        order.touch(Touch { memory: 0, range: 3..4, writes: false }, "output");
        assert_eq!(order.wrong.is_some(), !waits);
    }
}

#[test]
fn engines_overlap_and_each_does_one_thing_at_a_time() {
    let mut order = Order::default();
    let (one, two) = (order.stream(), order.stream());
    let long = 50_000;
    order.ask(Engine::In, long, "copy".to_owned(), touch(0, 0..1, true), one);
    order.ask(Engine::Compute, long, "kernel".to_owned(), touch(1, 0..1, true), two);
    assert_eq!(order.end(), 2 * ASKING + long, "side by side");
    order.ask(Engine::Compute, long, "kernel".to_owned(), touch(2, 0..1, true), one);
    assert_eq!(order.end(), 2 * ASKING + 2 * long, "after the copy, and after the other kernel");
}
