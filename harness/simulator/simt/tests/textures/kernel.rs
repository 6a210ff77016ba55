//! Kernels that sample, load and store as cases say.

/// A kernel `sample` for an opcode, with the parameters object, coordinates, results, and number of samples.
///
/// Each thread of a texture's kernel takes four words of coordinates and leaves four of results; one thread of a surface's
/// goes through all of them, so that stores come in order. What it stores is mixed from the coordinates.
pub fn kernel(opcode: &str) -> String {
    let body = match opcode.split_once('.') {
        Some(("sust", rest)) => store(opcode, rest),
        Some(("suld", rest)) => load(opcode, rest),
        Some(("txq" | "suq", _)) => format!("{opcode} %o0, [%object];\n"),
        _ => texture(opcode),
    };
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry sample(.param .u64 object, .param .u64 coordinates, .param .u64 results, .param .u32 samples)\n\
         {{\n.reg .b32 %o<4>;\n.reg .b32 %c<4>;\n.reg .b32 %r<16>;\n.reg .b32 %m<4>;\n.reg .b16 %h<4>;\n.reg .b64 %l<2>;\n\
         .reg .f32 %f<8>;\n.reg .b64 %object;\n.reg .b64 %from;\n.reg .b64 %to;\n.reg .b64 %plus;\n.reg .pred %p<4>;\n\
         ld.param.u64 %object, [object];\nld.param.u64 %from, [coordinates];\nld.param.u64 %to, [results];\n\
         ld.param.u32 %r0, [samples];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n\
         mad.lo.u32 %r1, %r2, %r3, %r1;\nmov.u32 %r4, %nctaid.x;\nmul.lo.u32 %r3, %r3, %r4;\n\
         NEXT:\nsetp.ge.u32 %p0, %r1, %r0;\n@%p0 bra END;\nmul.wide.u32 %plus, %r1, 16;\n\
         add.s64 %plus, %from, %plus;\nld.global.v4.u32 {{%c0, %c1, %c2, %c3}}, [%plus];\n\
         mov.u32 %o0, 0;\nmov.u32 %o1, 0;\nmov.u32 %o2, 0;\nmov.u32 %o3, 0;\n\
         {body}\
         mul.wide.u32 %plus, %r1, 16;\nadd.s64 %plus, %to, %plus;\n\
         st.global.v4.u32 [%plus], {{%o0, %o1, %o2, %o3}};\n\
         add.u32 %r1, %r1, %r3;\nbra NEXT;\nEND:\nret;\n}}\n"
    )
}

/// The coordinates of a geometry: the registers of the words, with those that fill a vector of four.
fn coordinates(opcode: &str) -> &'static str {
    let has = |word: &str| opcode.split('.').any(|part| part == word);
    match () {
        () if has("1d") => "{%c0}",
        () if has("2d") || has("a1d") => "{%c0, %c1}",
        () if has("acube") => "{%c0, %c1, %c2, %c3}",
        () => "{%c0, %c1, %c2, %c2}",
    }
}

fn texture(opcode: &str) -> String {
    let at = coordinates(opcode);
    let detail = match opcode {
        _ if opcode.starts_with("tex.level") => ", %c3",
        _ if opcode.starts_with("tex.grad") => ", {%c2, %c3}, {%c3, %c2}",
        _ => "",
    };
    if opcode.contains(".f16.") {
        let widened: String = (0..4).map(|k| format!("cvt.u32.u16 %o{k}, %h{k};\n")).collect();
        return format!("{opcode} {{%h0, %h1, %h2, %h3}}, [%object, {at}]{detail};\n{widened}");
    }
    format!("{opcode} {{%o0, %o1, %o2, %o3}}, [%object, {at}]{detail};\n")
}

/// The registers of an access, and how many words come from each.
fn registers(rest: &str) -> (String, usize, char) {
    let count = if rest.contains(".v2.") {
        2
    } else if rest.contains(".v4.") {
        4
    } else {
        1
    };
    let file = match () {
        () if rest.contains(".b64") => 'l',
        () if rest.contains(".b32") => 'o',
        () => 'h',
    };
    let all: Vec<String> = (0..count).map(|k| format!("%{file}{k}")).collect();
    (format!("{{{}}}", all.join(", ")), count, file)
}

fn load(opcode: &str, rest: &str) -> String {
    let (data, count, file) = registers(rest);
    let mut body = format!("{opcode} {data}, [%object, {}];\n", coordinates(opcode));
    for k in 0..count {
        match file {
            'h' => body += &format!("cvt.u32.u16 %o{k}, %h{k};\n"),
            'l' => body += &format!("mov.b64 {{%o{}, %o{}}}, %l{k};\n", 2 * k, 2 * k + 1),
            _ => {}
        }
    }
    body
}

fn store(opcode: &str, rest: &str) -> String {
    let (data, ..) = registers(rest);
    let mut body = String::new();
    for k in 0..4u32 {
        let salt = 0x27d4_eb2fu32.wrapping_mul(k);
        body += &format!(
            "mul.lo.u32 %r5, %c0, 0x9e3779b9;\nmad.lo.u32 %r5, %c1, 0x85ebca6b, %r5;\n\
             mad.lo.u32 %r5, %c2, 0xc2b2ae35, %r5;\nadd.u32 %r5, %r5, %c3;\nadd.u32 %r5, %r5, {salt};\n\
             shr.u32 %r6, %r5, 15;\nxor.b32 %r5, %r5, %r6;\nmul.lo.u32 %m{k}, %r5, 0x2c1b3c6d;\n"
        );
    }
    if rest.starts_with("p.") {
        // Small numbers and floats as well.
        body += "and.b32 %r7, %c3, 1;\nsetp.ne.u32 %p1, %r7, 0;\nand.b32 %r7, %c3, 2;\nsetp.ne.u32 %p2, %r7, 0;\n";
        for k in 0..4 {
            body += &format!(
                "rem.u32 %r8, %m{k}, 24;\nadd.u32 %r8, %r8, 8;\nshr.s32 %r8, %m{k}, %r8;\n\
                 @%p1 mov.u32 %m{k}, %r8;\ncvt.rn.f32.s32 %f0, %m{k};\nmul.f32 %f0, %f0, 0f30000000;\n\
                 mov.b32 %r8, %f0;\n@%p2 mov.u32 %m{k}, %r8;\n"
            );
        }
    }
    for k in 0..4 {
        body += &format!("mov.u32 %o{k}, %m{k};\ncvt.u16.u32 %h{k}, %m{k};\n");
    }
    body += "mov.b64 %l0, {%m0, %m1};\nmov.b64 %l1, {%m2, %m3};\n";
    body + &format!("{opcode} [%object, {}], {data};\n", coordinates(opcode))
}
