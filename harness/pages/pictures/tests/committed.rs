//! Committed pictures are what their reports give.

#[path = "../examples/redraw.rs"]
#[expect(dead_code, reason = "the example's main")]
mod redraw;

use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

#[test]
fn committed_pictures_are_as_drawn() {
    let names = redraw::folders(&redraw::reports(), Path::new("")).expect("the reports");
    let compared = AtomicUsize::new(0);
    names.par_iter().for_each(|name| {
        for picture in redraw::pictures_of(name).expect("pictures") {
            let file = redraw::reports().join(name).join(picture.name).with_extension("svg");
            let Ok(committed) = std::fs::read_to_string(&file) else { continue };
            let remedy = "run `cargo run -p pictures --example redraw`";
            assert!(committed == picture.svg, "{} is out of date: {remedy}", file.display());
            compared.fetch_add(1, Relaxed);
        }
    });
    let compared = compared.into_inner();
    assert!(compared > 20, "{compared} pictures");
}
