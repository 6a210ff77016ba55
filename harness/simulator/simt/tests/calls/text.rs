//! Calls as PTX writes them.

use simt::{LaunchError, Module, Simulator};

use crate::common::Bench;

fn file(functions: &str, body: &str) -> String {
    format!(
        ".version 7.8\n.target sm_70\n.address_size 64\n{functions}\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n\
         ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n\
         {body}\nret;\n}}"
    )
}

fn launch(functions: &str, body: &str) -> Result<Vec<u32>, LaunchError> {
    let bench = Bench::with(Simulator::new(1 << 20), &file(functions, body), 128);
    bench.launch(1, 32)?;
    Ok(bench.words(32))
}

fn error(functions: &str, body: &str) -> String {
    Module::parse("test.ptx", &file(functions, body)).expect_err("an error").to_string()
}

const TWICE: &str = ".func (.param .b32 r) twice(.param .b32 a) {
    .reg .b32 %r<3>; ld.param.u32 %r1, [a]; shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) thrice(.param .b32 a) {
    .reg .b32 %r<3>; ld.param.u32 %r1, [a]; mul.lo.u32 %r2, %r1, 3; st.param.b32 [r], %r2; ret; }";

#[test]
fn a_guard_lets_some_lanes_call_a_pointer_with_targets() {
    let body = "
        setp.lt.u32 %p1, %r1, 20; and.b32 %r2, %r1, 1; setp.eq.u32 %p2, %r2, 1;
        mov.u64 %rd4, twice; mov.u64 %rd5, thrice; selp.b64 %rd4, %rd4, %rd5, %p2;
        mov.u32 %r3, 7;
        { .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r1;
          both: .calltargets twice, thrice;
          @%p1 call (r0), %rd4, (a0), both;
          @%p1 ld.param.b32 %r3, [r0]; }
        st.global.u32 [%rd3], %r3;";
    let wanted = (0..32).map(|t| match t {
        20.. => 7,
        t if t % 2 == 1 => 2 * t,
        t => 3 * t,
    });
    assert!(wanted.eq(launch(TWICE, body).unwrap()));
}

#[test]
fn a_function_without_a_body_is_a_fault_only_where_it_is_reached() {
    let functions = ".extern .func (.param .b32 r) elsewhere(.param .b32 a);";
    let call = |from: u32| {
        format!(
            "setp.ge.u32 %p1, %r1, {from}; {{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r1;
             @%p1 call (r0), elsewhere, (a0); }} st.global.u32 [%rd3], %r1;"
        )
    };
    assert!((0..32).eq(launch(functions, &call(32)).unwrap()));
    let Err(LaunchError::Fault(fault)) = launch(functions, &call(9)) else { panic!("no fault") };
    assert!(
        fault.to_string().starts_with("call of `elsewhere`, which has no body in this PTX"),
        "{fault}"
    );
    assert_eq!(fault.thread, [9, 0, 0]);
}

#[test]
fn a_function_that_cannot_be_executed_is_a_fault_only_where_it_is_reached() {
    let functions = format!(
        "{TWICE}\n.func (.param .b32 r) strange(.param .b32 a) {{ .reg .b32 %r<2>; frob.b32 %r1, 5; ret; }}
         .global .u64 table[2] = {{twice, strange}};"
    );
    let body = |index: u32| {
        format!(
            "ld.global.u64 %rd4, [table+{}]; {{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r1;
             p: .callprototype (.param .b32 _) _ (.param .b32 _);
             call (r0), %rd4, (a0), p; ld.param.b32 %r3, [r0]; }} st.global.u32 [%rd3], %r3;",
            8 * index
        )
    };
    assert!((0..32).map(|t| 2 * t).eq(launch(&functions, &body(0)).unwrap()));
    let Err(LaunchError::Fault(fault)) = launch(&functions, &body(1)) else { panic!("no fault") };
    assert!(
        fault
            .to_string()
            .contains("`strange`, which cannot be executed: unsupported instruction `frob.b32`"),
        "{fault}"
    );
}

#[test]
fn malformed_calls_are_errors() {
    for (body, wanted) in [
        ("call nowhere, ();", "`nowhere` is not a function"),
        ("{ .param .b32 a0; call twice, (a0); }", "wrong number of arguments for `twice`"),
        ("call (%r1), twice, (%r1);", "must be a `.param` variable"),
        ("call %rd1, ();", "needs its `.callprototype`"),
        ("call %r1, (), p; p: .callprototype () _ ();", "has 64 bits"),
        ("call %rd1, (), end; end:", "is not a `.callprototype`"),
        ("p: .calltargets twice, missing;", "`missing` is not a function"),
        ("p: .callprototype (.param .b32 _) _", "expected `;`"),
        ("ld.global.u32 %r1, [twice];", "`twice` is not an address"),
        ("add.u32 %r1, twice;", "takes 3 operands"),
    ] {
        let told = error(TWICE, body);
        assert!(told.contains(wanted), "{body}: {told}");
    }
}

#[test]
fn a_long_chain_of_calls_is_followed() {
    let mut functions = ".func f0() { ret; }".to_string();
    for k in 1..5000 {
        functions += &format!(".func f{k}() {{ call f{}, (); ret; }}\n", k - 1);
    }
    // Only a part is inlined into each other.
    assert_eq!(launch(&functions, "call f4999, ();").unwrap(), [0; 32]);
}

