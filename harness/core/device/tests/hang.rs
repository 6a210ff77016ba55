//! A kernel that never ends: whoever launched it is killed, and the next process has the device again.

#[path = "common/devices.rs"]
mod devices;
#[path = "common/toy.rs"]
mod toy;

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use device::{Argument, Choice, CodeRoute, Device, Module, Shape};
use devices::{on_each_device, opened};
use toy::toy;

on_each_device! {
    a_killed_process_leaves_a_device_that_works
}

const ONE: Shape = Shape::row(1, 1);

/// What the helper says when its kernel is under way.
const LAUNCHING: &str = "launching what never ends";

/// The variable that tells the helper its device.
const DEVICE: &str = "HANG_ON";

/// How long a driver may take to end a killed process's work, and to begin anew.
const PATIENCE: Duration = Duration::from_secs(60);

fn with_toy(choice: Choice) -> Option<(Box<dyn Device>, Module)> {
    let mut device = opened(choice, CodeRoute::Committed)?;
    let module = device.load(&toy()).expect("the toy step's PTX is current");
    Some((device, module))
}

fn a_killed_process_leaves_a_device_that_works(choice: Choice) {
    if opened(choice, CodeRoute::Committed).is_none() {
        return;
    }
    let mut helper = Command::new(env::current_exe().expect("this program's file"))
        .args(["--exact", "launch_what_never_ends", "--ignored", "--nocapture"])
        .env(DEVICE, choice.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let output = helper.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == LAUNCHING), "the helper did not get to its kernel");
    thread::sleep(Duration::from_secs(2));
    assert!(helper.try_wait().expect("its state").is_none(), "the kernel ended");
    let killed = Instant::now();
    helper.kill().expect("it is killed");
    helper.wait().expect("it ends");
    let ended = killed.elapsed();

    let (mut device, module) = with_toy(choice).expect("it was there");
    let buffer = device.alloc("buffer", 1).expect("memory");
    device.fill(&buffer, 0).expect("a filled buffer");
    let arguments = [Argument::Buffer(&buffer), Argument::I32(0)];
    device.launch(&module, "mark", ONE, &arguments).expect("a launch");
    let mut read = [0];
    device.download(&buffer, &mut read).expect("a copy");
    assert_eq!(read, [1]);
    let works = killed.elapsed();
    println!("{choice}: ended after {ended:?}, works again after {works:?}");
    assert!(works < PATIENCE);
}

#[test]
#[ignore = "a helper of the tests above: it never ends"]
fn launch_what_never_ends() {
    let choice = env::var(DEVICE).expect(DEVICE).parse().expect("a device");
    let (mut device, module) = with_toy(choice).expect("it was there");
    let last = device.alloc("last", 4).expect("memory");
    // The test's own line is open.
    println!("\n{LAUNCHING}");
    let arguments = [Argument::I32(1), Argument::Buffer(&last)];
    device.launch(&module, "hang", ONE, &arguments).expect("a launch");
    device.synchronize().expect("it never comes to this");
}
