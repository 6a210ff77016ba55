// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a step changes outside its kernels, read from the step's own data.

use ladder::nbody::GRAPH_TIME_STEPS;
use ladder::{Layout, Parameters, Run, Step, Threads};

/// A Markdown list of what `step` changes on the host against its parent, or of all that the first step states.
pub fn markdown(step: &Step, parent: Option<&Step>) -> String {
    let now = properties(step);
    let Some(parent) = parent else {
        let items = now
            .iter()
            .filter(|(name, value)| !RARE.contains(&(*name, value.as_str())))
            .map(|(name, value)| format!("- {name}: {value}\n"));
        return format!("On the host:\n\n{}", items.collect::<String>());
    };
    let changed: String = now
        .iter()
        .zip(properties(parent))
        .filter(|((_, value), (_, before))| value != before)
        .map(|((name, value), (_, before))| format!("- {name}: {before} → **{value}**\n"))
        .collect();
    if changed.is_empty() {
        return "On the host nothing changes.\n".to_owned();
    }
    format!("On the host:\n\n{changed}")
}

/// What most steps have in common, and no first step says.
const RARE: [(&str, &str); 3] =
    [("more memory", "none"), ("GPU", "any"), ("time steps", "launch by launch")];

/// Every property of a step that the host acts on, in words. A step on the CPU is called like any function: nothing is
/// said of its parameters.
fn properties(step: &Step) -> Vec<(&'static str, String)> {
    let layout = match step.layout {
        Layout::ArrayOfStructs => "one array of ten-field structs",
        Layout::ScalarArrays => "ten arrays, one per field",
        Layout::Float4 => "three arrays of `float4`: position and mass, velocity, acceleration",
    };
    let padding = match step.padding {
        1 => "none".to_owned(),
        multiple => format!("with massless bodies to a multiple of {multiple}"),
    };
    let parameters = match step.parameters {
        Parameters::Arguments => "arguments of every launch",
        Parameters::Constant => "copied once into constant memory",
    };
    let threads = match step.threads {
        Threads::One if step.is_for_cpu() => "1".to_owned(),
        Threads::One => "1 block of 1 thread".to_owned(),
        Threads::PerBody { block } => format!("one per body, in blocks of {block}"),
        Threads::Planned { block, .. } => {
            format!("several launches, planned for each number of bodies, in blocks of {block}")
        }
        Threads::Cores => "as many as the CPU can run at once".to_owned(),
    };
    let memory = match step.scratch {
        [] => "none".to_owned(),
        scratch => {
            scratch.iter().map(|own| format!("`{}`", own.name)).collect::<Vec<_>>().join(", ")
        }
    };
    let gpu = match step.needs {
        device::ANY_GPU => "any".to_owned(),
        (major, minor) => format!("compute capability {major}.{minor} or later"),
    };
    let time_steps = match step.run {
        Run::Launches => "launch by launch".to_owned(),
        Run::Graph => format!("recorded, {GRAPH_TIME_STEPS} of them, and started by one call"),
        Run::OneLaunch(_) => "many by one launch".to_owned(),
    };
    let options = match step.options() {
        [] => "none".to_owned(),
        options => options.iter().map(|option| format!("`{option}`")).collect::<Vec<_>>().join(" "),
    };
    let mut all = vec![
        ("threads", threads),
        ("bodies in memory", layout.to_owned()),
        ("padding", padding),
        ("more memory", memory),
        ("GPU", gpu),
        ("parameters", parameters.to_owned()),
        ("time steps", time_steps),
        ("compiler options", options),
    ];
    all.retain(|(name, _)| *name != "parameters" || !step.is_for_cpu());
    all
}

#[cfg(test)]
mod tests {
    use ladder::Code;

    use super::*;

    const FIRST: Step = Step {
        name: "01-a",
        after: None,
        detour: false,
        rewrite: None,
        title: "a",
        changes: "",
        code: Code::Cuda { file: "01-a", options: &[] },
        layout: Layout::ArrayOfStructs,
        padding: 1,
        parameters: Parameters::Arguments,
        threads: Threads::One,
        scratch: &[],
        needs: (5, 0),
        bits: ladder::F32_BITS,
        reproducible: true,
        run: Run::Launches,
        division: None,
    };

    #[test]
    fn only_what_changes_is_listed() {
        let next = Step {
            threads: Threads::PerBody { block: 256 },
            code: Code::Cuda { file: "01-a", options: &["--use_fast_math"] },
            ..FIRST
        };
        let text = markdown(&next, Some(&FIRST));
        assert!(
            text.contains("- threads: 1 block of 1 thread → **one per body, in blocks of 256**\n"),
            "{text}"
        );
        assert!(text.contains("- compiler options: none → **`--use_fast_math`**\n"), "{text}");
        assert!(!text.contains("padding") && !text.contains("memory"), "{text}");
    }

    #[test]
    fn no_change_and_no_parent_are_said() {
        assert_eq!(markdown(&FIRST, Some(&FIRST)), "On the host nothing changes.\n");
        assert_eq!(markdown(&FIRST, None).matches("\n- ").count(), 5);
    }

    #[test]
    fn a_step_on_the_cpu_is_not_launched() {
        let first = Step { code: Code::C { file: "a", options: &["-O3"] }, ..FIRST };
        let text = markdown(&first, None);
        assert!(text.contains("- threads: 1\n") && !text.contains("launch"), "{text}");
    }
}
