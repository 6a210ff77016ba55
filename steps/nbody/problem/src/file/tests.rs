use proptest::prelude::*;

use super::*;
use crate::plummer;

fn round_trip(name: &str, bodies: &Bodies) -> Bodies {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(name);
    write(&file, bodies).expect("written");
    read(&file).expect("read back")
}

fn problem(name: &str, content: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(name);
    std::fs::write(&file, content).expect("written");
    let message = read(&file).expect_err("a bad file").to_string();
    assert!(message.contains(name), "the file is not named: {message}");
    message
}

#[test]
fn both_formats_keep_every_bit() {
    let mut bodies = plummer(300, 1);
    bodies.push(f32::MIN_POSITIVE, [-0.0, f32::MAX, 1e-40], [0.1, -1.0 / 3.0, f32::MIN]);
    for name in ["b.csv", "b.tipsy", "b.bin", "unknown.ending", "none"] {
        let back = round_trip(name, &bodies);
        assert_eq!(back, bodies, "{name}");
        assert!(back.position[0][300].is_sign_negative(), "{name} loses the sign of zero");
    }
}

#[test]
fn csv_as_people_write_it_is_read() {
    let text = "\u{feff}mass, x,y,z, vx,vy,vz\r\n1,2,3,4,5,6,7\r\n\r\n 1e-3 ,0,0,0,0,0,-.5\r\n";
    let bodies = csv::parse(text.as_bytes()).expect("good CSV");
    assert_eq!(bodies.len(), 2);
    assert_eq!((bodies.mass[0], bodies.position_of(0)), (1.0, [2.0, 3.0, 4.0]));
    assert_eq!((bodies.mass[1], bodies.velocity_of(1)), (1e-3, [0.0, 0.0, -0.5]));
}

#[test]
fn every_bad_csv_is_said_with_its_place() {
    let header = "mass,x,y,z,vx,vy,vz\n";
    let good = "1,0,0,0,0,0,0\n";
    let cases: [(&str, &[&str]); 12] = [
        ("", &["empty", "mass,x,y,z,vx,vy,vz"]),
        ("\n \n", &["empty"]),
        (header, &["no body"]),
        ("mass,x,y,z\n", &["line 1, column 5", "header"]),
        ("m,x,y,z,vx,vy,vz\n", &["line 1, column 1", "header"]),
        ("1,0,0,0,0,0,0\n", &["line 1, column 1", "header"]),
        ("GOOD1,0,0,0,0,0\n", &["line 3, column 7", "6 values"]),
        ("GOOD1,0,0,0,0,0,0,9\n", &["line 3, column 8", "8 values"]),
        ("GOOD1,0,zero,0,0,0,0\n", &["line 3, column 3 (y)", "`zero` is not a number"]),
        ("GOOD1,0,0,0,0,NaN,0\n", &["line 3, column 6 (vy)", "not finite"]),
        ("GOOD1,1e39,0,0,0,0,0\n", &["line 3, column 2 (x)", "not finite"]),
        ("GOOD-1,0,0,0,0,0,0\n", &["line 3, column 1", "negative"]),
    ];
    for (text, parts) in cases {
        let text = text.replace("GOOD", &format!("{header}{good}"));
        let message = problem("bad.csv", text.as_bytes());
        for part in parts {
            assert!(message.contains(part), "`{part}` is missing in: {message}");
        }
    }
    let message = problem("bad.csv", &[header.as_bytes(), b"1,0,\xff,0,0,0,0\n"].concat());
    assert!(message.contains("line 2, column 3") && message.contains("UTF-8"), "{message}");
}

/// A Tipsy file by hand: header, one dark particle, one star particle.
fn tipsy_by_hand(is_big: bool, is_padded: bool) -> Vec<u8> {
    let mut words: Vec<u32> = vec![2, 3, 0, 1, 1];
    if is_padded {
        words.push(0);
    }
    let dark = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.05];
    let star = [10.0f32, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 0.5, 0.25, 0.05];
    words.extend(dark.map(f32::to_bits));
    words.push(0);
    words.extend(star.map(f32::to_bits));
    words.push(1);
    let bytes = |word: u32| if is_big { word.to_be_bytes() } else { word.to_le_bytes() };
    let mut content = vec![0; 8]; // time 0
    content.extend(words.into_iter().flat_map(bytes));
    content
}

