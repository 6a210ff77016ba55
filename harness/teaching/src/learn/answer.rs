//! What a reader predicted, held against a trial or a committed report; and the number that a reader chose.

use std::path::Path;

use anyhow::{Context, Result, bail};
use device::Source;
use ladder::workspace;
use launches::facts::Facts;
use report::{Report, files};
use simt::model::Gpu;

use super::case::Case;
use super::exercise::Exercise;
use super::findings::Verdict;
use super::goals::{costliest, event, number, words};
use super::launch::Numbers;
use super::plan::SEED;
use super::question::{Compared, Predict, Question};
use super::trial::{Stop, Trials};

/// The verdict on a prediction.
///
/// # Errors
/// The exercise itself is not in order.
pub fn check(exercise: &Exercise, predict: &Predict, file: &Path) -> Result<Verdict> {
    let written = match written(file) {
        Ok(written) => written,
        Err(error) => return Ok(Verdict::Wrong(format!("error: {error:#}"))),
    };
    let wrong = |head: String| {
        Ok(Verdict::Wrong(format!(
            "error: {}: {head}\n    = think: {}",
            file.display(),
            predict.ask
        )))
    };
    let (right, is_less) = match &predict.of {
        Question::Order(event) => {
            let counted = counted(exercise, event)?;
            return match in_order(&written, &counted) {
                Ok(true) => Ok(Verdict::Passed(vec![listed(&counted)])),
                Ok(false) => wrong(format!("`{written}` is not the order of {}", words(event))),
                Err(error) => Ok(Verdict::Wrong(format!("error: {}: {error:#}", file.display()))),
            };
        }
        Question::Line(event) => (line(exercise, event)?, "most are at line"),
        Question::Count(event) => (single(exercise, event)?, "the simulator counts"),
        Question::Gain(compared) => (gain(compared)?, "the measured gain is"),
        Question::Crossover(compared) => (crossover(compared)?, "the measured size is"),
    };
    let answer = match parse(&written) {
        Ok(answer) => answer,
        Err(error) => return Ok(Verdict::Wrong(format!("error: {}: {error:#}", file.display()))),
    };
    if (answer - right).abs() <= predict.within * right.abs() {
        return Ok(Verdict::Passed(vec![format!("{is_less} {}", rounded(right, predict))]));
    }
    let much = match &predict.of {
        Question::Line(event) => {
            return wrong(format!(
                "line {} does not have the most {}",
                number(answer),
                words(event)
            ));
        }
        Question::Count(_) if answer > right => "less",
        Question::Count(_) => "more",
        _ if answer > right => "smaller",
        _ => "larger",
    };
    wrong(format!("{is_less} {much} than {}", number(answer)))
}

/// What is right, as a reader would write it.
///
/// # Errors
/// The exercise itself is not in order.
pub fn right(exercise: &Exercise, predict: &Predict) -> Result<String> {
    Ok(match &predict.of {
        Question::Order(event) => {
            let counted = counted(exercise, event)?;
            counted.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
        }
        Question::Line(event) => number(line(exercise, event)?),
        Question::Count(event) => rounded(single(exercise, event)?, predict),
        Question::Gain(compared) => rounded(gain(compared)?, predict),
        Question::Crossover(compared) => rounded(crossover(compared)?, predict),
    })
}

/// What passes an exercise: the solution's file, or the right answer.
///
/// # Errors
/// The exercise itself is not in order.
pub fn solution_text(exercise: &Exercise) -> Result<String> {
    if let Some(predict) = &exercise.predict {
        return Ok(format!("answer = {}\n", right(exercise, predict)?));
    }
    let file = exercise.solution()?;
    files::read_text(&file).with_context(|| format!("cannot read {}", file.display()))
}

/// The number that a committed report answers a question with.
///
/// # Errors
/// The report has no such number, or the question is not for a report.
pub fn measured(question: &Question) -> Result<f64> {
    match question {
        Question::Gain(compared) => gain(compared),
        Question::Crossover(compared) => crossover(compared),
        Question::Count(_) | Question::Line(_) | Question::Order(_) => {
            bail!("no report answers this")
        }
    }
}

