//! What exercises in Rust are judged with counts rightly.

#[path = "../../../steps/exercises/meter.rs"]
mod counts;

use std::cell::RefCell;
use std::rc::Rc;

use counts::{Array, Cache, Cached, Counted, LINE, Number};

#[test]
fn a_cache_fetches_a_line_once_while_it_has_room() {
    let mut cache = Cache::new(2);
    for (place, fetched) in [
        (0, 1),
        (LINE - 1, 1),
        (LINE, 2),
        (0, 2),
        (2 * LINE, 3), // in the place of the second line, which was used longest ago
        (0, 3),
        (LINE, 4),
    ] {
        cache.touch(place);
        assert_eq!(cache.fetched(), fetched, "{place}");
    }
}

#[test]
fn arrays_behind_one_cache_lie_at_their_places() {
    let cache = Rc::new(RefCell::new(Cache::new(8)));
    let one = Cached::new(vec![1.0; LINE], &cache, 0);
    let other = Cached::new(vec![0.0; LINE], &cache, LINE);
    (0..LINE).for_each(|at| other.set(at, 2.0 * one.get(at)));
    assert_eq!(cache.borrow().fetched(), 2);
    assert_eq!(other.values(), vec![2.0; LINE]);
}

#[test]
fn numbers_know_how_many_operations_waited_for_each_other() {
    let [a, b, c, d] = [1.0, 2.0, 3.0, 4.0].map(Counted::new);
    let before = Counted::operations();
    let (row, tree) = (a + b + c + d, (a + b) + (c + d));
    assert_eq!((row.value(), row.chain()), (10.0, 3));
    assert_eq!((tree.value(), tree.chain()), (10.0, 2));
    let mut product = Counted::ZERO - a * b;
    product += c;
    assert_eq!((product.value(), product.chain()), (1.0, 3));
    assert_eq!(Counted::operations() - before, 9);
}
