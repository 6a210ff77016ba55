//! The machine code of a step's loop, line by line of its source: the folded part at the end of each step's page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use ladder::{Ladder, Step};
use simt::machine::{Mix, Place};
use simt::model::Gpu;
use toolchain::sass::Committed;

use crate::sides::GPU;

/// The most lines that are shown.
const MOST: usize = 60;

/// Instructions of one source line: how often each stands there.
type Line<'m> = (&'m Place, Vec<(&'m str, u32)>);

/// The part as Markdown; none for a step without kernels. `above` leads from the page up to `book/src`.
pub fn folded(
    root: &Path,
    ladder: &dyn Ladder,
    step: &Step,
    above: &str,
) -> Result<Option<String>> {
    let Some(file) = step.file().filter(|_| !step.is_for_cpu()) else { return Ok(None) };
    let folder = root.join("kernels").join(ladder.name());
    let committed = Committed::read(&folder, step.name)?;
    let (arch, _) = Gpu::named(GPU)?.sass_arch();
    let codes = committed.kernels.keys().filter_map(|kernel| {
        let code = committed.machine_code(kernel, arch)?;
        Some((kernel.as_str(), code.mix?))
    });
    let codes: Vec<(&str, Mix)> = codes.collect();
    let Some((kernel, part, what)) = shown(&codes) else { return Ok(None) };
    let (kernel, mix) = &codes[kernel];
    let lines: Vec<Line> = part.iter().flat_map(|&block| lines(mix, block)).collect();
    let mut out = format!(
        "\n<details id=\"machine-code\">\n<summary>Machine code</summary>\n\nWhat {} makes of {what} `{kernel}` for \
         `{arch}`: {} instructions. The code for other GPUs is in \
         `kernels/{}/{}.sass.json`; [the page on machine code]({above}machine-code.md) says how to read it.\n\n\
         | line | source | instructions |\n|--:|:--|:--|\n",
        committed.compiler,
        size(mix, &part),
        ladder.name(),
        step.name,
    );
    let mut sources = BTreeMap::new();
    for (place, opcodes) in lines.iter().take(MOST) {
        let source = source(&mut sources, &folder, &file, place)?;
        let counted = opcodes.iter().map(|&(opcode, count)| match count {
            1 => format!("`{opcode}`"),
            _ => format!("`{opcode}` × {count}"),
        });
        let place = if place.line == 0 { "–".to_owned() } else { place.to_string() };
        let counted = counted.collect::<Vec<_>>().join(", ");
        // Writing to a String cannot fail.
        let _ = writeln!(out, "| {place} | {source} | {counted} |");
    }
    if lines.len() > MOST {
        let _ = writeln!(out, "\n{} more lines are not shown.", lines.len() - MOST);
    }
    Ok(Some(out + "\n</details>\n"))
}

/// What is shown of a step's kernels: a kernel by its place, its blocks, and what they are. The innermost loop with the most
/// instructions; where no kernel has a loop, the largest kernel.
fn shown(codes: &[(&str, Mix)]) -> Option<(usize, BTreeSet<usize>, &'static str)> {
    let largest = |part: &dyn Fn(&Mix) -> Option<BTreeSet<usize>>| {
        let parts = codes.iter().enumerate().filter_map(|(k, (_, mix))| Some((k, part(mix)?)));
        // The last of equals, as they are in order of their names.
        parts.max_by_key(|(k, part)| size(&codes[*k].1, part))
    };
    let with = |what| move |(kernel, part)| (kernel, part, what);
    let is_taken = |mix: &Mix, block: &usize| !mix.blocks[*block].slow_path;
    largest(&largest_loop).map(with("the innermost loop with the most instructions, in")).or_else(
        || {
            let whole =
                |mix: &Mix| Some((0..mix.blocks.len()).filter(|b| is_taken(mix, b)).collect());
            largest(&whole).map(with("the kernel"))
        },
    )
}

/// Instructions of some blocks.
fn size(mix: &Mix, part: &BTreeSet<usize>) -> u32 {
    part.iter().map(|&block| mix.blocks[block].code.instructions()).sum()
}

/// A block's instructions by source line.
fn lines(mix: &Mix, block: usize) -> Vec<Line<'_>> {
    let mut lines: Vec<Line> = Vec::new();
    for (place, opcode, count) in mix.blocks[block].code.lines() {
        match lines.last_mut().filter(|(known, _)| *known == place) {
            Some((_, opcodes)) => opcodes.push((opcode, count)),
            None => lines.push((place, vec![(opcode, count)])),
        }
    }
    lines
}

