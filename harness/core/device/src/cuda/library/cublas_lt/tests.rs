use std::ffi::{c_int, c_void};
use std::ptr::{null_mut, without_provenance_mut};

use super::functions::*;

/// A matrix by columns, as its caller describes it to the made-up library.
struct Matrix {
    of: c_int,
    rows: usize,
    columns: usize,
    pitch: usize,
}

impl Matrix {
    /// Where a number is.
    fn at(&self, row: usize, column: usize) -> usize {
        assert!(row < self.rows && column < self.columns && self.rows <= self.pitch);
        row + column * self.pitch
    }
}

unsafe extern "C" fn create(made: *mut *mut c_void) -> c_int {
    // SAFETY: the caller's pointer is to a handle.
    unsafe { *made = without_provenance_mut(7) };
    0
}

unsafe extern "C" fn destroy(_: *mut c_void) -> c_int {
    0
}

unsafe extern "C" fn new_product(made: *mut *mut c_void, compute: c_int, scale: c_int) -> c_int {
    assert_eq!((compute, scale), (68, FLOAT));
    // SAFETY: as above.
    unsafe { create(made) }
}

unsafe extern "C" fn set(
    _: *mut c_void,
    attribute: c_int,
    value: *const c_void,
    _: usize,
) -> c_int {
    // SAFETY: the caller's value is as large as its attribute says: an operation has four bytes.
    assert!(attribute != OF_TRANSA || unsafe { *value.cast::<c_int>() } == 1);
    0
}

unsafe extern "C" fn new_matrix(
    made: *mut *mut c_void,
    of: c_int,
    rows: u64,
    columns: u64,
    pitch: i64,
) -> c_int {
    let (rows, columns, pitch) = (rows as usize, columns as usize, pitch as usize);
    // SAFETY: the caller's pointer is to an object.
    unsafe { *made = Box::into_raw(Box::new(Matrix { of, rows, columns, pitch })).cast() };
    0
}

unsafe extern "C" fn end_matrix(matrix: *mut c_void) -> c_int {
    // SAFETY: `new_matrix` made it, and the caller is its only owner.
    drop(unsafe { Box::from_raw(matrix.cast::<Matrix>()) });
    0
}

unsafe extern "C" fn propose(
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    c: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: c_int,
    proposals: *mut Proposal,
    found: *mut c_int,
) -> c_int {
    // SAFETY: the caller's pointers are to a matrix, to proposals and to their number.
    unsafe {
        // Of one row there is none.
        if (*c.cast::<Matrix>()).columns == 1 {
            return 15;
        }
        (*proposals).algorithm = [3; 8];
        *found = 1;
    }
    0
}

/// What the guide says of `cublasLtMatmul` with a transposed first factor, on memory of the host. Bytes are whole numbers here.
unsafe extern "C" fn multiply(
    handle: *mut c_void,
    _: *mut c_void,
    alpha: *const c_void,
    a: *const c_void,
    of_a: *mut c_void,
    b: *const c_void,
    of_b: *mut c_void,
    beta: *const c_void,
    _: *const c_void,
    _: *mut c_void,
    d: *mut c_void,
    of_d: *mut c_void,
    algorithm: *const Algorithm,
    _: *mut c_void,
    _: usize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the caller's pointers are to factors, to matrices of such sizes and to what describes them.
    unsafe {
        assert_eq!((handle.addr(), *algorithm), (7, [3; 8]));
        let [of_a, of_b, of_d] = [of_a, of_b, of_d].map(|it| &*it.cast::<Matrix>());
        assert_eq!([of_a.of, of_b.of, of_d.of], [E4M3, E4M3, FLOAT]);
        let (a, b, d) = (a.cast::<i8>(), b.cast::<i8>(), d.cast::<f32>());
        for (row, column) in
            (0..of_d.rows).flat_map(|row| (0..of_d.columns).map(move |column| (row, column)))
        {
            let products = (0..of_a.rows).map(|k| {
                f32::from(*a.add(of_a.at(k, row))) * f32::from(*b.add(of_b.at(k, column)))
            });
            let sum: f32 = products.sum();
            let out = d.add(of_d.at(row, column));
            *out = *alpha.cast::<f32>() * sum + *beta.cast::<f32>() * *out;
        }
    }
    0
}

fn made_up() -> &'static Functions {
    Box::leak(Box::new(Functions {
        version: "13.1.0".to_owned(),
        create,
        destroy,
        new_product,
        set_product: set,
        end_product: destroy,
        new_matrix,
        end_matrix,
        new_preference: create,
        set_preference: set,
        end_preference: destroy,
        propose,
        multiply,
        _library: None,
    }))
}

#[test]
fn a_product_by_rows_is_one_by_columns_with_its_first_factor_transposed() {
    let (m, n, k) = (2, 3, 4);
    let functions = made_up();
    let handle = functions.open().unwrap();
    let description = Description::new(functions, [m, n, k].map(|it| it as u64)).unwrap();
    let proposals = description.proposals(handle, 8, 0).unwrap();
    assert_eq!(proposals.len(), 1);
    let a: Vec<i8> = (0..m * k).map(|i| (i * 3 % 7) as i8 - 3).collect();
    let by_columns: Vec<i8> = (0..n * k).map(|i| (i * 5 % 9) as i8 - 4).collect();
    let mut c: Vec<f32> = (0..m * n).map(|i| i as f32).collect();
    let expected: Vec<f32> = (0..m * n)
        .map(|i| {
            let (row, column) = (i / n, i % n);
            let products = (0..k)
                .map(|at| f32::from(a[row * k + at]) * f32::from(by_columns[column * k + at]));
            2.0 * products.sum::<f32>() + 3.0 * i as f32
        })
        .collect();
    let at = [a.as_ptr() as u64, by_columns.as_ptr() as u64, c.as_mut_ptr() as u64];
    // SAFETY: the addresses are of matrices of this size.
    unsafe { description.multiply(handle, [2.0, 3.0], at, &proposals[0], (0, 0)) }.unwrap();
    assert_eq!(c, expected);
    functions.close(handle);
}

#[test]
fn what_the_library_does_not_have_is_skipped() {
    let description = Description::new(made_up(), [1, 16, 16]).unwrap();
    let error = description.proposals(null_mut(), 8, 0).unwrap_err();
    let text = error.to_string();
    assert!(error.is_skipped() && text.contains("13.1.0 has no product of e4m3"), "{text}");
    assert!(text.contains("CUBLAS_STATUS_NOT_SUPPORTED"), "{text}");
}