/// As many digits as a prediction can be held to.
fn rounded(value: f64, predict: &Predict) -> String {
    if predict.within == 0.0 { number(value) } else { report::format::significant(value) }
}

/// The number that a reader chose for a launch.
pub fn chosen(file: &Path) -> Result<u64> {
    let written = written(file)?;
    let number = written.replace('_', "").parse();
    number.with_context(|| format!("{}: `{written}` is no whole number", file.display()))
}

/// What stands after `answer =` in a reader's file.
fn written(file: &Path) -> Result<String> {
    let name = file.display();
    let text = files::read(file).and_then(files::text_of);
    let text = text.with_context(|| format!("cannot read {name}"))?;
    let lines =
        text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("answer"));
    let (at, line) = lines.last().with_context(|| format!("{name} has no line `answer = …`"))?;
    let value = line.split_once('=').map(|(_, value)| value.split('#').next().unwrap_or(""));
    let value = value.map(|value| value.trim().trim_matches(['"', '[', ']']).trim());
    let value = value.filter(|value| !value.is_empty());
    let value =
        value.with_context(|| format!("{name}:{}: write your answer after `answer =`", at + 1))?;
    Ok(value.to_owned())
}

fn parse(written: &str) -> Result<f64> {
    let number = written.replace('_', "").parse::<f64>().ok().filter(|it| it.is_finite());
    number.with_context(|| format!("`{written}` is no number"))
}

/// Whether what was written names each of `counted`, from the least to the most; equals may change places.
fn in_order(written: &str, counted: &[(String, f64)]) -> Result<bool> {
    let names: Vec<&str> =
        written.split([',', '<']).map(|name| name.trim().trim_matches('"')).collect();
    let known = || counted.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
    let mut values = Vec::new();
    for name in &names {
        match counted.iter().find(|(known, _)| known == name) {
            Some((_, value)) => values.push(*value),
            None => {
                let mut all = known();
                all.sort_unstable();
                bail!("`{name}` is none of them: {}", all.join(", "));
            }
        }
    }
    let mut sorted = (names, known());
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    if sorted.0 != sorted.1 {
        bail!("name each of them once: {}", sorted.1.join(", "));
    }
    Ok(values.is_sorted())
}

fn listed(counted: &[(String, f64)]) -> String {
    let each = counted.iter().map(|(name, value)| format!("{name}: {}", number(*value)));
    each.collect::<Vec<_>>().join(", ")
}

/// The number of an event of all launches of the committed kernel.
fn single(exercise: &Exercise, path: &str) -> Result<f64> {
    let facts = facts(exercise)?.0;
    event(&facts, path).with_context(|| format!("{}: there is no event {path}", exercise.name))
}

/// The line that has most of an event.
fn line(exercise: &Exercise, path: &str) -> Result<f64> {
    let line = costliest(&facts(exercise)?.0, path).map(f64::from);
    line.with_context(|| format!("{}: no line has {path}", exercise.name))
}

/// The number of an event of each launch, the least first.
fn counted(exercise: &Exercise, path: &str) -> Result<Vec<(String, f64)>> {
    let mut all = Vec::new();
    for (kernel, facts) in facts(exercise)?.1 {
        let value = event(&facts, path)
            .with_context(|| format!("{}: {kernel} has no event {path}", exercise.name))?;
        all.push((kernel, value));
    }
    all.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    Ok(all)
}

/// What the launches of the committed kernel did: all together, and each.
fn facts(exercise: &Exercise) -> Result<(Facts, Vec<(String, Facts)>)> {
    let gpu: Gpu = device::described(device::DEFAULT_GPU)?;
    let source = Source::from_file(&exercise.committed()?, &[])?;
    let case = Case::of_goals(exercise, SEED);
    let case = case.with_context(|| format!("{} has no sizes", exercise.name))?;
    let run = || -> Result<_, Stop> {
        let mut trials = Trials::load(exercise, source, &gpu, Numbers::default())?;
        let trial = trials.run(&case)?;
        let each = trials.each(&trial)?;
        Ok((trial.facts, each))
    };
    run().map_err(|stop| match stop {
        Stop::Kernel(error) => error.into(),
        Stop::Launch(why) => anyhow::anyhow!(why),
        Stop::Exercise(error) => error,
    })
}

