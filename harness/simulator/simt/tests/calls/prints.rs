//! `printf` and `assert`.

use simt::{FaultKind, Printed, Simulator};

use super::fixture::{Fixture, marked, text};

fn fixture() -> Fixture {
    Fixture::new("prints", Simulator::new(1 << 20))
}

#[test]
fn values_are_formatted_as_by_c() {
    let fixture = fixture();
    let words = fixture.words("formats", 1, 32, 7, 2);
    let Printed { text, cut } = fixture.simulator.take_printed();
    let wanted = "-7 3000000000 ff 1099511627776 [ 3.14] [hello   ] H % 7.000000e-07 3.5\n\
                  0x1234 (null)     7|7    |00007\nno arguments\n1 2\n";
    assert_eq!((text.as_str(), cut), (wanted, 0));
    // As many as the arguments.
    assert_eq!(words, [0, 2]);
    assert_eq!(fixture.simulator.take_printed(), Printed::default());
}

#[test]
fn lines_come_in_the_order_of_the_blocks_on_any_number_of_threads() {
    let wanted: String = (0..100)
        .map(|b| {
            let threads = [0, 16, 32, 48].map(|t| format!("block {b} thread {t}\n")).concat();
            format!("{threads}block {b} ends\n")
        })
        .collect();
    for threads in [1, 2, 3] {
        let simulator = Simulator::new(1 << 20).with_threads(threads);
        let fixture = Fixture::new("prints", simulator);
        fixture.launch("order", 100, 64, 0).unwrap();
        assert_eq!(fixture.simulator.take_printed().text, wanted);
    }
}

#[test]
fn what_is_more_than_the_buffer_is_cut_and_counted() {
    let fixture = fixture();
    fixture.launch("flood", 4, 2, 1000).unwrap();
    // Both threads of a block print each line of 1023 bytes.
    let printed = fixture.simulator.take_printed();
    assert_eq!((printed.text.len(), printed.cut), (1025 * 1023, 8000 - 1025));
    let first = printed.text.lines().take(4).map(|line| line.trim().parse().unwrap());
    assert_eq!(first.collect::<Vec<u32>>(), [0, 0, 1, 1]);
}

#[test]
fn an_assertion_is_told_as_by_cuda_and_what_came_before_it_is_printed() {
    let fixture = fixture();
    let fault = fixture.fault("asserts", 3, 32, 0);
    let FaultKind::Assertion(assertion) = &fault.kind else { panic!("{fault}") };
    let line = marked(&text("prints.cu"), "check(T x)");
    assert_eq!((assertion.line, fault.cuda.as_ref().map(|it| it.at.line)), (line, Some(line)));
    let file = "/harness/simulator/simt/tests/kernels/prints.cu";
    let wanted = format!(
        "{file}:{line}: void check(T) [with T = int]: block: [2,0,0], thread: [6,0,0] Assertion `x < 70 && (T)1` failed.\n"
    );
    assert!(fault.to_string().starts_with(&wanted), "{fault}");
    let printed = fixture.simulator.take_printed().text;
    let before: String = (0..96).map(|t| format!("before {}\n", t % 32)).collect();
    assert_eq!(printed, before);
}
