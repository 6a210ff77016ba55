//! Every step climbs on the simulator, and broken kernels do not.

use ladder::arrays::Arrays;
use ladder::testing::Excuse;
use report::Request;

use super::*;

const EXCUSES: &[Excuse] =
    &[Excuse::once("bin < BINS; bin +=", "a block has a thread for each bin")];

ladder::tests!(expect_exact(&LADDER, 1000, 1000.0, EXCUSES));

#[test]
fn the_data_that_are_timed_can_be_chosen() {
    let asked = |kind: &str| Request {
        problem: [("data".to_owned(), kind.to_owned())].into(),
        ..Request::default()
    };
    let timed = |kind| Histogram::open(&asked(kind)).map(|it| it.timed());
    assert_eq!(timed("skewed").expect("known data"), "few frequent values");
    let usual = Histogram::open(&Request::default()).expect("no option");
    assert_eq!(usual.timed(), "values spread evenly");
    let error = timed("even").expect_err("no such data").to_string();
    assert!(error.contains("--data even") && error.contains("`uniform`"), "{error}");
}
