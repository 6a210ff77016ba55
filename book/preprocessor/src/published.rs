//! Draws what a document published for a step, from `reports/published/<ladder>.csv`: the speed-ups of
//! its slides, as they stand there. A size that a slide does not state is empty.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use report::published::times::{Time, Times};
use report::published::{Line, Published};
use report::{Row, format};
use show::table::Table;

/// A table of what was published for a step: one column a GPU. `sources` is the link to the sources' page.
pub fn table(root: &Path, ladder: &str, step: &str, sources: &str) -> Result<String> {
    let file = format!("reports/published/{ladder}.csv");
    let published = Published::read(&root.join(&file))?;
    let lines: Vec<&Line> = published.lines.iter().filter(|line| line.step == step).collect();
    let first = lines.first().with_context(|| format!("{file} has no row of {step}"))?;
    let own: Vec<&Line> =
        lines.iter().filter(|line| line.against == first.against).copied().collect();
    let row = |head: &str, cells: Vec<String>| [vec![head.to_owned()], cells].concat();
    let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    let mut rows = vec![row("", own.iter().map(|line| line.gpu.clone()).collect())];
    if own.iter().all(|line| line.n.is_some()) {
        rows.push(row("n", own.iter().map(|line| number(line.n)).collect()));
        rows.push(row("time steps", own.iter().map(|line| number(line.time_steps)).collect()));
    }
    for ratios in lines.chunk_by(|a, b| a.against == b.against) {
        ensure!(ratios.len() == own.len(), "{file}: {step} has rows of different GPUs");
        let head = format!("× {}", ratios[0].against);
        rows.push(row(&head, ratios.iter().map(|line| line.ratio.clone()).collect()));
    }
    let table = Table::lines(rows, 1).markdown();
    let author = published.source.split(',').next().unwrap_or_default();
    let name = author.rsplit(' ').next().unwrap_or_default();
    let anchor = name.to_lowercase();
    Ok(format!("{table}\nSource: [{name}, slide {}]({sources}#{anchor}).\n", first.slide))
}

/// A table of the times that a document published for the steps of a report's ladder, with the ratios of both. `above`
/// leads from the page up to `book/src`.
pub fn times(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = crate::report::read(root, machine)?;
    let ladder = &report.rows.first().context("the report has no rows")?.ladder;
    let times = Times::of_ladder(&root.join("reports"), ladder)?;
    let row = |step: &str| report.rows.iter().find(|row| row.step == step);
    let line = |time: &Time| -> Result<Vec<String>> {
        let own = row(&time.step)
            .with_context(|| format!("reports/{machine} has no row of {}", time.step))?;
        let other = time.against.as_deref().and_then(row);
        Ok(vec![
            time.variant.clone(),
            time.gpu.clone(),
            format!("{} ms", format::number(Some(time.milliseconds))),
            format::number(times.ratio(time)),
            format::number(other.and_then(|other| measured(own, other))),
            format!("[{}]({above}{ladder}/{}.md)", own.title, own.step),
        ])
    };
    let heads = ["published as", "GPU", "time", "×", "× here", "step"].map(str::to_owned);
    let lines: Vec<_> = times.lines.iter().map(line).collect::<Result<_>>()?;
    let table = Table::lines(std::iter::once(heads.to_vec()).chain(lines).collect(), 2).markdown();
    Ok(format!(
        "{table}\nSource of the times: {}. Ratios are to the same thing without the technique; those of this project are \
         measured: {}\n",
        times.source,
        crate::report::caption(&report)
    ))
}

/// How many times as fast a step is as another, for the same work.
fn measured(own: &Row, other: &Row) -> Option<f64> {
    let rate = |row: &Row| Some(row.at(row.n()?)?.rate());
    Some(rate(own)? / rate(other)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: &str, step: &str) -> Result<String> {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("reports/published");
        std::fs::create_dir_all(&folder).expect("a folder");
        let head = "# the talk: A. Author, A talk\nstep,slide,against,gpu,n,time_steps,ratio\n";
        std::fs::write(folder.join("l.csv"), format!("{head}{rows}")).expect("a file");
        table(root.path(), "l", step, "../sources.md")
    }

    #[test]
    fn a_step_gets_a_column_per_gpu() {
        let rows = "a,40,parent,G1,1000,1,0.99\na,40,parent,G2,2000,1,1.83\nb,41,parent,G1,,,2\n";
        let out = drawn(rows, "a").unwrap();
        assert!(out.starts_with("|  | G1 | G2 |\n|:--|--:|--:|\n| n | 1000 | 2000 |\n"), "{out}");
        assert!(out.contains("| × parent | 0.99 | 1.83 |\n"), "{out}");
        assert!(out.contains("[Author, slide 40](../sources.md#author)"), "{out}");
    }

    #[test]
    fn sizes_not_stated_are_left_out_and_every_comparison_is_shown() {
        let out = drawn("a,31,parent,G1,,,7781\na,31,one CPU thread,G1,,,1/2.5\n", "a").unwrap();
        assert!(!out.contains("| n |"), "{out}");
        assert!(out.contains("| × parent | 7781 |\n| × one CPU thread | 1/2.5 |\n"), "{out}");
    }

    #[test]
    fn what_is_not_published_is_said() {
        let message = drawn("a,40,parent,G1,1,1,2\n", "z").unwrap_err().to_string();
        assert!(message.contains("reports/published/l.csv has no row of z"), "{message}");
    }
}