#[test]
fn calls_of_calls_that_would_double_at_each_step_stay_small() {
    let mut functions = ".func f0() { .reg .b32 %r<9>; ret; }".to_string();
    for k in 1..60 {
        functions += &format!(
            ".func f{k}() {{ .reg .b32 %r<9>; call f{}, (); call f{0}, (); ret; }}\n",
            k - 1
        );
    }
    assert_eq!(launch(&functions, "call f3, ();").unwrap(), [0; 32]);
    // The whole of it would be 2⁶⁰ instructions.
    Module::parse("test.ptx", &file(&functions, "call f59, ();")).expect("small enough");
}

#[test]
fn parameters_may_be_registers() {
    let functions =
        ".func (.reg .b32 sum, .reg .b64 wide) add(.reg .b32 a, .reg .b32 b, .param .b32 c) {
        .reg .b32 %r<3>; .reg .pred %p; setp.gt.u32 %p, a, 20; @%p bra LARGE;
        ld.param.u32 %r1, [c]; add.u32 a, a, b; add.u32 sum, a, %r1; cvt.u64.u32 wide, sum; ret;
        LARGE: mov.u32 sum, 5; mov.u64 wide, 6; ret; }";
    let body = "setp.ne.u32 %p1, %r1, 3; mov.u32 %r4, 1000; mov.u64 %rd5, 0; { .param .b32 c;
        st.param.b32 [c], 100; @%p1 call (%r4, %rd5), add, (%r1, 40, c); }
        cvt.u32.u64 %r5, %rd5; mad.lo.u32 %r4, %r4, 1000, %r5; add.u32 %r4, %r4, %r1; st.global.u32 [%rd3], %r4;";
    let wanted = (0..32).map(|t| match t {
        3 => 1_000_003,
        21.. => 5006 + t,
        t => (t + 140) * 1001 + t,
    });
    assert!(wanted.eq(launch(functions, body).unwrap()));
    let again = "mov.u32 %r2, 1; call (%r4), down, (%r1);";
    let down = ".func (.reg .b32 r) down(.reg .b32 a) { call (r), down, (a); ret; }";
    assert!(error(down, again).contains("parameters in registers"));
}

/// The sum of 1 to n, where each thread has room for its own n numbers.
const ALLOCATES: &str = ".func (.param .b32 r) sum(.param .b32 n) {
    .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u32 %r1, [n]; mul.wide.u32 %rd1, %r1, 4; alloca.u64 %rd2, %rd1, 16;
    and.b64 %rd3, %rd2, 15; cvt.u32.u64 %r5, %rd3; mov.u64 %rd4, %rd2; mov.u32 %r2, 0;
    FILL: add.u32 %r2, %r2, 1; st.local.u32 [%rd4], %r2; add.s64 %rd4, %rd4, 4;
    setp.lt.u32 %p1, %r2, %r1; @%p1 bra FILL;
    SUM: add.s64 %rd4, %rd4, -4; ld.local.u32 %r3, [%rd4]; add.u32 %r5, %r5, %r3;
    setp.gt.u64 %p1, %rd4, %rd2; @%p1 bra SUM;
    st.param.b32 [r], %r5; ret; }";

#[test]
fn threads_allocate_on_their_stacks_until_they_return() {
    let sum = |n: &str| {
        format!(
            "{{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], {n}; call (r0), sum, (a0);
             ld.param.b32 %r3, [r0]; }} add.u32 %r4, %r4, %r3;"
        )
    };
    // 32 times what one call takes does not fit at once.
    let many = format!(
        "mov.u32 %r4, 0; mov.u32 %r5, 0; add.u32 %r2, %r1, 1;
         AGAIN: {} add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 32; @%p1 bra AGAIN;
         st.global.u32 [%rd3], %r4;",
        sum("%r2")
    );
    let wanted = (1..=32).map(|n| 32 * n * (n + 1) / 2);
    assert!(wanted.eq(launch(ALLOCATES, &many).unwrap()));
    let much = format!("mov.u32 %r4, 0; mov.u32 %r2, 1000; {}", sum("%r2"));
    let error = launch(ALLOCATES, &much).unwrap_err().to_string();
    assert!(error.contains("stack overflow: `alloca` needs 4000 bytes"), "{error}");
}

#[test]
fn what_is_allocated_is_given_back_where_the_stack_is_restored() {
    let again = |restore: &str| {
        format!(
            "stacksave.u64 %rd4; mov.u32 %r4, 0;
             AGAIN: alloca.u64 %rd5, 400; st.local.u32 [%rd5+396], %r4; {restore}
             add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9; @%p1 bra AGAIN;
             stackrestore.u64 %rd4; alloca.u32 %r5, 8; cvt.u64.u32 %rd7, %r5;
             sub.s64 %rd6, %rd7, %rd4; cvt.u32.u64 %r6, %rd6; st.global.u32 [%rd3], %r6;"
        )
    };
    assert_eq!(launch("", &again("stackrestore.u64 %rd4;")).unwrap(), [0; 32]);
    let error = launch("", &again("")).unwrap_err().to_string();
    assert!(
        error.contains("stack overflow: `alloca` needs 400 bytes more than the rest"),
        "{error}"
    );
    let body = "mov.u64 %rd4, 5; stackrestore.u64 %rd4;";
    let error = launch("", body).unwrap_err().to_string();
    assert!(error.contains("out of bounds: local write"), "{error}");
}
