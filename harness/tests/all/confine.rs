//! What a confined process can still do, tried by one: this test starts itself once more.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::thread;

use processes::confine::{Limits, confine};

/// Set in the process that confines itself.
const INSIDE: &str = "LADDER_TEST_CONFINED";

#[test]
fn a_confined_process_has_no_files_no_network_and_no_children() {
    if std::env::var_os(INSIDE).is_some() {
        return inside();
    }
    let own = std::env::current_exe().expect("this test");
    let name = "confine::a_confined_process_has_no_files_no_network_and_no_children";
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let output = Command::new(own)
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(INSIDE, port.to_string())
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let said = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    if !text.contains("CONFINED") {
        println!("SKIPPED: {text}");
    }
}

fn inside() {
    let port: u16 = std::env::var(INSIDE).expect("a port").parse().expect("a number");
    let allowed = tempfile::tempdir().expect("a folder");
    fs::write(allowed.path().join("own"), "mine").expect("written");
    let mut open = File::open("/etc/hostname").ok();
    let limits = Limits { cpu_seconds: 30, memory_bytes: 1 << 30 };
    let missing = confine(&limits, &[allowed.path().to_path_buf()]).expect("it is allowed");
    if !missing.is_empty() {
        println!("this system does not forbid {missing:?}");
        return;
    }
    assert_eq!(fs::read_to_string(allowed.path().join("own")).expect("readable"), "mine");
    for file in ["/etc/passwd", "/proc/self/environ", "/proc/self/maps", "Cargo.toml"] {
        assert!(File::open(file).is_err(), "{file}");
    }
    assert!(fs::read_dir("/").is_err());
    for place in [
        allowed.path().join("new"),
        std::env::temp_dir().join("ladder-new"),
        allowed.path().join("own"),
    ] {
        assert!(File::create(&place).is_err(), "{}", place.display());
    }
    assert!(fs::remove_file(allowed.path().join("own")).is_err());
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    assert!(TcpListener::bind("127.0.0.1:0").is_err());
    assert!(UnixStream::pair().is_err());
    for program in ["/bin/true", "/bin/sh"] {
        assert!(Command::new(program).status().is_err(), "{program}");
    }
    assert_eq!(thread::spawn(|| 7).join().expect("threads are allowed"), 7);
    assert!(vec![0u8; 1 << 20].try_reserve_exact(2 << 30).is_err());
    // What was open before stays so: a process opens nothing that a stranger may read.
    if let Some(file) = &mut open {
        let mut byte = [0];
        let _ = std::io::Read::read(file, &mut byte);
    }
    println!("CONFINED");
}

#[test]
fn a_loop_without_an_end_is_ended() {
    const LOOPING: &str = "LADDER_TEST_LOOP";
    if std::env::var_os(LOOPING).is_some() {
        confine(&Limits { cpu_seconds: 1, memory_bytes: 1 << 30 }, &[]).expect("it is allowed");
        let mut number = 1u64;
        loop {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
    }
    let own = std::env::current_exe().expect("this test");
    let status = Command::new(own)
        .args(["--exact", "confine::a_loop_without_an_end_is_ended", "--test-threads=1"])
        .env(LOOPING, "1")
        .stdout(std::process::Stdio::null())
        .status()
        .expect("it starts");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(24), "{status}");
}
