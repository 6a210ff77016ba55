//! A timeline as an SVG that fits light and dark pages and answers the mouse.

use super::work::Work;
use super::{Run, Timeline};
use crate::facts::LineFacts;

// All in the picture's pixels.
const WIDTH: f64 = 1600.0;
const LEFT: f64 = 110.0; // of the rows: there stand the warps' names
const RIGHT: f64 = 30.0;
const ROW: f64 = 30.0; // height with all lanes active
const STEP: f64 = 46.0; // from a row to the next: above each is room for the marks
const TITLE: f64 = 56.0;
const AXIS: f64 = 44.0;
const LEGEND: f64 = 96.0;
const LEGEND_LINE: f64 = 32.0;
const ENTRY: f64 = 296.0; // width of an entry of the legend; five stand in a line

/// Lanes of a warp.
const LANES: f64 = 32.0;
/// Instructions from one mark of the axis to the next.
const TICK: u64 = 50;

/// A place or a size.
type Pair = (f64, f64);

/// Text and lines follow the page's colours.
const STYLE: &str = "\
text{font:20px system-ui,sans-serif;fill:#1e1e1e}.title{font-size:26px;font-weight:600}\
.small{font-size:17px;fill:#5a5a5a}.line{stroke:#c8c8c8}.wait{stroke:#5a5a5a;stroke-dasharray:3 5}\
.ground{fill:#fff}.bar{fill:#009e73;opacity:.3}\
@media(prefers-color-scheme:dark){text{fill:#eee}.small{fill:#b4b4b4}.line{stroke:#555}\
.wait{stroke:#b4b4b4}.ground{fill:#1b1b1b}}";

const DESCRIPTION: &str = "One row for each warp. To the right: instructions issued. Height: active lanes. Triangles: \
                           requests of global memory; dots: of shared memory. Green bars: barriers.";

/// The timelines of several launches, one below the other, each with the source lines that it may name.
pub fn picture(timelines: &[(&Timeline, &[LineFacts])]) -> String {
    let heights = timelines.iter().map(|(timeline, _)| height(timeline));
    let mut runs = timelines.iter().flat_map(|(timeline, _)| timeline.warps.iter().flatten());
    // Few kernels multiply matrices: only theirs explain it.
    let with_tensor = runs.any(|run| run.work == Work::Tensor);
    let legend_height = if with_tensor { LEGEND + LEGEND_LINE } else { LEGEND };
    let total = heights.clone().sum::<f64>() + legend_height;
    let end = timelines.iter().map(|(timeline, _)| timeline.end()).max().unwrap_or(1).max(1);
    let names: Vec<&str> = timelines.iter().map(|(timeline, _)| timeline.title.as_str()).collect();
    let title = escaped(&format!("What the warps of a block do: {}", names.join(", ")));
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {total}" style="max-width:100%;height:auto">
<title>{title}</title>
<desc>{DESCRIPTION}</desc>
<style>{STYLE}</style>
<rect class="ground" width="{WIDTH}" height="{total}"/>
"#
    );
    let mut top = 0.0;
    for ((timeline, lines), height) in timelines.iter().zip(heights) {
        draw(&mut out, timeline, lines, top, end);
        top += height;
    }
    legend(&mut out, top, with_tensor);
    out + "</svg>\n"
}

fn height(timeline: &Timeline) -> f64 {
    TITLE + STEP * timeline.warps.len() as f64 + AXIS
}

/// One launch, from `top` on; `end` is where time ends.
fn draw(out: &mut String, timeline: &Timeline, lines: &[LineFacts], top: f64, end: u64) {
    let x = |time: u64| LEFT + (WIDTH - LEFT - RIGHT) * time as f64 / end as f64;
    let rows = top + TITLE;
    let bottom = rows + STEP * timeline.warps.len() as f64;
    text(out, (LEFT, top + 36.0), "title", &timeline.title);
    for &(first, last) in &timeline.barriers {
        let hint = format!("barrier: the first warp came at {first}, the last at {last}");
        let width = (x(last) - x(first)).max(3.0);
        rectangle(out, "class=\"bar\"", (x(first), rows), (width, bottom - rows), &hint);
    }
    for (number, runs) in timeline.warps.iter().enumerate() {
        let base = rows + STEP * (number + 1) as f64;
        text(out, (16.0, base - 8.0), "small", &format!("warp {number}"));
        let mut now = 0;
        for run in runs {
            if run.start > now {
                line(out, "wait", (x(now), base - ROW / 2.0), (x(run.start), base - ROW / 2.0));
            }
            now = run.end;
            let size = (x(run.end) - x(run.start), ROW * f64::from(run.lanes) / LANES);
            rectangle(out, &fill(run.work), (x(run.start), base - size.1), size, &run.hint(lines));
            mark(out, run, ((x(run.start) + x(run.end)) / 2.0, base - ROW - 3.0));
        }
        line(out, "line", (LEFT, base), (WIDTH - RIGHT, base));
    }
    for time in (0..=end).step_by(TICK as usize) {
        line(out, "line", (x(time), bottom), (x(time), bottom + 6.0));
        text(out, (x(time) - 8.0, bottom + 24.0), "small", &time.to_string());
    }
    text(out, (16.0, bottom + 24.0), "small", "issued");
}

