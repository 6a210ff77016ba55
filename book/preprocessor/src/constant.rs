//! Numbers of the simulator's descriptions of GPUs, within a sentence.

use anyhow::{Context, Result};
use simt::model::Gpu;

/// A number of a GPU's description, by its table and key: `launch.interval`.
pub fn value(gpu: &str, figure: &str) -> Result<String> {
    let described = Gpu::named(gpu)?;
    let mut figures = described.figures();
    let found = figures.find(|(table, key, _)| figure.split_once('.') == Some((table, key)));
    let (_, _, found) = found.with_context(|| {
        format!("{gpu} has no figure `{figure}`: write TABLE.KEY as in `harness gpus {gpu}`")
    })?;
    Ok(found.value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_table_and_key() {
        let gpu = Gpu::named("h200").expect("a description");
        let expected = gpu.launch.interval.value.to_string();
        assert_eq!(value("h200", "launch.interval").expect("a figure"), expected);
        for (gpu, figure) in
            [("h200", "interval"), ("h200", "launch.luck"), ("h2000", "launch.interval")]
        {
            assert!(value(gpu, figure).is_err(), "{gpu} {figure}");
        }
    }
}
