//! Committed pictures are what their reports give.

#[path = "../examples/redraw.rs"]
#[expect(dead_code, reason = "the example's main")]
mod redraw;

use std::path::Path;

#[test]
fn committed_pictures_are_as_drawn() {
    let mut compared = 0;
    for name in redraw::folders(&redraw::reports(), Path::new("")).expect("the reports") {
        for picture in redraw::pictures_of(&name).expect("pictures") {
            let file = redraw::reports().join(&name).join(picture.name).with_extension("svg");
            let Ok(committed) = std::fs::read_to_string(&file) else { continue };
            let remedy = "run `cargo run -p pictures --example redraw`";
            assert!(committed == picture.svg, "{} is out of date: {remedy}", file.display());
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared} pictures");
}