/// The seconds that two steps of a report take, at each size that both were timed at, the smallest first.
fn seconds(compared: &Compared) -> Result<Vec<(u64, f64, f64)>> {
    let file = workspace::root()?.join("reports").join(&compared.report).join("report.json");
    let report = Report::read(&file)?;
    let timed = |step: &str| {
        let row = report.rows.iter().find(|row| row.step == step);
        let row = row.with_context(|| format!("{} has no step {step}", file.display()))?;
        anyhow::Ok(row.timed.iter().map(|timed| (timed.n, timed.seconds)).collect::<Vec<_>>())
    };
    let (new, old) = (timed(&compared.step)?, timed(&compared.over)?);
    let both = new.iter().filter_map(|(n, new)| {
        old.iter().find(|(size, _)| size == n).map(|(_, old)| (*n, *new, *old))
    });
    let mut all: Vec<_> = both.collect();
    all.sort_by_key(|(n, ..)| *n);
    Ok(all)
}

fn gain(compared: &Compared) -> Result<f64> {
    let all = seconds(compared)?;
    let at = all.iter().find(|(n, ..)| *n == compared.size);
    let (_, new, old) =
        at.with_context(|| format!("{}: nothing was timed at {}", compared.report, compared.size))?;
    Ok(old / new / compared.per.unwrap_or(1.0))
}

fn crossover(compared: &Compared) -> Result<f64> {
    let all = seconds(compared)?;
    let faster = all.iter().rev().take_while(|(_, new, old)| new < old);
    let (n, ..) = faster
        .last()
        .with_context(|| format!("{}: {} is never faster", compared.report, compared.step))?;
    Ok(*n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("answer.toml");
        std::fs::write(&file, text).expect("written");
        (folder, file)
    }

    #[test]
    fn answers_stand_after_the_sign_and_before_a_comment() {
        for (text, expected) in [
            ("# first\nanswer = 18 # sectors\n", "18"),
            ("answer=1_000", "1_000"),
            ("answer = [\"a\", \"b\"]", "a\", \"b"),
            ("answer = 1\nanswer = 2\n", "2"),
        ] {
            let (_folder, file) = file(text);
            assert_eq!(written(&file).expect(text), expected, "{text}");
        }
        for (text, words) in [("", "no line `answer"), ("answer = # 7", ":1: write your answer")] {
            let (_folder, file) = file(text);
            assert!(written(&file).expect_err(text).to_string().contains(words), "{text}");
        }
    }

    #[test]
    fn an_order_names_each_once_and_equals_may_change_places() {
        let counted = [("a".to_owned(), 1.0), ("b".to_owned(), 2.0), ("c".to_owned(), 2.0)];
        for text in ["a, b, c", "a,c,b", "a < b < c"] {
            assert!(in_order(text, &counted).expect(text), "{text}");
        }
        assert!(!in_order("b, a, c", &counted).expect("an order"));
        for (text, words) in [("a, b", "each of them once"), ("a, b, x", "`x` is none")] {
            assert!(in_order(text, &counted).expect_err(text).to_string().contains(words));
        }
    }

    #[test]
    fn reports_answer_with_gains_and_crossovers() {
        let compared = |step: &str, over: &str, size| Compared {
            report: "h200-beyond".to_owned(),
            step: step.to_owned(),
            over: over.to_owned(),
            size,
            per: None,
        };
        let size = crossover(&compared("14-pairs", "13-lanes", 0)).expect("a size") as u64;
        let at = |size| gain(&compared("14-pairs", "13-lanes", size)).expect("a gain");
        assert!(at(size) > 1.0 && at(size / 2) <= 1.0, "{size}");
        assert!(gain(&compared("14-pairs", "13-lanes", 3)).is_err());
        assert!(gain(&compared("99-none", "13-lanes", 4096)).is_err());
    }
}
