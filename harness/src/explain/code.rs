//! What differs in the code of two steps: sources, compiler options, the host's side, PTX.

use anstyle::AnsiColor;
use ladder::Step;

use super::paint::dim;
use super::running::Side;
use crate::difference::{self, Line};

/// Unchanged instructions kept around a change.
const CONTEXT: usize = 2;

/// The difference between the sources, coloured; what else differs where they are equal.
pub fn sources(before: &Side, after: &Side, steps: [&Step; 2]) -> String {
    let lines = match (&before.source.cuda, &after.source.cuda) {
        (Some(old), Some(new)) => painted(&difference::sources(old, new)),
        _ => "one of the two is PTX: there are no sources to compare; see --ptx\n".to_owned(),
    };
    let beside = [options(before, after), host(steps)].concat();
    match (lines.is_empty(), beside.is_empty()) {
        (true, true) => "no difference\n".to_owned(),
        (true, false) => format!("the sources are the same\n{beside}"),
        (false, _) => format!("{lines}{beside}"),
    }
}

/// The compiler options that only one of them has.
fn options(before: &Side, after: &Side) -> String {
    let (old, new) = (&before.source.options, &after.source.options);
    let removed = old.iter().filter(|option| !new.contains(option)).map(|o| Line::Removed(o));
    let added = new.iter().filter(|option| !old.contains(option)).map(|o| Line::Added(o));
    let lines: Vec<Line> = removed.chain(added).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("compiler options:\n{}", painted(&lines))
}

/// What differs in how the host launches them.
fn host([before, after]: [&Step; 2]) -> String {
    let mut text = String::new();
    let mut say = |name: &str, old: String, new: String| {
        if old != new {
            text += &format!("on the host, {name}: {old} → {new}\n");
        }
    };
    say("threads", format!("{:?}", before.threads), format!("{:?}", after.threads));
    say("layout", format!("{:?}", before.layout), format!("{:?}", after.layout));
    say("parameters", format!("{:?}", before.parameters), format!("{:?}", after.parameters));
    say("bodies padded to a multiple of", before.padding.to_string(), after.padding.to_string());
    text
}

/// The difference between the PTX of the two kernels. Numbers of registers and labels are not compared: that a compiler
/// renamed them is no difference.
pub fn ptx(before: &Side, after: &Side) -> String {
    let old: Vec<&str> = instructions(&before.ptx.text, &before.facts.kernel).collect();
    let new: Vec<&str> = instructions(&after.ptx.text, &after.facts.kernel).collect();
    let lines = difference::of_lines(&old, &new, CONTEXT, without_numbers);
    if lines.is_empty() { "no difference\n".to_owned() } else { painted(&lines) }
}

/// The instructions of a kernel, without declarations, comments and line marks.
fn instructions<'t>(ptx: &'t str, kernel: &str) -> impl Iterator<Item = &'t str> {
    let entry = format!(".entry {kernel}(");
    ptx.lines()
        .skip_while(move |line| !line.contains(&entry))
        .skip_while(|line| *line != "{")
        .skip(1)
        .take_while(|line| *line != "}")
        .filter(|line| {
            let code = line.trim();
            !code.is_empty() && !code.starts_with('.') && !code.starts_with("//")
        })
}

/// The line with every register and label under one name of its kind: `%f12` is `%f`, `$L__BB0_4` is `$L`.
fn without_numbers(line: &str) -> String {
    let mut key = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(['%', '$']) {
        let (plain, name) = rest.split_at(start);
        key += plain;
        let end = name[1..]
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(name.len(), |end| end + 1);
        let (name, after) = name.split_at(end);
        // Special registers such as %tid have no number to lose.
        key += if name.starts_with('$') {
            "$L"
        } else {
            name.trim_end_matches(|c: char| c.is_ascii_digit())
        };
        rest = after;
    }
    key + rest
}

/// Lines with their signs, in colours.
fn painted(lines: &[Line]) -> String {
    let (red, green) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
    let painted = lines.iter().map(|line| match line {
        Line::Removed(text) => format!("{red}− {}{red:#}\n", tabs(text)),
        Line::Added(text) => format!("{green}+ {}{green:#}\n", tabs(text)),
        Line::Kept(text) => format!("  {}\n", tabs(text)),
        Line::Gap => format!("{}\n", dim("⋮")),
    });
    painted.collect()
}

fn tabs(text: &str) -> String {
    text.replace('\t', "    ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renamed_registers_and_labels_are_no_difference() {
        assert_eq!(
            without_numbers("fma.rn.f32 %f12, %f1, %f9, %f12;"),
            "fma.rn.f32 %f, %f, %f, %f;"
        );
        assert_eq!(without_numbers("@%p3 bra \t$L__BB0_4;"), "@%p bra \t$L;");
        assert_eq!(without_numbers("mov.u32 %r1, %tid.x;"), "mov.u32 %r, %tid.x;");
        assert_eq!(without_numbers("add.s32 %r1, %r2, 7;"), "add.s32 %r, %r, 7;");
        assert_eq!(without_numbers("ret;"), "ret;");
    }

    #[test]
    fn a_kernels_instructions_end_with_it() {
        let ptx = ".visible .entry a(\n\t.param .u32 a_param_0\n)\n{\n\t.reg .f32 %f<2>;\n\t.loc 1 2 3\n\tret;\n\n}\n\
                   .visible .entry b(\n)\n{\n\t// end\n\ttrap;\n}\n";
        assert_eq!(instructions(ptx, "a").collect::<Vec<_>>(), ["\tret;"]);
        assert_eq!(instructions(ptx, "b").collect::<Vec<_>>(), ["\ttrap;"]);
        assert_eq!(instructions(ptx, "c").count(), 0);
    }
}
