//! What a document published for the steps of the GPU.

use report::against::{Against, Entry, PublishedTimes};

use super::drawing::{ABOVE, Drawing, LEGEND, TABLE};
use crate::kit::canvas::Canvas;
use crate::kit::lettering::second;
use crate::kit::marks::Shape;
use crate::kit::style::{INK, MARGIN};

/// Radius of a mark, and from one to the next below it.
const RADIUS: i32 = 8;
const STACK: i32 = 11;
/// One for each of the document's GPUs.
const SHAPES: [Shape; 3] = [Shape::OpenDiamond, Shape::OpenSquare, Shape::OpenUp];

impl Drawing<'_> {
    /// What was published for a step, at that many times this CPU's thread.
    pub fn published(&self, canvas: &mut Canvas, entry: &Entry, y: i32) {
        let Some(thread) = self.against.thread() else { return };
        let mut slides: Vec<String> =
            entry.published.iter().map(|one| one.slide.to_string()).collect();
        slides.dedup();
        let name = format!("published, slide {}", slides.join(", "));
        let above = if canvas.paper.is_narrow() { ABOVE } else { 0 };
        canvas.text((MARGIN, y - above), &second(), &second().fit(&name, TABLE.widest));
        let gpus = gpus(self.against);
        let (mut left, mut right) = (self.plane.right, self.plane.left);
        for one in &entry.published {
            let place = gpus.iter().position(|gpu| *gpu == one.gpu).unwrap_or(0);
            let x = self.x(one.times * thread.rate);
            let lower = (place % 3) as i32 - 1;
            SHAPES[place % SHAPES.len()].draw(canvas, (x, y + STACK * lower), RADIUS, INK);
            (left, right) = (left.min(x), right.max(x));
        }
        let texts: Vec<String> = entry.published.iter().map(PublishedTimes::printed).collect();
        self.words(canvas, (left, right), y, &second(), &texts.join(" · "));
    }
}

/// Which of the document's GPUs has which mark; returns the height below.
pub fn legend(canvas: &mut Canvas, against: &Against, mut y: i32) -> i32 {
    let (label, mut x, end) = (second(), MARGIN, canvas.paper.end());
    let intro = "Published for other GPUs, over their CPUs:";
    canvas.text((x, y), &label, intro);
    x += label.width(intro) + 26;
    for (place, gpu) in gpus(against).into_iter().enumerate() {
        if canvas.paper.is_narrow() && x + 24 + label.width(gpu) > end {
            (x, y) = (MARGIN, y + LEGEND);
        }
        let gpu = label.fit(gpu, end - x - 24);
        if gpu.is_empty() {
            break;
        }
        SHAPES[place % SHAPES.len()].draw(canvas, (x + RADIUS, y), RADIUS, INK);
        canvas.text((x + 24, y), &label, &gpu);
        x += 24 + label.width(&gpu) + 30;
    }
    y + LEGEND
}

/// What the published figures are, and whose.
pub fn note(against: &Against) -> String {
    let (name, source) = (&against.published.name, &against.published.source);
    match gpus(against).as_slice() {
        [] => String::new(),
        _ => format!(
            "Published: times one thread of the CPU in the computer of each of {name}'s GPUs, which \
             is another CPU than this one. {source}."
        ),
    }
}

/// The document's GPUs, in the order of its table.
fn gpus(against: &Against) -> Vec<&str> {
    let mut gpus: Vec<&str> = Vec::new();
    for one in against.gpu.steps.iter().flat_map(|entry| &entry.published) {
        if !gpus.contains(&one.gpu.as_str()) {
            gpus.push(&one.gpu);
        }
    }
    gpus
}
