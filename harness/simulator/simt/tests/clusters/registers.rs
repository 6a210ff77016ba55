//! The special registers of clusters, and shapes that are refused.

use std::sync::Arc;

use simt::{Launch, Module, Simulator, Watch};

use super::fixture::{Shape, kernel};

/// Clusters of 2×2 blocks in a grid of 4×4: each register as its section defines it.
#[test]
fn registers_have_the_place_in_the_cluster_and_of_the_cluster() {
    let names = [
        "%clusterid.x",
        "%clusterid.y",
        "%nclusterid.x",
        "%nclusterid.z",
        "%cluster_ctaid.x",
        "%cluster_ctaid.y",
        "%cluster_nctaid.x",
        "%cluster_nctaid.z",
        "%cluster_ctarank",
        "%cluster_nctarank",
    ];
    let stores = names
        .iter()
        .enumerate()
        .map(|(k, name)| format!("mov.u32 %r6, {name};\nst.global.u32 [%rd1+{}], %r6;\n", 4 * k));
    let body = format!(
        "mov.u32 %r5, %ctaid.y;\nmad.lo.u32 %r5, %r5, 4, %r1;\nld.param.u64 %rd1, [out];\n\
         mad.wide.u32 %rd1, %r5, 44, %rd1;\n{}mov.pred %p1, %is_explicit_cluster;\n\
         selp.u32 %r6, 1, 0, %p1;\nst.global.u32 [%rd1+40], %r6;",
        stores.collect::<String>()
    );
    let module = Module::parse("test.ptx", &kernel("", &body)).expect("valid PTX");
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(Arc::new(module)).expect("enough memory");
    let out = simulator.alloc("out", 44 * 16).expect("enough memory");
    let launch = Launch::new([4, 4, 1], [1; 3]).cluster(Some([2, 2, 1])).argument(out);
    simulator.launch(&loaded, "test", &launch, &Watch::default()).expect("it runs");
    let mut bytes = vec![0; 44 * 16];
    simulator.read(out, &mut bytes).expect("its size");
    for (block, found) in (0..).zip(bytes.chunks_exact(44)) {
        let found: Vec<u32> = found
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        let (x, y) = (block % 4, block / 4);
        let rank = y % 2 * 2 + x % 2;
        assert_eq!(found, [x / 2, y / 2, 2, 1, x % 2, y % 2, 2, 1, rank, 4, 1], "block {block}");
    }
}

/// Without clusters each block is one, and no shape was named.
#[test]
fn a_block_alone_is_a_cluster_of_one() {
    let body = "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r5, 100, 0, %p1;\nmad.lo.u32 %r5, %r3, 10, %r5;\n\
                add.u32 %r5, %r5, %r2;\nst.global.u32 [%rd0], %r5;";
    let text = kernel("", body);
    assert_eq!(Shape { blocks: 2, threads: 1, cluster: None }.run(&text), [10, 10]);
    assert_eq!(Shape { blocks: 2, threads: 1, cluster: Some(2) }.run(&text), [120, 121]);
}

#[test]
fn the_kernels_shape_holds_and_others_are_refused() {
    let text = kernel(".explicitcluster .reqnctapercluster 2, 1, 1", "st.global.u32 [%rd0], %r2;");
    let of = |blocks, cluster| Shape { blocks, threads: 1, cluster };
    assert_eq!(of(4, None).run(&text), [0, 1, 0, 1]);
    assert_eq!(of(4, Some(2)).run(&text), [0, 1, 0, 1]);
    assert!(of(4, Some(4)).error(&text).contains("compiled for 2×1×1"));
    let odd = of(3, None).error(&text);
    assert!(odd.contains("a grid of 3×1×1 blocks, which clusters of 2×1×1 do not divide"), "{odd}");
    let any = kernel("", "");
    assert!(of(32, Some(32)).error(&any).contains("clusters of 32×1×1 blocks"));
    let explicit = kernel(".explicitcluster", "");
    assert!(of(2, None).error(&explicit).contains("launch it with the attribute"));
    of(2, Some(1)).run(&explicit);
}
