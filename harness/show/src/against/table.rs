//! The comparison as a table, for pages of text.

use super::{Against, Entry, Published, words};
use crate::plot::numbers;
use crate::table::{figures, markdown_line};

/// The heads of the columns.
pub const HEADS: [&str; 9] = [
    "step",
    "on",
    "n",
    "10⁹ interactions/s",
    "× one CPU thread",
    "× fastest on one thread",
    "× best CPU step",
    "error",
    "published × one CPU thread",
];

/// All steps as a Markdown table, the CPU's first, and what one must know to read it. `link` gives the
/// address behind a step's name.
pub fn markdown(against: &Against, link: &dyn Fn(&Entry) -> Option<String>) -> String {
    let mut text = markdown_line(&HEADS.map(str::to_owned));
    text += "|:--|:--|--:|--:|--:|--:|--:|--:|:--|\n";
    for entry in against.cpu.steps.iter().chain(&against.gpu.steps) {
        let name = match link(entry) {
            Some(address) => format!("[{}]({address})", entry.step),
            None => format!("`{}`", entry.step),
        };
        let detour = if entry.detour { " (detour)" } else { "" };
        let published: Vec<String> = entry.published.iter().map(figure).collect();
        let [thread, fastest, best] = against.times(entry).map(factor);
        text += &markdown_line(&[
            format!("{name}{detour}: {}", entry.title),
            place(entry),
            entry.n.to_string(),
            figures::rate(Some(entry.rate)),
            thread,
            fastest,
            best,
            figures::error(entry.error),
            published.join("; "),
        ]);
    }
    format!("{text}\n{}\n", words::caption(against).join(" "))
}

/// A factor in three digits; far below one as the tutorial writes it: "1/72.4". A dash for what there
/// is not.
pub fn factor(times: Option<f64>) -> String {
    match times {
        None => figures::NONE.to_owned(),
        Some(times) if times < 0.0995 => {
            format!("1/{}", numbers::factor(times.recip()).trim_start_matches('×'))
        }
        Some(times) => numbers::factor(times),
    }
}

/// What a step runs on.
pub fn place(entry: &Entry) -> String {
    let of_cpu = entry.ladder == super::CPU_LADDER;
    match entry.threads {
        Some(_) => format!("CPU, {}", words::threads(entry)),
        None if of_cpu => "CPU".to_owned(),
        None if entry.modelled => "GPU, modelled".to_owned(),
        None => "GPU".to_owned(),
    }
}

/// A published figure as it was printed, and where.
pub fn figure(published: &Published) -> String {
    let Published { gpu, slide, n, .. } = published;
    let text = words::printed(published);
    let n = n.map_or_else(|| "n not stated".to_owned(), |n| format!("n = {}", numbers::count(n)));
    format!("{text} on {gpu}, {n}, slide {slide}")
}
