//! What a sweep over variants found: with which blocks and which values of its kernel's parameters a step is fastest.

use anstyle::{AnsiColor, Style};
use report::{CONFIDENCE, LEAST_EFFECT, Report, Row, TimeSource, Timed};
use report::statistics::{Speed, Verdict, paired, unpaired, verdict};

use crate::table::layout::{self, Layout};
use crate::table::{figures, markdown_line};

/// Variants of a step that were timed with the same number of bodies.
#[derive(Debug)]
pub struct Tuning<'r> {
    /// The step's folder.
    pub step: &'r str,
    /// Bodies.
    pub n: u64,
    /// What was timed, in the order of the report; at least two.
    pub trials: Vec<Trial<'r>>,
}

/// A variant and its time.
#[derive(Debug, Clone, Copy)]
pub struct Trial<'r> {
    /// Its row.
    pub row: &'r Row,
    /// What was timed with so many bodies.
    pub timed: &'r Timed,
}

/// What the cells of a line are; in the last is the mark.
pub const HEAD: [&str; 8] =
    ["variant", "time", "10⁹ inter./s", "× best", "error", "registers", "resident warps", ""];
/// See [`HEAD`].
pub const MARK: usize = HEAD.len() - 1;

impl Tuning<'_> {
    /// What a report has of them, in its order.
    pub fn of(report: &Report) -> Vec<Tuning<'_>> {
        let mut tunings: Vec<Tuning> = Vec::new();
        let rows = report.rows.iter().filter(|row| row.outcome.is_verified() && !row.is_own());
        for trial in rows.flat_map(|row| row.timed.iter().map(move |timed| Trial { row, timed })) {
            let (step, n) = (trial.row.step.as_str(), trial.timed.n);
            match tunings.iter_mut().find(|it| (it.step, it.n) == (step, n)) {
                Some(tuning) => tuning.trials.push(trial),
                None => tunings.push(Tuning { step, n, trials: vec![trial] }),
            }
        }
        tunings.retain(|tuning| tuning.trials.len() > 1);
        tunings
    }

    /// The step, the number of bodies and what the times are.
    pub fn title(&self) -> String {
        let is_modelled = |it: &Trial| it.row.time_source == Some(TimeSource::Model);
        let times = if self.trials.iter().all(is_modelled) { "MODELLED" } else { "MEASURED" };
        format!("{} at n = {}, {times}", self.step, self.n)
    }

    /// The fastest.
    pub fn best(&self) -> Option<&Trial<'_>> {
        self.trials.iter().min_by(|a, b| a.timed.seconds.total_cmp(&b.timed.seconds))
    }

    /// A line of the table for each: its cells, and whether it is the fastest or no slower.
    pub fn lines(&self) -> Vec<([String; HEAD.len()], bool)> {
        let Some(best) = self.best() else { return Vec::new() };
        let line = |trial: &Trial| {
            let is_best = std::ptr::eq(trial.row, best.row);
            let no_slower = is_best || trial.against(best) != Verdict::Slower;
            let mark = match (is_best, no_slower) {
                (true, _) => "best",
                (false, true) => "no slower",
                (false, false) => "",
            };
            // What is resident is known with the step's own number of bodies.
            let own = trial.row.n() == Some(self.n);
            let resident = trial.row.occupancy.as_ref().filter(|_| own);
            let cells = [
                trial.row.variant().to_string(),
                figures::time(Some(trial.timed.seconds)),
                figures::rate(Some(trial.timed.interactions_per_second())),
                figures::near_one(best.timed.seconds / trial.timed.seconds),
                figures::error(trial.timed.accuracy.rms),
                figures::count(resident.and_then(|it| it.registers).map(u64::from)),
                figures::count(resident.map(|it| it.warps.into())),
                mark.to_owned(),
            ];
            (cells, no_slower)
        };
        self.trials.iter().map(line).collect()
    }
}

impl Trial<'_> {
    /// How this compares with another in speed.
    pub fn against(&self, other: &Trial) -> Verdict {
        compared((self.timed, self.row.session), (other.timed, other.row.session))
    }
}

