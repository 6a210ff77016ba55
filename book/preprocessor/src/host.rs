//! What a step changes outside its kernels, as its ladder says it.

use ladder::{Ladder, Step};

/// A Markdown list of what `step` changes on the host against its parent, or of all that the first step has.
pub fn markdown(ladder: &dyn Ladder, step: &Step, parent: Option<&Step>) -> String {
    let now = ladder.on_the_host(step);
    let before = parent.map(|parent| ladder.on_the_host(parent));
    let items = now.iter().filter_map(|(name, value)| match &before {
        None => (!NOTHING.contains(&value.as_str())).then(|| format!("- {name}: {value}\n")),
        Some(before) => {
            let old = before.iter().find(|(other, _)| other == name);
            let old = old.map_or(NOTHING[0], |(_, value)| value);
            (old != value).then(|| format!("- {name}: {old} → **{value}**\n"))
        }
    });
    match items.collect::<String>() {
        none if none.is_empty() => "On the host nothing changes.\n".to_owned(),
        items => format!("On the host:\n\n{items}"),
    }
}

/// What a first step need not say.
const NOTHING: [&str; 2] = ["none", "any"];

#[cfg(test)]
mod tests {
    use ladders::LADDERS;

    use super::*;

    fn drawn(ladder: &str, step: &str) -> String {
        let ladder = LADDERS.iter().find(|it| it.name() == ladder).expect("a ladder");
        let step = ladder.step(step).expect("a step");
        let parent = step.after.and_then(|name| ladder.step(name));
        markdown(*ladder, &step, parent.as_ref())
    }

    #[test]
    fn only_what_changes_is_listed() {
        let threads = "- threads: 1 block of 1 thread → **one per body, in blocks of 256**\n";
        assert_eq!(drawn("nbody", "02-n-threads"), format!("On the host:\n\n{threads}"));
        let options = drawn("nbody", "10-fast-math");
        assert!(
            options.contains("- compiler options: none → **`--use_fast_math`**\n"),
            "{options}"
        );
        assert_eq!(drawn("nbody", "05-rsqrt"), "On the host nothing changes.\n");
    }

    #[test]
    fn a_first_step_says_what_it_has() {
        let text = drawn("nbody", "01-one-thread");
        assert!(text.contains("- threads: 1 block of 1 thread\n"), "{text}");
        assert!(!text.contains("none") && !text.contains(": any\n"), "{text}");
        let text = drawn("cpu", "01-c-loop");
        assert!(text.contains("- threads: 1\n") && !text.contains("parameters"), "{text}");
    }
}