/// The mark of a request of memory, its tip at `(x, y)`: a triangle for global memory, a dot for shared memory.
fn mark(out: &mut String, run: &Run, (x, y): Pair) {
    let fill = fill(run.work);
    *out += &match run.work {
        Work::Global => {
            let (left, right, up) = (x - 5.0, x + 5.0, y - 9.0);
            format!("<path d=\"M{x:.1} {y:.1}L{left:.1} {up:.1}H{right:.1}Z\" {fill}/>\n")
        }
        Work::Shared => {
            let up = y - 4.0;
            format!("<circle cx=\"{x:.1}\" cy=\"{up:.1}\" r=\"2.5\" {fill}/>\n")
        }
        _ => return,
    };
}

fn legend(out: &mut String, top: f64, with_tensor: bool) {
    let shown = Work::ALL.into_iter().filter(|&work| work != Work::Tensor || with_tensor);
    for (place, work) in shown.enumerate() {
        let (column, line) = ((place % 5) as f64, (place / 5) as f64);
        let (left, base) = (LEFT + ENTRY * column, top + 36.0 + LEGEND_LINE * line);
        rectangle(out, &fill(work), (left, base - 16.0), (18.0, 18.0), work.name());
        text(out, (left + 26.0, base), "small", work.name());
    }
    // At the end of the second line, or below it where that is full.
    let (left, line) = if with_tensor { (LEFT, 2.0) } else { (LEFT + ENTRY * 3.0, 1.0) };
    text(
        out,
        (left, top + 36.0 + LEGEND_LINE * line),
        "small",
        "▼ global, ● shared request · height: active lanes · ┄ waits",
    );
}

fn fill(work: Work) -> String {
    format!("fill=\"{}\"", work.colour())
}

/// A rectangle with a hint for the mouse.
fn rectangle(out: &mut String, paint: &str, (x, y): Pair, (width, height): Pair, hint: &str) {
    let (size, hint) = (format!(r#"width="{width:.1}" height="{height:.1}""#), escaped(hint));
    *out +=
        &format!("<rect {paint} x=\"{x:.1}\" y=\"{y:.1}\" {size}><title>{hint}</title></rect>\n");
}

fn line(out: &mut String, class: &str, (x1, y1): Pair, (x2, y2): Pair) {
    let ends = format!(r#"x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}""#);
    *out += &format!("<line class=\"{class}\" {ends}/>\n");
}

fn text(out: &mut String, (x, y): Pair, class: &str, words: &str) {
    let words = escaped(words);
    *out += &format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use simt::machine::Place;

    use super::*;

    #[test]
    fn a_picture_has_its_parts() {
        let run =
            |start, end, work, lanes| Run { start, end, work, lanes, place: Place::default() };
        let first = vec![run(0, 10, Work::Fp32, 32), run(10, 11, Work::Global, 8)];
        let second = vec![run(0, 4, Work::Other, 32), run(11, 20, Work::Shared, 32)];
        let timeline = Timeline {
            title: "a < b".to_owned(),
            warps: vec![first, second],
            barriers: vec![(4, 11)],
        };
        let picture = picture(&[(&timeline, &[])]);
        assert!(!picture.contains(Work::Tensor.name()), "only where there are any");
        assert!(picture.contains("a &lt; b") && !picture.contains("a < b"));
        assert_eq!(
            picture.matches("class=\"wait\"").count(),
            1,
            "the second warp waits from 4 to 11"
        );
        assert_eq!(picture.matches("class=\"bar\"").count(), 1);
        assert_eq!(picture.matches("<path").count(), 1, "one global request");
        // A quarter of the lanes is a quarter of the height.
        assert!(picture.contains("height=\"7.5\""), "{picture}");
    }
}
