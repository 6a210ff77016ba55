use std::cell::RefCell;
use std::slice;

use super::*;

thread_local! {
    /// Calls of the library that was made up, in their order.
    static CALLS: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
    /// What it answers.
    static ANSWER: RefCell<Status> = const { RefCell::new(0) };
}

fn called(name: &'static str) -> Status {
    CALLS.with_borrow_mut(|calls| calls.push(name));
    ANSWER.with_borrow(|answer| *answer)
}

unsafe extern "C" fn create(handle: *mut Handle) -> Status {
    // SAFETY: the caller's pointer is to a handle.
    unsafe { *handle = 7 as Handle };
    called("create")
}

unsafe extern "C" fn destroy(handle: Handle) -> Status {
    assert_eq!(handle as usize, 7);
    called("destroy")
}

/// A number of a matrix by columns, whose columns begin `pitch` numbers apart.
unsafe fn number(
    matrix: *const c_void,
    kind: c_int,
    row: c_int,
    column: c_int,
    pitch: c_int,
) -> f32 {
    assert!(row < pitch, "a column is longer than the pitch");
    let at = (row + column * pitch) as usize;
    match kind {
        // SAFETY: the caller has a matrix of that many numbers, of this type.
        FLOAT => unsafe { *matrix.cast::<f32>().add(at) },
        14 => {
            // SAFETY: as above.
            let bits = unsafe { *matrix.cast::<u16>().add(at) };
            f32::from_bits(u32::from(bits) << 16)
        }
        other => panic!("no type {other}"),
    }
}

/// What cuBLAS's guide says of `cublasGemmEx` without transposition, on memory of the host.
unsafe extern "C" fn gemm(
    handle: Handle,
    transpose_a: c_int,
    transpose_b: c_int,
    m: c_int,
    n: c_int,
    k: c_int,
    alpha: *const c_void,
    a: *const c_void,
    type_a: c_int,
    pitch_a: c_int,
    b: *const c_void,
    type_b: c_int,
    pitch_b: c_int,
    beta: *const c_void,
    c: *mut c_void,
    type_c: c_int,
    pitch_c: c_int,
    compute: c_int,
    _: c_int,
) -> Status {
    assert_eq!((handle as usize, transpose_a, transpose_b, type_c), (7, 0, 0, FLOAT));
    assert!([68, 69, 77].contains(&compute));
    // SAFETY: the caller's pointers are to factors and to matrices of this size.
    unsafe {
        let (alpha, beta) = (*alpha.cast::<f32>(), *beta.cast::<f32>());
        let c = slice::from_raw_parts_mut(c.cast::<f32>(), (pitch_c * n) as usize);
        for (row, column) in (0..m).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let products = (0..k).map(|at| {
                number(a, type_a, row, at, pitch_a) * number(b, type_b, at, column, pitch_b)
            });
            let out = &mut c[(row + column * pitch_c) as usize];
            let before = if beta == 0.0 { 0.0 } else { beta * *out };
            *out = alpha * products.sum::<f32>() + before;
        }
    }
    called("gemm")
}

fn made_up() -> &'static Cublas {
    Box::leak(Box::new(Cublas {
        path: PathBuf::from("libcublas.so"),
        version: "13.1.0".to_owned(),
        create,
        destroy,
        gemm,
        _libraries: Vec::new(),
    }))
}

/// α A B + β C of row-major matrices, one number after the other.
fn reference(product: &Product, a: &[f32], b: &[f32], c: &[f32]) -> Vec<f32> {
    let [m, n, k] = product.sizes.map(|size| size as usize);
    let one = |at: usize| {
        let (row, column) = (at / n, at % n);
        let sum: f32 = (0..k).map(|i| a[row * k + i] * b[i * n + column]).sum();
        let before = if product.beta == 0.0 { 0.0 } else { product.beta * c[at] };
        product.alpha * sum + before
    };
    (0..m * n).map(one).collect()
}

#[test]
fn a_row_major_product_is_that_of_the_transposed_in_the_other_order() {
    let shapes = [[1, 1, 1], [2, 3, 5], [7, 4, 1], [1, 6, 3], [5, 1, 2], [4, 4, 4]];
    for ([m, n, k], (alpha, beta)) in
        shapes.into_iter().flat_map(|shape| [(1.0, 0.0), (2.0, 3.0)].map(|it| (shape, it)))
    {
        let numbers = |count: u64, step: usize| -> Vec<f32> {
            (0..count as usize).map(|i| (i * step % 11) as f32 - 5.0).collect()
        };
        let (a, b) = (numbers(m * k, 3), numbers(k * n, 7));
        let before = if beta == 0.0 { vec![f32::NAN; (m * n) as usize] } else { numbers(m * n, 5) };
        for precision in [Precision::Fp32, Precision::Tf32, Precision::Bf16] {
            let product = Product { sizes: [m, n, k], alpha, beta, precision };
            let halves = |all: &[f32]| -> Vec<u16> {
                all.iter().map(|it| (it.to_bits() >> 16) as u16).collect()
            };
            let (a16, b16) = (halves(&a), halves(&b));
            let [from_a, from_b] = match precision.bytes() {
                2 => [a16.as_ptr() as u64, b16.as_ptr() as u64],
                _ => [a.as_ptr() as u64, b.as_ptr() as u64],
            };
            let mut c = before.clone();
            let context = made_up().context().unwrap();
            // SAFETY: the addresses are of matrices of this size.
            unsafe { context.product(&product, [from_a, from_b, c.as_mut_ptr() as u64]) }.unwrap();
            // Whole numbers: every order of sums is exact.
            assert_eq!(c, reference(&product, &a, &b, &before), "{product:?}");
        }
    }
}

#[test]
fn calls_come_in_their_order_and_what_is_refused_is_named() {
    let product = Product { sizes: [1, 1, 1], alpha: 1.0, beta: 0.0, precision: Precision::Fp32 };
    let mut numbers = [1.0f32; 3];
    let at = |numbers: &mut [f32; 3], i: usize| numbers.as_mut_ptr().wrapping_add(i) as u64;
    let addresses = [0, 1, 2].map(|i| at(&mut numbers, i));
    CALLS.take();
    let context = made_up().context().unwrap();
    // SAFETY: the addresses are of one number each.
    unsafe { context.product(&product, addresses) }.unwrap();
    drop(context);
    assert_eq!(CALLS.take(), ["create", "gemm", "destroy"]);

    let context = made_up().context().unwrap();
    let large = Product { sizes: [1, 1 << 31, 1], ..product };
    // SAFETY: nothing is called.
    let error = unsafe { context.product(&large, addresses) }.unwrap_err();
    assert!(error.is_skipped() && error.to_string().contains("1 × 2147483648 × 1"), "{error}");
    ANSWER.set(15);
    // SAFETY: as above.
    let error = unsafe { context.product(&product, addresses) }.unwrap_err();
    assert!(error.to_string().contains("13.1.0: CUBLAS_STATUS_NOT_SUPPORTED"), "{error}");
    let error = made_up().context().err().unwrap().to_string();
    assert!(error.contains("opening cuBLAS"), "{error}");
    ANSWER.set(0);
}
