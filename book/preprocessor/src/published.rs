// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws what the tutorial published, from `reports/published/burtscher-nbody.csv`: the speed-ups of
//! its slides, as they stand there. A size that a slide does not state is empty.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

const FILE: &str = "reports/published/burtscher-nbody.csv";
const HEADER: &str = "step,slide,against,gpu,n,time_steps,ratio";

/// One published speed-up.
#[derive(Debug, PartialEq, Eq)]
struct Figure {
    step: String,
    slide: u32,
    /// What it is a speed-up over: "parent" or "one CPU thread".
    against: String,
    gpu: String,
    n: String,
    time_steps: String,
    /// As printed: "1.83", "1/72.4".
    ratio: String,
}

/// A table of what was published for `step`: one column a GPU. `sources` is the link to the sources' page.
pub fn table(root: &Path, step: &str, sources: &str) -> Result<String> {
    let text =
        std::fs::read_to_string(root.join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    let mut figures = parse(&text)?;
    figures.retain(|figure| figure.step == step);
    let Some(first) = figures.first() else { bail!("{FILE} has no row of {step}") };
    let against = first.against.clone();
    let own: Vec<&Figure> = figures.iter().filter(|figure| figure.against == against).collect();
    let mut out = line("", own.iter().map(|figure| figure.gpu.as_str()));
    out += &format!("|:--|{}\n", "--:|".repeat(own.len()));
    if own.iter().all(|figure| !figure.n.is_empty()) {
        out += &line("bodies n", own.iter().map(|figure| figure.n.as_str()));
        out += &line("time steps", own.iter().map(|figure| figure.time_steps.as_str()));
    }
    for ratios in figures.chunk_by(|a, b| a.against == b.against) {
        let label = format!("× {}", ratios[0].against);
        out += &line(&label, ratios.iter().map(|figure| figure.ratio.as_str()));
    }
    // Writing to a String cannot fail.
    let _ = writeln!(out, "\nSource: [Burtscher, slide {}]({sources}#burtscher).", first.slide);
    Ok(out)
}

fn line<'a>(label: &str, cells: impl Iterator<Item = &'a str>) -> String {
    format!("| {label} | {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

fn parse(text: &str) -> Result<Vec<Figure>> {
    let mut lines = text.lines().enumerate();
    ensure!(
        lines.next().is_some_and(|(_, line)| line == HEADER),
        "{FILE}:1: the header is not {HEADER}"
    );
    lines
        .map(|(at, line)| figure(line).with_context(|| format!("{FILE}:{}: `{line}`", at + 1)))
        .collect()
}

fn figure(line: &str) -> Result<Figure> {
    let cells: Vec<&str> = line.split(',').collect();
    let &[step, slide, against, gpu, n, time_steps, ratio] = cells.as_slice() else {
        bail!("a row has 7 cells");
    };
    for count in [n, time_steps].iter().filter(|count| !count.is_empty()) {
        count.parse::<u64>().context("n and time_steps are whole numbers")?;
    }
    ratio
        .strip_prefix("1/")
        .unwrap_or(ratio)
        .parse::<f64>()
        .context("a ratio is 1.83 or 1/72.4")?;
    Ok(Figure {
        step: step.to_owned(),
        slide: slide.parse().context("a slide is a number")?,
        against: against.to_owned(),
        gpu: gpu.to_owned(),
        n: n.to_owned(),
        time_steps: time_steps.to_owned(),
        ratio: ratio.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: &str, step: &str) -> Result<String> {
        let root = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(root.path().join("reports/published")).expect("a folder");
        std::fs::write(root.path().join(FILE), format!("{HEADER}\n{rows}")).expect("a file");
        table(root.path(), step, "../sources.md")
    }

    #[test]
    fn a_step_gets_a_column_per_gpu() {
        let rows = "a,40,parent,G1,1000,1,0.99\na,40,parent,G2,2000,1,1.83\nb,41,parent,G1,,,2\n";
        let out = drawn(rows, "a").unwrap();
        assert!(
            out.starts_with("|  | G1 | G2 |\n|:--|--:|--:|\n| bodies n | 1000 | 2000 |\n"),
            "{out}"
        );
        assert!(out.contains("| × parent | 0.99 | 1.83 |\n"), "{out}");
        assert!(out.contains("[Burtscher, slide 40](../sources.md#burtscher)"), "{out}");
    }

    #[test]
    fn sizes_not_stated_are_left_out_and_every_comparison_is_shown() {
        let out = drawn("a,31,parent,G1,,,7781\na,31,one CPU thread,G1,,,1/2.5\n", "a").unwrap();
        assert!(!out.contains("bodies"), "{out}");
        assert!(out.contains("| × parent | 7781 |\n| × one CPU thread | 1/2.5 |\n"), "{out}");
    }

    #[test]
    fn malformed_rows_are_named() {
        for rows in [
            "a,40,parent,G1,1000,1\n",
            "a,40,parent,G1,x,1,2\n",
            "a,40,parent,G1,1,1,fast\n",
            "a,x,p,G,1,1,1\n",
        ] {
            let message = format!("{:#}", drawn(rows, "a").unwrap_err());
            assert!(message.contains("burtscher-nbody.csv:2"), "{message}");
        }
        assert!(drawn("a,40,parent,G1,1,1,2\n", "z").is_err());
    }
}
