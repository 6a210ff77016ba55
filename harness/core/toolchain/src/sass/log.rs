//! What ptxas says of a kernel's resources, with `--ptxas-options=-v`.

/// Resources of one kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Resources {
    /// The kernel's name.
    pub name: String,
    pub registers: u32,
    pub stack_bytes: u32,
    pub spill_store_bytes: u32,
    pub spill_load_bytes: u32,
    pub shared_bytes: u32,
}

/// Reads the kernels of a log, in its order.
pub(super) fn resources(log: &str) -> Vec<Resources> {
    let mut found: Vec<Resources> = Vec::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let name = rest.split('\'').next().unwrap_or_default().to_string();
            found.push(Resources { name, ..Resources::default() });
        } else if let Some(kernel) = found.last_mut() {
            // A line names only some of them.
            let read = |unit: &str, into: &mut u32| {
                if let Some(number) = number_before(line, unit) {
                    *into = number;
                }
            };
            read("bytes stack frame", &mut kernel.stack_bytes);
            read("bytes spill stores", &mut kernel.spill_store_bytes);
            read("bytes spill loads", &mut kernel.spill_load_bytes);
            read("registers", &mut kernel.registers);
            read("bytes smem", &mut kernel.shared_bytes);
        }
    }
    found
}

/// The number that stands before `unit`.
fn number_before(line: &str, unit: &str) -> Option<u32> {
    line[..line.find(unit)?].split_whitespace().next_back()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As NVRTC 12.9 writes it.
    const LOG: &str = "
ptxas info    : 0 bytes gmem, 96 bytes cmem[3]
ptxas info    : Compiling entry function 'advance' for 'sm_75'
ptxas info    : Function properties for advance
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 30 registers, used 0 barriers, 352 bytes cmem[0]
ptxas info    : Compile time = 3.338 ms
ptxas info    : Compiling entry function 'force' for 'sm_75'
ptxas info    : Function properties for force
ptxas         .     40 bytes stack frame, 36 bytes spill stores, 44 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 40 bytes cumulative stack size, 4096 bytes smem
";

    #[test]
    fn each_kernel_has_its_own_resources() {
        let found = resources(LOG);
        let names: Vec<&str> = found.iter().map(|kernel| kernel.name.as_str()).collect();
        assert_eq!(names, ["advance", "force"]);
        assert_eq!(found[0].registers, 30);
        assert_eq!(found[0].shared_bytes, 0);
        let force = &found[1];
        assert_eq!((force.registers, force.stack_bytes, force.shared_bytes), (40, 40, 4096));
        assert_eq!((force.spill_store_bytes, force.spill_load_bytes), (36, 44));
    }

    #[test]
    fn any_text_has_an_answer() {
        assert!(resources("").is_empty());
        assert!(resources("Used registers\nbytes smem").is_empty());
    }
}
