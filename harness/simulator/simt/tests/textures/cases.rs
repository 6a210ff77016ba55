//! What is sampled: all geometries, formats, filters, address modes, and what else instructions can do.

use super::case::{Case, Content, Geometry, Kind};

/// A geometry, its part of an opcode, and an extent.
const GEOMETRIES: [(Geometry, &str, [u32; 3]); 8] = [
    (Geometry::Row, "1d", [13, 1, 1]),
    (Geometry::Plane, "2d", [13, 7, 1]),
    (Geometry::Space, "3d", [7, 6, 5]),
    (Geometry::Rows, "a1d", [13, 1, 3]),
    (Geometry::Planes, "a2d", [11, 7, 3]),
    (Geometry::Cube, "cube", [7, 7, 6]),
    (Geometry::Cubes, "acube", [6, 6, 12]),
    (Geometry::Pitch, "2d", [13, 7, 1]),
];

/// Kind, bits, and whether texels are read as normalised floats.
const FORMATS: [(Kind, u32, bool); 12] = [
    (Kind::Unsigned, 8, false),
    (Kind::Signed, 8, false),
    (Kind::Unsigned, 16, false),
    (Kind::Signed, 16, false),
    (Kind::Unsigned, 32, false),
    (Kind::Signed, 32, false),
    (Kind::Unsigned, 8, true),
    (Kind::Signed, 8, true),
    (Kind::Unsigned, 16, true),
    (Kind::Signed, 16, true),
    (Kind::Float, 16, false),
    (Kind::Float, 32, false),
];

/// Address modes and normalised: those that a program can mean, and two that hardware replaces.
const ADDRESSING: [(u32, bool); 8] =
    [(1, true), (0, true), (2, true), (3, true), (1, false), (3, false), (0, false), (2, false)];

/// What instructions return for a format.
fn result(kind: Kind, as_float: bool) -> &'static str {
    match kind {
        Kind::Float => "f32",
        _ if as_float => "f32",
        Kind::Signed => "s32",
        Kind::Unsigned => "u32",
    }
}

/// Makes cases.
struct Maker {
    cases: Vec<Case>,
    /// What the next one is like.
    next: Case,
}

impl Maker {
    fn geometry(&mut self, (geometry, _, extent): (Geometry, &str, [u32; 3])) {
        self.next.geometry = geometry;
        self.next.extent = extent;
    }

    fn format(&mut self, (kind, bits, as_float): (Kind, u32, bool), components: u32) {
        (self.next.kind, self.next.bits, self.next.as_float) = (kind, bits, as_float);
        self.next.components = components;
    }

    fn addressing(&mut self, (address, normalised): (u32, bool)) {
        (self.next.address, self.next.normalised) = (address, normalised);
    }

    fn add(&mut self, opcode: &str, samples: u32) {
        let number = self.cases.len() as u32;
        let opcode = opcode.to_string();
        self.cases.push(Case { number, opcode, samples, ..self.next.clone() });
    }
}

/// All cases.
pub fn cases() -> Vec<Case> {
    let next = Case {
        number: 0,
        opcode: String::new(),
        geometry: Geometry::Row,
        extent: [1; 3],
        kind: Kind::Float,
        bits: 32,
        components: 1,
        linear: false,
        address: 1,
        normalised: false,
        as_float: false,
        srgb: false,
        seamless: false,
        border: [0.25, -0.75, 3.5, 0.9],
        content: Content::Wild,
        samples: 0,
    };
    let mut m = Maker { cases: Vec::new(), next };
    places(&mut m, 12);
    formats(&mut m, 4);
    sums(&mut m, 12);
    others(&mut m, 12);
    surfaces(&mut m, 32);
    m.cases
}

