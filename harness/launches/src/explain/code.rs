//! What differs in the code of two steps: sources, compiler options, the host's side.

use anstyle::AnsiColor;
use ui::output::dim;

use super::difference::{self, Line};
use super::running::Side;

/// The difference between the sources, coloured; what else differs where they are equal.
pub fn sources(before: &Side, after: &Side) -> String {
    let (old, new) = (&before.source, &after.source);
    let lines = match (difference::unfolded(old, new), difference::unfolded(new, old)) {
        (Some(old), Some(new)) => painted(&difference::sources(&old, &new)),
        _ => "one of the two is PTX: there are no sources to compare; see --ptx\n".to_owned(),
    };
    let others = [options(before, after), host([before, after])].concat();
    match (lines.is_empty(), others.is_empty()) {
        (true, true) => "no difference\n".to_owned(),
        (true, false) => format!("the sources are the same\n{others}"),
        (false, _) => format!("{lines}{others}"),
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

/// What differs in what the host does for them; compiler options are shown apart.
fn host(sides: [&Side; 2]) -> String {
    let [before, after] = sides.map(|side| &side.on_the_host);
    let same = |name: &str| before.iter().find(|(other, _)| *other == name);
    let differ =
        after.iter().filter(|(name, _)| *name != "compiler options").filter_map(|(name, now)| {
            let (_, old) = same(name).filter(|(_, old)| old != now)?;
            Some(format!("on the host, {name}: {old} → {now}\n"))
        });
    differ.collect()
}

/// Lines with their signs, in colours.
pub fn painted(lines: &[Line]) -> String {
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