/// How what was timed in a session compares in speed with another: by samples of the same rounds where there are some.
pub fn compared((own, session): (&Timed, u32), (other, others): (&Timed, u32)) -> Verdict {
    let (samples, of_other) = (&own.samples, &other.samples);
    let speed = if session == others && samples.round == of_other.round {
        paired(&of_other.seconds, &samples.seconds, CONFIDENCE)
    } else {
        unpaired(&of_other.seconds, &samples.seconds, CONFIDENCE)
    };
    let plain = Speed { ratio: other.seconds / own.seconds, interval: None };
    verdict(speed.unwrap_or(plain), LEAST_EFFECT)
}

/// The variants of all steps of a report in lines of at most `width` columns where that can be;
/// nothing where there are none.
pub fn text(report: &Report, width: usize) -> String {
    let bold = Style::new().bold();
    let green = AnsiColor::Green.on_default();
    let mut text = String::new();
    for tuning in Tuning::of(report) {
        text += &format!("\n{bold}Variants of {}{bold:#}\n", tuning.title());
        let mut lines = vec![HEAD.map(|head| format!("{bold}{head}{bold:#}")).to_vec()];
        lines.extend(tuning.lines().into_iter().map(|(mut cells, no_slower)| {
            if no_slower {
                cells[MARK] = format!("{green}{}{green:#}", cells[MARK]);
            }
            cells.to_vec()
        }));
        let layout = Layout { gives_way: 6, narrowest: 9, figures: 1 };
        text += &layout::text(&layout.table(lines, width));
    }
    text
}

/// The same as Markdown tables.
pub fn markdown(report: &Report) -> String {
    let tables = Tuning::of(report).into_iter().map(|tuning| {
        let head = format!("{}:\n\n{}", tuning.title(), markdown_line(&HEAD.map(str::to_owned)));
        let head = head + "|:--|--:|--:|--:|--:|--:|--:|:--|\n";
        tuning.lines().into_iter().fold(head, |text, (mut cells, no_slower)| {
            if no_slower {
                cells[MARK] = format!("**{}**", cells[MARK]);
            }
            text + &markdown_line(&cells)
        })
    });
    tables.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use tabled::grid::util::string::get_text_width;

    use super::*;
    use crate::synthetic;

    #[test]
    fn the_best_is_marked_and_so_is_what_is_no_slower() {
        let mut report = synthetic::tuning();
        let tunings = Tuning::of(&report);
        assert_eq!(tunings.len(), 2);
        let best = tunings[0].best().expect("the fastest").row.variant().to_string();
        assert_eq!(best, "UNROLL=4, FLUSH=2");
        let marks = |report: &Report| -> Vec<(String, String)> {
            let lines = Tuning::of(report).remove(0).lines();
            let mark =
                |(cells, _): ([String; HEAD.len()], bool)| (cells[0].clone(), cells[MARK].clone());
            lines.into_iter().map(mark).filter(|(_, mark)| !mark.is_empty()).collect()
        };
        let pair = |name: &str, mark: &str| (name.to_owned(), mark.to_owned());
        assert_eq!(marks(&report), [pair("UNROLL=4, FLUSH=2", "best")]);
        let of = |report: &Report, name: &str| {
            report.rows.iter().position(|row| row.variant().to_string() == name).expect("a row")
        };
        let (one, other) = (of(&report, "UNROLL=4, FLUSH=2"), of(&report, "UNROLL=1, FLUSH=1"));
        report.rows[other].timed = report.rows[one].timed.clone();
        let marked = marks(&report);
        assert!(marked.contains(&pair("UNROLL=4, FLUSH=2", "no slower")), "{marked:?}");
        assert!(marked.contains(&pair("UNROLL=1, FLUSH=1", "best")), "{marked:?}");
    }

    #[test]
    fn tables_fit_the_terminal_and_reports_without_variants_have_none() {
        let report = synthetic::tuning();
        for width in [80, 120] {
            let text = anstream::adapter::strip_str(&text(&report, width)).to_string();
            assert!(text.lines().all(|line| get_text_width(line) <= width), "{text}");
            assert_eq!(text.matches(" best\n").count(), 2, "{text}");
        }
        let tables = markdown(&report);
        assert_eq!(tables.matches("| **best** |").count(), 2, "{tables}");
        assert!(tables.contains("14-pairs at n = 131072, MEASURED"), "{tables}");
        assert_eq!(text(&synthetic::sweep(), 80), "");
        assert_eq!(markdown(&synthetic::sweep()), "");
    }
}