/// Which texels a sample is made of, and their weights.
fn places(m: &mut Maker, samples: u32) {
    let float = (Kind::Float, 32, false);
    m.format(float, 4);
    m.next.content = Content::Ramp;
    let wide = [16, 1000, 16384].map(|width| (Geometry::Row, "1d", [width, 1, 1]));
    for geometry in GEOMETRIES.into_iter().chain(wide) {
        m.geometry(geometry);
        m.format(float, if geometry.2[0] > 100 { 1 } else { 4 });
        for linear in [false, true] {
            m.next.linear = linear;
            for addressing in ADDRESSING {
                m.addressing(addressing);
                m.add(&format!("tex.{}.v4.f32.f32", geometry.1), samples);
                m.next.seamless = true;
                if matches!(geometry.0, Geometry::Cube) && addressing.1 {
                    m.add("tex.cube.v4.f32.f32", 4 * samples);
                }
                m.next.seamless = false;
            }
        }
        m.next.linear = false;
        for addressing in ADDRESSING {
            m.addressing(addressing);
            if !matches!(geometry.0, Geometry::Cube | Geometry::Cubes) {
                m.add(&format!("tex.{}.v4.f32.s32", geometry.1), samples);
            }
        }
    }
    m.format(float, 4);
    for (opcode, geometry) in [
        ("tld4.r.2d", 1),
        ("tld4.g.2d", 1),
        ("tld4.r.a2d", 4),
        ("tld4.r.cube", 5),
        ("tld4.g.2d", 7),
    ] {
        m.geometry(GEOMETRIES[geometry]);
        for addressing in ADDRESSING {
            for linear in [false, true] {
                m.next.linear = linear;
                m.addressing(addressing);
                m.add(&format!("{opcode}.v4.f32.f32"), samples);
            }
        }
    }
    m.next.linear = false;
}

/// All formats in all geometries.
fn formats(m: &mut Maker, samples: u32) {
    m.next.content = Content::Even;
    for geometry in GEOMETRIES {
        m.geometry(geometry);
        for format in FORMATS {
            let result = result(format.0, format.2);
            for components in [1, 2, 4] {
                m.format(format, components);
                for linear in [false, true] {
                    m.next.linear = linear;
                    if linear && result != "f32" {
                        continue;
                    }
                    let few = if geometry.0 == Geometry::Plane { 8 } else { 1 };
                    for addressing in
                        ADDRESSING.into_iter().skip(if few == 1 { 3 } else { 0 }).take(few)
                    {
                        m.addressing(addressing);
                        m.add(&format!("tex.{}.v4.{result}.f32", geometry.1), samples);
                    }
                }
            }
        }
    }
    m.next.linear = false;
    m.next.geometry = Geometry::Linear;
    m.next.extent = [29, 1, 1];
    m.addressing((1, false));
    for format in FORMATS {
        for components in [1, 2, 4] {
            m.format(format, components);
            m.add(&format!("tex.1d.v4.{}.s32", result(format.0, format.2)), 2 * samples);
        }
    }
}

/// How products with weights are added.
fn sums(m: &mut Maker, samples: u32) {
    m.next.linear = true;
    for format in FORMATS.into_iter().filter(|f| result(f.0, f.2) == "f32") {
        m.format(format, 4);
        for content in [Content::Even, Content::Wide, Content::Wild] {
            if content != Content::Even && format.0 != Kind::Float {
                continue;
            }
            m.next.content = content;
            for (geometry, opcode, extent) in [
                (Geometry::Row, "1d", [200, 1, 1]),
                (Geometry::Plane, "2d", [20, 20, 1]),
                (Geometry::Space, "3d", [8, 8, 8]),
            ] {
                m.geometry((geometry, opcode, extent));
                m.addressing((1, false));
                m.add(&format!("tex.{opcode}.v4.f32.f32"), 4 * samples);
            }
        }
    }
    m.next.linear = false;
}

