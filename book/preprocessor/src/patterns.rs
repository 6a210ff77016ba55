//! Small access patterns: what the simulator counts of them, and what the profiler counted on an H200.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use show::table::Table;
use simt::model::Gpu;
use simt::{Class, Counts, Kernel, Launch, Module, Simulator, Watch};

const PTX: &str = "harness/core/device/tests/patterns/patterns.ptx";
const COUNTED: &str = "reports/h200-counters/patterns.csv";

/// Blocks and threads of the recording, and 32-bit words of each of its two arrays.
const GRID: [u32; 3] = [4, 1, 1];
const BLOCK: [u32; 3] = [256, 1, 1];
const WORDS: usize = 65536;
const N: i32 = 1024;

/// A column of a table: its head, the profiler's metric, and what the simulator counts of loads.
type Column = (&'static str, &'static str, fn(&Counts) -> u64);

const GLOBAL: [Column; 2] = [
    ("load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", |loads| {
        loads.global_requests
    }),
    ("sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", |loads| loads.global_sectors),
];

const SHARED: [Column; 2] = [
    ("load requests", "smsp__sass_inst_executed_op_shared_ld.sum", |loads| loads.shared_requests),
    ("wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", |loads| {
        loads.shared_wavefronts
    }),
];

/// A table of `kernels` of the recorded patterns: their loads from `memory`, "global" or "shared".
pub fn table(root: &Path, memory: &str, kernels: &[&str]) -> Result<String> {
    let (class, columns) = match memory {
        "global" => (Class::LoadGlobal, &GLOBAL),
        "shared" => (Class::LoadShared, &SHARED),
        _ => bail!("`{memory}` is no memory of the patterns; there are: global, shared"),
    };
    let text =
        std::fs::read_to_string(root.join(PTX)).with_context(|| format!("cannot read {PTX}"))?;
    let module = Arc::new(Module::parse("patterns.ptx", &text)?);
    let counted = counted(root)?;
    let mut lines = vec![vec!["kernel".to_owned()]];
    lines[0].extend(columns.iter().flat_map(|(head, ..)| [*head, "on an H200"]).map(str::to_owned));
    lines[0].push("for each request".to_owned());
    for name in kernels {
        let kernel = module.kernel(name).with_context(|| format!("{PTX} has no `{name}`"))?;
        let loads = loads(&module, kernel, class)?;
        let mut line = vec![format!("`{name}`")];
        for (_, metric, count) in columns {
            let chip = counted.get(*name).and_then(|row| row.get(*metric));
            let chip = chip.with_context(|| format!("{COUNTED} has no {metric} of {name}"))?;
            line.extend([count(&loads).to_string(), chip.to_string()]);
        }
        let [requests, passes] = columns.each_ref().map(|(_, _, count)| count(&loads) as f64);
        line.push(launches::format::ratio(passes / requests.max(1.0)));
        lines.push(line);
    }
    Ok(Table::lines(lines, 1).markdown())
}

/// What the loads of one launch do on the model of an H200.
fn loads(module: &Arc<Module>, kernel: &Kernel, class: Class) -> Result<Counts> {
    let gpu = Gpu::named("h200")?;
    let simulator = Simulator::new(1 << 26);
    let loaded = simulator.load(Arc::clone(module))?;
    let out = simulator.alloc("out", 4 * WORDS as u64)?;
    let input = simulator.alloc("in", 4 * WORDS as u64)?;
    simulator.write(input, &[0; 4 * WORDS])?;
    let launch = Launch::new(GRID, BLOCK).argument(out).argument(input).argument(N);
    let blocks = u64::from(GRID[0]);
    let residency = gpu.residency(BLOCK[0], None, kernel.shared_bytes(), blocks)?;
    let watch = Watch { traffic: Some(gpu.machine(&residency)), ..Watch::default() };
    let events = simulator.launch(&loaded, kernel.name(), &launch, &watch)?;
    let pairs = kernel.instructions().zip(&events.instructions);
    Ok(pairs.filter(|(known, _)| known.class == class).map(|(_, counts)| *counts).sum())
}

/// By kernel and metric, what the profiler counted.
fn counted(root: &Path) -> Result<BTreeMap<String, BTreeMap<String, u64>>> {
    let text = std::fs::read_to_string(root.join(COUNTED))
        .with_context(|| format!("cannot read {COUNTED}"))?;
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().with_context(|| format!("{COUNTED} is empty"))?;
    let rows = lines.map(|row| {
        let values = header.iter().zip(&row).skip(1);
        let whole = values.filter_map(|(name, v)| Some(((*name).to_owned(), v.parse().ok()?)));
        (row[0].to_owned(), whole.collect())
    });
    Ok(rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(memory: &str, kernels: &[&str]) -> Result<String> {
        let root = ladder::workspace::root().expect("the workspace");
        table(&root, memory, kernels)
    }

    #[test]
    fn sectors_are_worked_out_by_hand() {
        let table = drawn("global", &["copy", "stride_32"]).unwrap();
        // 32 warps, each of 32 neighbouring words (4 sectors) or of words 128 bytes apart.
        assert!(table.contains("| `copy` | 32 | 32 | 128 | 128 | 4 |"), "{table}");
        assert!(table.contains("| `stride_32` | 32 | 32 | 1024 | 1024 | 32 |"), "{table}");
    }

    #[test]
    fn conflicts_are_worked_out_by_hand() {
        let table = drawn("shared", &["transpose_tile", "transpose_padded"]).unwrap();
        // 32 warps read 4 columns each: all words in one bank, or each in its own.
        assert!(table.contains("| `transpose_tile` | 128 | 128 | 4096 | 4096 | 32 |"), "{table}");
        assert!(table.contains("| `transpose_padded` | 128 | 128 | 128 | 128 | 1 |"), "{table}");
    }

    #[test]
    fn unknown_names_are_refused() {
        for (memory, kernel, said) in
            [("local", "copy", "there are: global, shared"), ("global", "gone", "no `gone`")]
        {
            let message = format!("{:#}", drawn(memory, &[kernel]).unwrap_err());
            assert!(message.contains(said), "{message}");
        }
    }
}