/// A source line as code in a table; of an included file, if the place is in one.
fn source(
    known: &mut BTreeMap<String, String>,
    folder: &Path,
    own: &str,
    place: &Place,
) -> Result<String> {
    let Some(index) = place.line.checked_sub(1) else { return Ok(String::new()) };
    let name = if place.included.is_empty() { own } else { place.included.as_str() };
    if !known.contains_key(name) {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        known.insert(name.to_owned(), text);
    }
    // A function of the compiler's own has lines that no file here has.
    let line = known[name].lines().nth(index as usize).unwrap_or_default();
    let code = line.split("//").next().unwrap_or_default().trim();
    Ok(if code.is_empty() { String::new() } else { format!("`{}`", code.replace('|', "\\|")) })
}

/// The blocks of the loop without loops in it that has the most instructions. Paths that are never taken are left out.
fn largest_loop(mix: &Mix) -> Option<BTreeSet<usize>> {
    let mut loops: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (end, block) in mix.blocks.iter().enumerate() {
        for &head in block.next.iter().filter(|&&head| head <= end) {
            loops.entry(head).or_default().extend(between(mix, head, end));
        }
    }
    let is_innermost =
        |head: &usize, part: &BTreeSet<usize>| !loops.keys().any(|k| k != head && part.contains(k));
    let innermost = loops.iter().filter(|(head, part)| is_innermost(head, part));
    let shown = innermost.map(|(_, part)| {
        part.iter().copied().filter(|&block| !mix.blocks[block].slow_path).collect::<BTreeSet<_>>()
    });
    shown.max_by_key(|part| size(mix, part))
}

/// The blocks of the loop that goes back from `end` to `head`: those from which `end` is reached without `head`.
fn between(mix: &Mix, head: usize, end: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([head]);
    let mut left = vec![end];
    while let Some(block) = left.pop() {
        if found.insert(block) {
            let is_before = |before: &usize| mix.blocks[*before].next.contains(&block);
            left.extend((0..mix.blocks.len()).filter(is_before));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded_of(ladder: &str, step: &str) -> Option<String> {
        let root = ladder::workspace::root().expect("the workspace");
        let ladders = ladders::LADDERS;
        let ladder = *ladders.iter().find(|known| known.name() == ladder).expect("a ladder");
        let step = ladder.step(step).expect("a step");
        folded(&root, ladder, &step, "../").expect("machine code")
    }

    #[test]
    fn the_loop_is_shown_with_its_source() {
        let text = folded_of("nbody", "05-rsqrt").expect("a part");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
        // A head, and the loop over the other bodies.
        assert!((4..=MOST + 1).contains(&rows.len()), "{text}");
        assert!(text.contains("`MUFU.RSQ`") && text.contains("rsqrtf("), "{text}");
        assert!(text.contains("in `force` for `sm_90`"), "{text}");
        assert_eq!(folded_of("cpu", "04-lanes"), None);
        let whole = folded_of("access", "06-neighbours").expect("a part");
        assert!(whole.contains("makes of the kernel `"), "{whole}");
    }

    #[test]
    fn every_step_with_kernels_has_a_short_part() {
        let root = ladder::workspace::root().expect("the workspace");
        for ladder in ladders::LADDERS {
            for step in ladder.steps() {
                let part = folded(&root, *ladder, &step, "").unwrap_or_else(|e| panic!("{e:#}"));
                assert_eq!(part.is_none(), step.is_for_cpu(), "{}/{}", ladder.name(), step.name);
                let rows = part.unwrap_or_default().matches("\n| ").count();
                assert!(rows <= MOST + 1, "{}/{}: {rows}", ladder.name(), step.name);
            }
        }
    }

    #[test]
    fn loops_are_the_innermost() {
        // 0 → 1 ⇄ 2 (itself) → 3: the loop 1, 2 has the loop 2 in it.
        let text = r#"[{"at":0,"next":[1],"code":"1: MOV"},{"at":16,"next":[2],"code":"2: FADD*9"},
            {"at":32,"next":[2,1,3],"code":"3: FMUL*2"},{"at":64,"code":"4: EXIT"}]"#;
        let mix: Mix = serde_json::from_str(text).expect("blocks");
        assert_eq!(largest_loop(&mix), Some(BTreeSet::from([2])));
        let none: Mix = serde_json::from_str(r#"[{"at":0,"code":"4: EXIT"}]"#).expect("a block");
        assert_eq!(largest_loop(&none), None);
    }
}