/// Every value of small formats, sRGB, levels, halves, gathers of all components, queries.
fn others(m: &mut Maker, samples: u32) {
    m.next.content = Content::Every;
    for (kind, srgb) in [(Kind::Unsigned, false), (Kind::Signed, false), (Kind::Unsigned, true)] {
        m.geometry((Geometry::Row, "1d", [256, 1, 1]));
        m.format((kind, 8, true), 4);
        m.next.srgb = srgb;
        m.add("tex.1d.v4.f32.s32", 256);
    }
    m.next.linear = true;
    m.next.content = Content::Even;
    m.geometry((Geometry::Plane, "2d", [20, 20, 1]));
    m.add("tex.2d.v4.f32.f32", 4 * samples);
    m.next.linear = false;
    m.next.srgb = false;
    m.next.content = Content::Wild;
    for format in [(Kind::Unsigned, 16, true), (Kind::Signed, 16, true), (Kind::Float, 16, false)] {
        m.geometry((Geometry::Plane, "2d", [64, 64, 1]));
        m.format(format, 4);
        m.add("tex.2d.v4.f32.s32", 64 * samples);
    }
    m.next.content = Content::Even;
    m.geometry((Geometry::Plane, "2d", [13, 7, 1]));
    for format in FORMATS {
        m.format(format, 4);
        let result = result(format.0, format.2);
        for component in ["r", "g", "b", "a"] {
            m.addressing((1, true));
            m.add(&format!("tld4.{component}.2d.v4.{result}.f32"), samples / 2);
        }
        // A result of another type than the texels'.
        let other = if result == "f32" { "u32" } else { "f32" };
        m.add(&format!("tex.2d.v4.{other}.f32"), samples / 2);
        for linear in [false, true] {
            m.next.linear = linear;
            if !linear || result == "f32" {
                m.add("tex.2d.v4.f16.f32", samples);
            }
        }
        m.next.linear = false;
        m.addressing((3, true));
        for component in ["r", "g", "b", "a"] {
            m.format(format, if component == "r" { 1 } else { 2 });
            m.add(&format!("tld4.{component}.2d.v4.{result}.f32"), samples / 2);
        }
        m.geometry((Geometry::Linear, "1d", [29, 1, 1]));
        m.add("tex.1d.v4.f16.s32", samples);
        m.geometry((Geometry::Plane, "2d", [13, 7, 1]));
    }
    m.next.content = Content::Ramp;
    m.format((Kind::Float, 32, false), 4);
    for linear in [false, true] {
        m.next.linear = linear;
        m.addressing((1, true));
        m.geometry((Geometry::Row, "1d", [13, 1, 1]));
        m.add("tex.level.1d.v4.f32.f32", samples);
        m.geometry((Geometry::Plane, "2d", [13, 7, 1]));
        m.add("tex.level.2d.v4.f32.f32", samples);
        m.add("tex.grad.2d.v4.f32.f32", samples);
    }
    m.next.linear = false;
    let queries = ["width", "height", "depth"];
    for (geometry, format, addressing) in
        [(0, 0, 4), (1, 11, 0), (2, 10, 1), (3, 3, 2), (4, 7, 3), (5, 11, 1), (6, 2, 1), (7, 9, 1)]
    {
        m.geometry(GEOMETRIES[geometry]);
        m.format(FORMATS[format], 2);
        m.addressing(ADDRESSING[addressing]);
        m.next.linear = geometry == 1;
        for query in queries {
            m.add(&format!("txq.{query}.b32"), 1);
        }
    }
    m.next.linear = false;
    for (geometry, format) in [(0, 0), (1, 11), (2, 10), (3, 3), (4, 1), (5, 11), (6, 2)] {
        m.geometry(GEOMETRIES[geometry]);
        m.format(FORMATS[format], 2);
        for query in queries {
            m.add(&format!("suq.{query}.b32"), 1);
        }
    }
}

/// Loads and stores of surfaces.
fn surfaces(m: &mut Maker, samples: u32) {
    m.next.content = Content::Wild;
    // Bits and components that an element of each size is in memory.
    let sizes = [
        ("b8", 8, 1),
        ("b16", 16, 1),
        ("b32", 32, 1),
        ("b64", 32, 2),
        ("v2.b8", 8, 2),
        ("v4.b8", 8, 4),
        ("v2.b32", 32, 2),
        ("v4.b32", 32, 4),
        ("v2.b64", 32, 4),
        ("b32", 8, 4),
        ("b8", 32, 1),
        ("b16", 32, 2),
    ];
    for (size, bits, components) in sizes {
        for geometry in &GEOMETRIES[..5] {
            m.geometry(*geometry);
            m.format((Kind::Unsigned, bits, false), components);
            for clamp in ["zero", "clamp"] {
                for access in ["suld", "sust"] {
                    m.add(&format!("{access}.b.{}.{size}.{clamp}", geometry.1), samples);
                }
            }
        }
    }
    m.geometry(GEOMETRIES[1]);
    for format in FORMATS.into_iter().filter(|format| !format.2) {
        for components in [1, 2, 4] {
            m.format(format, components);
            for clamp in ["zero", "clamp"] {
                m.add(&format!("sust.p.2d.v4.b32.{clamp}"), 4 * samples);
            }
        }
    }
}