#[test]
fn tipsy_is_read_in_either_byte_order_with_and_without_padding() {
    for (is_big, is_padded) in [(false, true), (false, false), (true, true), (true, false)] {
        let bodies = tipsy::parse(&tipsy_by_hand(is_big, is_padded)).expect("good Tipsy");
        assert_eq!(bodies.mass, [1.0, 10.0]);
        assert_eq!(bodies.position_of(1), [20.0, 30.0, 40.0]);
        assert_eq!(bodies.velocity_of(0), [5.0, 6.0, 7.0]);
    }
}

/// Offsets as `offsetof` gives them for the sample's structs on a 64-bit machine.
#[test]
fn tipsy_is_written_as_the_sample_reads_it() {
    let mut bodies = Bodies::default();
    bodies.push(1.0, [2.0, 3.0, 4.0], [5.0, 6.0, 7.0]);
    bodies.push(8.0, [9.0; 3], [10.0; 3]);
    let mut content = Vec::new();
    tipsy::write(&mut content, &bodies).expect("written to memory");
    assert_eq!(content.len(), 32 + 2 * 36);
    let int = |at: usize| i32::from_le_bytes(content[at..at + 4].try_into().expect("4 bytes"));
    let float = |at: usize| f32::from_bits(int(at).cast_unsigned());
    assert_eq!([8, 12, 16, 20, 24].map(int), [2, 3, 0, 2, 0]);
    assert_eq!([32, 36, 48, 56, 60].map(float), [1.0, 2.0, 5.0, 7.0, 0.05]);
    assert_eq!((float(68), int(64), int(100)), (8.0, 0, 1));
}

#[test]
fn every_bad_tipsy_is_said_with_its_byte() {
    let good = tipsy_by_hand(false, true);
    let with = |at: usize, word: u32| {
        let mut content = good.clone();
        content[at..at + 4].copy_from_slice(&word.to_le_bytes());
        content
    };
    let mut longer = good.clone();
    longer.push(0);
    let mut none = good[..32].to_vec();
    none[8..12].fill(0);
    none[20..28].fill(0);
    let negative = (-1.0f32).to_bits();
    let cases: [(&[u8], &[&str]); 12] = [
        (b"", &["byte 0", "header"]),
        (&good[..20], &["byte 20", "header"]),
        (&good[..60], &["byte 60", "ends early", "byte 112"]),
        (&good[..good.len() - 1], &["byte 111", "ends early"]),
        (&longer, &["byte 112", "goes on"]),
        (&none, &["byte 8", "no bodies"]),
        (&with(12, 2), &["byte 12", "dimensions is 2"]),
        (&with(16, 7), &["byte 16", "7 gas"]),
        (&with(8, 5), &["byte 8", "5 bodies"]),
        (&with(20, u32::MAX), &["byte 20", "-1"]),
        (&with(36, f32::NAN.to_bits()), &["byte 36", "body 0", "not finite"]),
        (&with(68, negative), &["byte 68", "body 1", "negative"]),
    ];
    for (content, parts) in cases {
        let message = problem("bad.tipsy", content);
        for part in parts {
            assert!(message.contains(part), "`{part}` is missing in: {message}");
        }
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let message = read(Path::new("/nowhere/b.csv")).expect_err("no file").to_string();
    assert!(message.contains("/nowhere/b.csv"), "{message}");
}

#[test]
fn what_has_no_end_is_not_read() {
    let endless = if cfg!(unix) { "/dev/zero" } else { "." };
    let message = read(Path::new(endless)).expect_err("no file").to_string();
    assert!(message.contains("ordinary file") && message.contains(endless), "{message}");
}

proptest! {
    /// Whatever a file holds, reading it ends in bodies or in a message.
    #[test]
    fn no_content_panics(content: Vec<u8>, at in 0usize..112, byte: u8) {
        let _ = csv::parse(&content);
        let _ = tipsy::parse(&content);
        let mut nearly = tipsy_by_hand(false, true);
        nearly[at] = byte;
        let _ = tipsy::parse(&nearly);
        let mut text = b"mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n".to_vec();
        let length = text.len();
        text[at % length] = byte;
        let _ = csv::parse(&text);
    }
}
