//! One instruction of the golden vectors, and the PTX that applies it to rows of operands.

use std::fmt;

/// A statement that computes `%d` from `%a`, `%b`, `%c` and `%e`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instruction {
    /// The operands' types; `n32` is a `.u32` used as an amount.
    pub inputs: Vec<String>,
    /// The result's type.
    pub output: String,
    /// One statement or more.
    pub statement: String,
}

impl Instruction {
    /// Reads `f32 f32 -> f32 | add.f32 %d, %a, %b;`.
    pub fn parse(text: &str) -> Option<Instruction> {
        let (signature, statement) = text.split_once(" | ")?;
        let (inputs, output) = signature.split_once(" -> ")?;
        Some(Instruction {
            inputs: inputs.split(' ').map(str::to_string).collect(),
            output: output.to_string(),
            statement: statement.to_string(),
        })
    }

    /// Bits of the result.
    pub fn width(&self) -> u32 {
        width(&self.output)
    }

    /// A module whose kernel `test(rows, results, count)` applies the statement to one row of
    /// operands per thread. An operand and a result take 8 bytes each, of which the type's own are
    /// used.
    pub fn ptx(&self) -> String {
        let mut declarations = format!(".reg .{} %d;\n", held(&self.output));
        let mut loads = String::new();
        for (i, (name, of)) in ["%a", "%b", "%c", "%e"].iter().zip(&self.inputs).enumerate() {
            let at = format!("[%rd0+{}]", i * 8);
            let of = of.replace('n', "u");
            if of == "pred" {
                declarations += &format!(".reg .pred {name};\n");
                loads += &format!("ld.global.u32 %r4, {at};\nsetp.ne.u32 {name}, %r4, 0;\n");
            } else {
                declarations += &format!(".reg .{} {name};\n", held(&of));
                loads += &format!("ld.global.{of} {name}, {at};\n");
            }
        }
        let store = match self.output.as_str() {
            "pred" => "selp.u32 %r5, 1, 0, %d;\nst.global.u32 [%rd1], %r5;".to_string(),
            of => format!("st.global.{of} [%rd1], %d;"),
        };
        let row = self.inputs.len() * 8;
        let statement = &self.statement;
        // Every instruction here exists for this target; `add.u16x2` is the newest.
        format!(
            "\
.version 8.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 rows, .param .u64 results, .param .u32 count)
{{
.reg .pred %p<4>;
.reg .b32 %r<8>;
.reg .b64 %rd<4>;
{declarations}mov.u32 %r0, %ctaid.x;
mov.u32 %r1, %ntid.x;
mov.u32 %r2, %tid.x;
mad.lo.s32 %r0, %r0, %r1, %r2;
ld.param.u32 %r3, [count];
setp.ge.u32 %p0, %r0, %r3;
@%p0 bra DONE;
ld.param.u64 %rd0, [rows];
cvta.to.global.u64 %rd0, %rd0;
mul.wide.u32 %rd2, %r0, {row};
add.s64 %rd0, %rd0, %rd2;
ld.param.u64 %rd1, [results];
cvta.to.global.u64 %rd1, %rd1;
mul.wide.u32 %rd2, %r0, 8;
add.s64 %rd1, %rd1, %rd2;
{loads}{statement}
{store}
DONE:
ret;
}}
"
        )
    }

    /// The bytes that the kernel reads.
    pub fn pack(rows: &[Vec<u64>]) -> Vec<u8> {
        rows.iter().flatten().flat_map(|operand| operand.to_le_bytes()).collect()
    }

    /// The results among the bytes that the kernel wrote.
    pub fn unpack(&self, bytes: &[u8]) -> Vec<u64> {
        let mask = u64::MAX >> (64 - self.width());
        let words = bytes.as_chunks::<8>().0.iter();
        words.map(|&word| u64::from_le_bytes(word) & mask).collect()
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} | {}", self.inputs.join(" "), self.output, self.statement)
    }
}

/// Bits of a type, 1 for predicates.
pub fn width(of: &str) -> u32 {
    of.trim_start_matches(char::is_alphabetic).parse().unwrap_or(1)
}

/// The type of register that holds a value: none has 8 bits.
fn held(of: &str) -> String {
    match width(of) {
        8 => format!("{}16", &of[..1]),
        _ => of.to_string(),
    }
}
