//! How many blocks a multiprocessor holds at once: what the driver says, and what a launch shows, whose threads count
//! themselves on their multiprocessor (`%smid`) when they begin and when they end.

use device::{Device, Error, Module, Source};
use report::Extra;

use crate::Step;
use crate::ladder::OpenProblem;
use crate::problem::{Input, multiprocessors};

/// Name of the [`Extra`] with the resident blocks of a multiprocessor, as the driver states them.
pub const BY_THE_DRIVER: &str = "resident blocks by the driver";
/// Name of the [`Extra`] with the most resident blocks of a multiprocessor that a kernel counted.
pub const SEEN: &str = "resident blocks seen";

/// The variable in which threads count themselves, and for how many multiprocessors it has room: each has the threads that
/// it runs now, and the most that it ran.
const THREADS: &str = "ladder_threads_of_multiprocessor";
const ROOM: u32 = 1 << 10;

/// Elements that fill any GPU several times over.
const ENOUGH: u64 = 1 << 23;

/// The blocks that a multiprocessor holds of a step's launch, at size `n` or a smaller one that fills the GPU.
///
/// # Errors
/// The device's.
pub fn resident_blocks(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    (step, source): (&Step, Source),
    module: &Module,
    n: u64,
) -> Result<Vec<Extra>, Error> {
    let n = n.min(ENOUGH);
    let launches = open.launches(step, n, multiprocessors(device));
    let [launch] = launches[..] else { return Ok(Vec::new()) };
    let extra = |name: &str, blocks: u32| Extra { name: name.to_owned(), value: blocks.into() };
    let driver = device.resident_blocks(module, launch.kernel, launch.shape)?;
    let mut counting = device.load(&counting(source))?;
    let mut pass =
        open.place(device, step, &mut counting, Input::timed(n, crate::problem::SEED))?;
    pass.upload(device)?;
    pass.run(device)?;
    drop(pass);
    let mut counted = vec![0; 8 * ROOM as usize];
    device.read_symbol(&counting, THREADS, &mut counted)?;
    let words = counted.chunks_exact(8).map(bytemuck::pod_read_unaligned::<[u32; 2]>);
    let most = words.map(|[_, most]| most).max().unwrap_or(0);
    // A thread that ends is counted out a little later than the next one begins.
    let seen = most.saturating_add(launch.threads() / 2) / launch.threads().max(1);
    Ok(driver
        .map(|blocks| extra(BY_THE_DRIVER, blocks))
        .into_iter()
        .chain([extra(SEEN, seen)])
        .collect())
}

/// A step's PTX whose threads count themselves.
fn counting(source: Source) -> Source {
    let mut ptx = source.ptx;
    for file in &mut ptx {
        file.text = count_threads(&file.text);
    }
    Source { cuda: None, machine: None, ptx, ..source }
}

fn count_threads(ptx: &str) -> String {
    let variable = format!(".visible .global .align 8 .b32 {THREADS}[{}];\n", 2 * ROOM);
    let begin = format!(
        "\t.reg .b32 %counted<4>;\n\t.reg .b64 %countedat<3>;\n\tmov.u32 %counted1, %smid;\n\
         \tmov.u64 %countedat1, {THREADS};\n\tmul.wide.u32 %countedat2, %counted1, 8;\n\
         \tadd.s64 %countedat1, %countedat1, %countedat2;\n\
         \tatom.global.add.u32 %counted2, [%countedat1], 1;\n\
         \tadd.u32 %counted3, %counted2, 1;\n\
         \tred.global.max.u32 [%countedat1+4], %counted3;\n"
    );
    let end = "red.global.add.u32 [%countedat1], -1;\n";
    let (mut text, mut is_kernel, mut begins) = (String::new(), false, false);
    for line in ptx.lines() {
        let own = line.trim();
        if is_kernel && (own.ends_with("ret;") || own.ends_with("exit;")) {
            // Under the predicate of the line, if it has one.
            let predicate = own.split_once(' ').map(|(predicate, _)| predicate);
            text += &format!("\t{} {end}", predicate.unwrap_or_default());
        }
        text += line;
        text.push('\n');
        if line.starts_with(".address_size") {
            text += &variable;
        }
        begins |= line.contains(".entry ");
        if begins && own == "{" {
            text += &begin;
            (is_kernel, begins) = (true, false);
        }
        is_kernel &= line != "}";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted_where_they_begin_and_end() {
        let ptx = ".version 7.8\n.target sm_50\n.address_size 64\n\n.func help(\n)\n{\n\tret;\n}\n\
                   .visible .entry k(\n)\n{\n\t@%p1 ret;\n\tret;\n}\n";
        let text = count_threads(ptx);
        assert_eq!(text.matches("%smid").count(), 1, "{text}");
        assert_eq!(text.matches("red.global.add.u32 [%countedat1], -1;").count(), 2, "{text}");
        assert!(text.contains("\t@%p1 red.global.add.u32"), "{text}");
        assert!(!text[..text.find(".entry").expect("the kernel")].contains("red."), "{text}");
    }
}
