//! Clusters whose blocks do what they must not.

use super::fixture::{SYNC, Shape, kernel};

const TWO: Shape = Shape { blocks: 4, threads: 32, cluster: Some(2) };

#[test]
fn a_rank_that_the_cluster_does_not_have_is_named() {
    let body = "mapa.shared::cluster.u32 %r9, data, 2;\nld.shared::cluster.u32 %r8, [%r9];";
    let text = TWO.error(&kernel("", body));
    assert!(text.contains("no such block in the cluster") && text.contains("rank 2"), "{text}");
    let body = "mapa.shared::cluster.u32 %r9, data, 1;\nld.shared::cluster.u32 %r8, [%r9+1024];";
    let text = TWO.error(&kernel("", body));
    assert!(text.contains("`shared memory of the block of rank 1`"), "{text}");
    // The window of the block itself does not have it.
    let body = "setp.ne.u32 %p1, %r2, 0;\n@%p1 ret;\nmapa.shared::cluster.u32 %r9, data, 1;\nld.shared.u32 %r8, [%r9];";
    assert!(TWO.error(&kernel("", body)).contains("out of bounds: shared read"));
}

#[test]
fn the_memory_of_a_block_that_has_exited_is_lost() {
    let body = format!(
        "{SYNC}xor.b32 %r7, %r2, 1;\nmapa.shared::cluster.u32 %r9, data, %r7;\nld.shared::cluster.u32 %r8, [%r9];"
    );
    let text = TWO.error(&kernel("", &body));
    assert!(text.contains("block has exited") && text.contains("cluster.sync()"), "{text}");
}

#[test]
fn who_arrives_waits_before_it_arrives_again() {
    let twice = TWO.error(&kernel("", "barrier.cluster.arrive;\nbarrier.cluster.arrive;"));
    assert!(twice.contains("once more without having waited"), "{twice}");
    let never = TWO.error(&kernel("", "barrier.cluster.wait;"));
    assert!(never.contains("without having arrived"), "{never}");
}

#[test]
fn a_cluster_that_waits_for_ever_is_found() {
    // Rank 1 waits for 64 threads of its 32.
    let body =
        format!("setp.eq.u32 %p1, %r2, 0;\n@%p1 bra MEET;\nbarrier.sync 1, 64;\nMEET:\n{SYNC}");
    let text = TWO.error(&kernel("", &body.replace(".aligned", "")));
    assert!(text.contains("deadlock"), "{text}");
    // Half of the threads leave the barrier out, and spin.
    let body = format!(
        "mov.u32 %r5, 0;\nst.shared.u32 [data], %r5;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra MEET;\nWAIT:\n\
         ld.volatile.shared.u32 %r8, [data];\nsetp.eq.u32 %p2, %r8, 0;\n@%p2 bra WAIT;\nMEET:\n{SYNC}"
    );
    let text = TWO.error(&kernel("", &body.replace(".aligned", "")));
    assert!(text.contains("infinite loop") || text.contains("deadlock"), "{text}");
}
