//! The PTX of committed LLVM IR runs in the simulator, and computes what is computed here.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ir::Options;
use simt::{Launch, Module, Simulator, Watch};

/// The IR of a file in `tests/data`.
fn text(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    fs::read_to_string(file).expect("a committed file")
}

/// The PTX of a file.
fn ptx(name: &str) -> String {
    ir::translate(&text(name), &Options::default())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs the kernel of a file on one block, with 4096 bytes that begin with `words`: what these are afterwards. `more` changes the
/// launch, and knows where the bytes are.
fn run(name: &str, threads: u32, words: &[u32], more: impl Fn(Launch, u64) -> Launch) -> Vec<u32> {
    let text = ptx(name);
    let module = Module::parse(name, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(Arc::new(module)).expect("enough memory");
    let out = simulator.alloc("out", 4096).expect("enough memory");
    let mut bytes = vec![0; 4096];
    words
        .iter()
        .zip(bytes.chunks_mut(4))
        .for_each(|(word, to)| to.copy_from_slice(&word.to_le_bytes()));
    simulator.write(out, &bytes).expect("within an array");
    let launch = more(Launch::new([1, 1, 1], [threads, 1, 1]).argument(out), out);
    let ran = simulator.launch(&loaded, "k", &launch, &Watch::default());
    ran.unwrap_or_else(|error| panic!("{name}: {error:?}\n{text}"));
    simulator.read(out, &mut bytes).expect("within an array");
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Without anything more.
fn plain(name: &str, threads: u32, words: &[u32]) -> Vec<u32> {
    run(name, threads, words, |launch, _| launch)
}

#[test]
fn values_that_change_places_in_a_loop() {
    let got = plain("exchange.ll", 32, &[]);
    for thread in 0..32_u32 {
        let (mut a, mut b, mut c) = (thread, 1, 0_u32);
        for _ in 0..thread + 3 {
            (a, b) = (b, a);
            c = c.wrapping_mul(31).wrapping_add(a);
        }
        let at = thread as usize * 3;
        assert_eq!(got[at..at + 3], [a, b, c], "thread {thread}");
    }
}

#[test]
fn static_and_dynamic_shared_memory() {
    let words: Vec<u32> = (0..64).map(|i| i * i).collect();
    let got = run("shared.ll", 64, &words, |launch, _| launch.shared_bytes(256));
    let expected: Vec<u32> = (0..64).map(|i| words[63 - i as usize] + 2 * ((i + 1) % 64)).collect();
    assert_eq!(got[..64], expected);
}

#[test]
fn atomics_of_both_memories() {
    let got = plain("atomics.ll", 32, &[]);
    // 0 + 1 + … + 31; a counter that begins again after 9; half of each thread.
    assert_eq!(got[..8], [32, 31, 496, 7, 32 % 10, 16, 5, 0]);
}

#[test]
fn neighbours_are_loaded_and_stored_at_once() {
    let floats: Vec<f32> = (0..512).map(|i| 0.5 * i as f32).collect();
    let words: Vec<u32> = floats.iter().map(|x| x.to_bits()).collect();
    let got = plain("vectors.ll", 64, &words);
    for thread in 0..64 {
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| floats[4 * thread + i]);
        let [a, b] = [256, 257].map(|i| floats[i + 2 * thread]);
        let expected = [w, z, y + a, x * b].map(f32::to_bits);
        assert_eq!(got[4 * thread..4 * thread + 4], expected, "thread {thread}");
    }
    let text = ptx("vectors.ll");
    assert_eq!(text.matches("ld.global.v4.b32").count(), 1, "{text}");
    assert_eq!(text.matches("ld.global.v2.b32").count(), 1, "{text}");
    assert_eq!(text.matches("st.global.v4.b32").count(), 1, "{text}");
}

#[test]
fn structures_by_value() {
    let mut bytes = Vec::new();
    for pair in 0..4_i32 {
        bytes.extend((10 * pair).to_le_bytes());
        bytes.extend((1.5 + pair as f32).to_le_bytes());
    }
    bytes.extend([3, 4, 5, 0, 0, 0, 0, 0]);
    let got = run("values.ll", 32, &[], |launch, out| {
        launch.argument([&bytes[..], &(out + 400).to_le_bytes()].concat())
    });
    for thread in 0..32_u32 {
        let pair = thread & 3;
        let chosen = 10 * pair + 4 + 1 + pair;
        let expected = chosen + 10 * (thread & 1) + ((5 + thread) & 1);
        assert_eq!(got[thread as usize], expected, "thread {thread}");
    }
    assert_eq!(got[100], 99);
}

#[test]
fn a_product_and_a_sum_are_fused_where_that_is_allowed() {
    let floats: Vec<f32> = (0..32).map(|i| 0.3 * i as f32 + 0.7).collect();
    let words: Vec<u32> = floats.iter().map(|x| x.to_bits()).collect();
    let got: Vec<f32> =
        plain("arithmetic.ll", 32, &words).into_iter().map(f32::from_bits).collect();
    for (thread, x) in floats.into_iter().enumerate() {
        let y = 1.0 + thread as f32;
        let d = f64::from(x).mul_add(f64::from(y), -0.25);
        let z = x.mul_add(y, 3.0);
        let w = (-x).mul_add(x, y);
        let first = z.mul_add(2.0, (w * w).sqrt() / y) + 1.0 / x;
        assert_eq!(got[32 + thread], first, "thread {thread}");
        let second = (d / 3.0) as f32 + (w as i32) as f32 + f32::from(y as u8);
        let second = second + x.min(2.5) + x.floor() + 1_f32.copysign(w);
        assert_eq!(got[64 + thread], second, "thread {thread}");
        assert_eq!(got[96 + thread], x * y + 3.0, "thread {thread}");
    }
}

#[test]
fn functions_whose_addresses_variables_hold() {
    let words: Vec<u32> = (0..32).map(|thread| thread % 3 % 2).collect();
    let got = plain("calls.ll", 32, &words);
    for thread in 0..32_u32 {
        let area = match words[thread as usize] {
            0 => thread * thread + 5,
            _ => (7 * thread).wrapping_sub(5),
        };
        let of_table = [2, 3][thread as usize % 2] * thread;
        assert_eq!(got[thread as usize], area.wrapping_add(1000 * of_table), "thread {thread}");
    }
}

#[test]
fn arrays_of_a_threads_own_and_initialised_variables() {
    let words: Vec<u32> = (0..6).map(|i| 7 * i + 1).collect();
    let got = plain("memory.ll", 32, &words);
    for thread in 0..32_u32 {
        let mut own: Vec<u32> = words.iter().map(|word| word + thread).collect();
        own[thread as usize % 6] = 1000;
        let at = (thread as usize + 1) % 6;
        own[at] = own[at].wrapping_add_signed([1, -1, 2, -2][thread as usize & 3]);
        let factors = [3, 5, 7, 11];
        let sum: u32 =
            (0..6).map(|i| own[(i * thread) as usize % 6] * factors[i as usize & 3]).sum();
        assert_eq!(got[8 + thread as usize], sum, "thread {thread}");
    }
}

#[test]
fn exchanges_votes_and_assembly() {
    let got = plain("warps.ll", 32, &[]);
    let square = |lane: u32| lane * lane;
    let ballot: u32 = (0..32).filter(|lane| square(*lane) % 3 == 1).map(|lane| 1 << lane).sum();
    for lane in 0..32_u32 {
        let x = square(lane);
        let sum = square(lane ^ 5) + square(lane.saturating_sub(1)) + 7;
        let wide = u64::from(x.wrapping_mul(99991)) * u64::from(lane.wrapping_mul(77_777_777));
        let (low, high) = (wide as u32, (wide >> 32) as u32);
        let first = if x == 0 { 0 } else { x.trailing_zeros() + 1 };
        let counts = x.count_ones() ^ x.leading_zeros() << 8 ^ x.reverse_bits() ^ first;
        // One lane has 961, so not all have less.
        let expected = sum ^ ballot ^ 1 ^ low ^ high << 3 ^ counts;
        assert_eq!(got[lane as usize], expected, "lane {lane}");
    }
}

#[test]
fn branches_over_many_cases() {
    let mut words: Vec<u32> = (0..64).map(|i| i * 17 % 97).collect();
    words.push(555);
    let got = plain("branches.ll", 64, &words);
    for thread in 0..64 {
        let x = words[thread];
        let mut y = match x % 13 {
            0 => x,
            1 => x * 3,
            2 => x ^ 5,
            4 => 555,
            7 => x / 5,
            8 => x % 7,
            11 => 1,
            _ => x + 100,
        };
        for i in 0..40 {
            if (y ^ i) % 9 == 4 || y > 5000 {
                break;
            }
            y += i * if x & 3 != 0 { 2 } else { 5 };
        }
        assert_eq!(got[thread], y, "thread {thread}");
    }
    let text = ptx("branches.ll");
    assert!(text.contains(".maxntid 64\n.minnctapersm 2"), "{text}");
}

#[test]
fn integers_of_any_width() {
    let got = plain("integers.ll", 64, &[]);
    for x in 0..64_u32 {
        let y8 = (x as u8).wrapping_mul(37) as i8;
        let a = i32::from((y8 >> 2).max(y8 / 7)) as u32;
        let b = if x < 5 { x.wrapping_sub(5) } else { 1000 };
        let swapped = u64::from(x).wrapping_mul(81_985_529_216_486_895).rotate_left(x).swap_bytes();
        let (low, high) = (swapped as u32, (swapped >> 32) as u32);
        let bits = (x as u16).trailing_zeros() + (x as u16).leading_zeros();
        let reversed = u32::from((x as u8).reverse_bits());
        let (product, is_over) = low.overflowing_mul(3);
        // Of 33 bits the highest is what the lowest was, shifted by 31 and back by 30.
        let odd = ((u64::from(x) << 31 & 0x1_ffff_ffff) >> 30) as u32;
        let vector = u32::from((x as u16).wrapping_mul(3)) | 35 << 16;
        let expected = (a ^ b ^ low ^ high ^ bits ^ reversed ^ product)
            .wrapping_add(u32::from(!is_over))
            .wrapping_add(x.saturating_sub(20))
            .wrapping_add(odd)
            .wrapping_add(vector);
        assert_eq!(got[x as usize], expected, "thread {x}");
    }
}

#[test]
fn orders_and_scopes_are_kept() {
    // 5, 6, 6 - 5 = 1, then 41 as it is not 6: what was there before is compared.
    assert_eq!(plain("orders.ll", 1, &[5])[0], 1);
    let text = ptx("orders.ll");
    for part in [
        "ld.acquire.cta.global.b32",
        "st.release.gpu.global.b32",
        "fence.acq_rel.gpu",
        "fence.sc.sys",
        "atom.acq_rel.cta.global.add.u32",
        "atom.acquire.gpu.global.cas.b32",
        "ld.volatile.global.b32",
        "st.volatile.global.b32",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn accesses_have_the_lines_of_their_source() {
    let text = ptx("lines.ll");
    let mut line = 0;
    let mut stores = Vec::new();
    for text in text.lines() {
        let mut words = text.split_whitespace();
        match words.next() {
            Some(".loc") => line = words.nth(1).and_then(|it| it.parse().ok()).unwrap_or(0),
            Some(opcode) if opcode.starts_with("st.global") => stores.push(line),
            _ => {}
        }
    }
    assert!(text.contains("\"own/lines.cu\""), "{text}");
    assert_eq!(stores, [4, 11], "{text}");
}

#[test]
fn the_number_of_an_address_is_that_of_its_space() {
    let text = "
target triple = \"nvptx64-nvidia-cuda\"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @numbers(ptr %out) {
  store i32 ptrtoint (ptr addrspace(3) @tile to i32), ptr %out, align 4
  %next = getelementptr i32, ptr %out, i32 1
  store i32 ptrtoint (ptr addrspacecast (ptr addrspace(3) @tile to ptr) to i32), ptr %next, align 4
  ret void
}";
    let ptx = ir::translate(text, &Options::default()).expect("a kernel");
    assert_eq!(ptx.matches("cvt.u32.u64").count(), 2, "{ptx}");
    assert_eq!(ptx.matches("cvta.shared.u64").count(), 1, "of the second alone: {ptx}");
}

#[test]
fn what_is_not_supported_is_named_with_both_lines() {
    let broken = text("lines.ll").replace("store i32 1, ptr", "store i24 1, ptr");
    let error = ir::translate(&broken, &Options::default()).expect_err("24 bits");
    assert!(error.message.contains("24 bits"), "{error}");
    let line =
        broken.lines().position(|line| line.contains("i24")).expect("it is there") as u32 + 1;
    assert_eq!((error.line, error.source_line), (line, Some(("own/lines.cu".to_string(), 4))));
    for (text, part) in [
        ("target triple = \"wasm32\"", "nvptx64"),
        ("define ptx_kernel void @k() {\n  frobnicate\n  ret void\n}", "`frobnicate`"),
        ("define ptx_kernel void @k() {\n  %x = fence seq_cst\n}", "does not end"),
        ("define ptx_kernel void @k() {\n  br label %away\n}", "%away"),
        ("define ptx_kernel void @k() {\n  %x = add i32 %y, 1\n  ret void\n}", "not defined"),
        (
            "define ptx_kernel void @k() {\n  %x = call i32 @llvm.frob.i32(i32 1)\n  ret void\n}",
            "llvm.frob",
        ),
        ("@x = global i200 0", "200 bits"),
    ] {
        let error = ir::translate(text, &Options::default()).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}
