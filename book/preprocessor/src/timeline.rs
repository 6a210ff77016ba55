//! What the first warps of a step do, and those of its parent, as a picture.

use std::path::Path;

use anyhow::{Context, Result};
use ladder::{Ladder, Step};
use launches::explain::running::{self, Side, Task};
use launches::explain::timeline::svg;
use simt::model::Gpu;

use crate::html::escape;
use crate::sides::GPU;

/// The first instructions are the same for any size.
const SIZE: u64 = 1024;

/// The timelines of `steps`, one below the other.
pub fn figure(root: &Path, ladder: &'static dyn Ladder, steps: &[Step]) -> Result<String> {
    let gpu = Gpu::named(GPU)?;
    let kernels = root.join("kernels").join(ladder.name());
    let mut sides = Vec::new();
    for step in steps {
        let task = Task {
            ladder,
            step,
            file: None,
            kernels: &kernels,
            size: SIZE,
            gpu: &gpu,
            timeline: true,
            whole: false,
        };
        sides.push(running::run(&task)?);
    }
    let timelines: Option<Vec<_>> = sides.iter().map(Side::timeline).collect();
    let timelines = timelines.context("the simulator recorded no timeline")?;
    let names: Vec<&str> = steps.iter().map(|step| step.title).collect();
    Ok(format!(
        "<figure class=\"plot timeline\">\n<img src=\"{}\" alt=\"Timelines of the first four warps: {}\">\n</figure>",
        address(&svg::picture(&timelines)),
        escape(&names.join(", "))
    ))
}

/// A picture as an address: its styles stay its own. Hints for the mouse, which a picture has not, are left out.
fn address(svg: &str) -> String {
    let mut out = String::from("data:image/svg+xml,");
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once("<title>") {
        encode(&mut out, before);
        rest = after.split_once("</title>").map_or("", |(_, after)| after);
    }
    encode(&mut out, rest);
    out
}

/// `text` as part of an address in an attribute: what would end either is written as a code.
fn encode(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '%' => out.push_str("%25"),
            '#' => out.push_str("%23"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '&' => out.push_str("%26"),
            '\n' => out.push(' '),
            // Both mark values of attributes in SVG; only one may in the page.
            '"' => out.push('\''),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladders::LADDERS;

    #[test]
    fn a_picture_becomes_an_address_without_hints() {
        let svg =
            "<svg a=\"50%\">\n<rect fill=\"#fff\"><title>line 3:\nx &lt; y</title></rect></svg>";
        let expected =
            "data:image/svg+xml,%3Csvg a='50%25'%3E %3Crect fill='%23fff'%3E%3C/rect%3E%3C/svg%3E";
        assert_eq!(address(svg), expected);
    }

    #[test]
    fn a_step_is_drawn_below_its_parent() {
        let root = ladder::workspace::root().expect("the workspace");
        let step = |name| LADDERS[0].step(name).expect("a step");
        let steps = [step("05-rsqrt"), step("06-shared-blocking")];
        let html = figure(&root, LADDERS[0], &steps).unwrap();
        let (parent, own) = (html.find("05-rsqrt").unwrap(), html.find("06-shared").unwrap());
        assert!(parent < own);
        assert_eq!(html.matches('"').count(), 6, "three attributes, none ended early");
    }
}
