//! The file of recorded products: a line that tells of the recording, then one record after the other.
//!
//! A record is 449 words of 32 bits, the lowest byte first: the kind of operands (low half) and the group (high half) by
//! their numbers in `cases.rs`; a, 16 rows of 8 words; b, 8 columns of 8 words; c and d, 16 rows of 8 `f32`s. A word of an
//! operand is one `.tf32` number, or two of 16 bits of which the lower half is the earlier in k.

/// Words of a, of b, and of c or d.
pub const A: usize = 16 * 8;
pub const B: usize = 8 * 8;
pub const C: usize = 16 * 8;

/// A matrix product as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    /// Index in `cases::KINDS`.
    pub kind: usize,
    /// Index in `cases::GROUPS`.
    pub group: usize,
    /// a, b and c, one after the other.
    pub operands: Vec<u32>,
    /// d, as bits.
    pub result: Vec<u32>,
}

/// The first line, and the products.
pub fn parse(bytes: &[u8]) -> Result<(String, Vec<Product>), String> {
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or("there is no first line")?;
    let told = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let records = bytes[end + 1..].chunks(4 * (1 + A + B + C + C));
    let products = records.enumerate().map(|(number, record)| {
        let words: Vec<u32> = record
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        if words.len() != 1 + A + B + C + C {
            return Err(format!("record {number} has {} bytes", record.len()));
        }
        let (operands, result) = words[1..].split_at(A + B + C);
        Ok(Product {
            kind: (words[0] & 0xffff) as usize,
            group: (words[0] >> 16) as usize,
            operands: operands.to_vec(),
            result: result.to_vec(),
        })
    });
    Ok((told, products.collect::<Result<_, _>>()?))
}

/// The file's bytes.
pub fn format(told: &str, products: &[Product]) -> Vec<u8> {
    let mut bytes = format!("{told}\n").into_bytes();
    for product in products {
        let head = (product.group << 16 | product.kind) as u32;
        let words =
            [head].into_iter().chain(product.operands.iter().chain(&product.result).copied());
        bytes.extend(words.flat_map(u32::to_le_bytes));
    }
    bytes
}
