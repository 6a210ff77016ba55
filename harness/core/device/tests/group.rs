//! Devices that compute together, on simulators in threads.

use std::thread;
use std::time::Duration;

use device::{Choice, CodeRoute, Device, Error, Group, Member};

/// Numbers in each device's part.
const PART: usize = 3;

/// Runs `work` on each of so many simulators, and collects what they end with, by rank.
fn together<T: Send>(
    size: usize,
    work: impl Fn(&mut dyn Device, &mut dyn Group) -> Result<T, Error> + Sync,
) -> Vec<T> {
    let folder = tempfile::tempdir().unwrap();
    let (work, folder) = (&work, folder.path());
    let one = |rank| {
        let member = Member {
            rank,
            size,
            folder: folder.to_path_buf(),
            patience: Duration::from_secs(60),
            through_files: true,
        };
        let mut device = device::open(Choice::Simt, CodeRoute::Auto, "h200")?;
        let mut group = device.join(&member)?;
        work(&mut *device, &mut *group)
    };
    thread::scope(|scope| {
        let ranks: Vec<_> = (0..size).map(|rank| scope.spawn(move || one(rank))).collect();
        ranks.into_iter().map(|rank| rank.join().unwrap().unwrap()).collect()
    })
}

/// A buffer of numbers that tell the rank and the place.
fn numbers(rank: usize, size: usize) -> Vec<f32> {
    (0..size * PART).map(|place| (100 * rank + place) as f32).collect()
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
}

#[test]
fn parts_are_gathered_and_sums_are_scattered_in_the_order_of_ranks() {
    for size in 1..=5 {
        let both = together(size, |device, group| {
            let mut data = vec![0; size * PART * 4];
            let buffer = device.alloc("numbers", data.len())?;
            device.upload(&buffer, &bytes(&numbers(group.rank(), size)))?;
            group.all_gather(device, &buffer)?;
            group.wait(device, &buffer)?;
            device.download(&buffer, &mut data)?;
            let gathered = floats(&data);
            device.upload(&buffer, &bytes(&numbers(group.rank(), size)))?;
            group.reduce_scatter(device, &buffer)?;
            group.wait(device, &buffer)?;
            group.wait(device, &buffer)?; // nothing to wait for
            device.download(&buffer, &mut data)?;
            Ok((gathered, floats(&data)))
        });
        for (rank, (gathered, summed)) in both.iter().enumerate() {
            let parts = (0..size)
                .flat_map(|from| numbers(from, size)[from * PART..(from + 1) * PART].to_vec());
            assert_eq!(*gathered, parts.collect::<Vec<_>>(), "rank {rank} of {size}");
            let mut expected = numbers(rank, size);
            for (place, sum) in expected.iter_mut().enumerate().skip(rank * PART).take(PART) {
                *sum = (0..size).map(|from| numbers(from, size)[place]).sum();
            }
            assert_eq!(*summed, expected, "rank {rank} of {size}");
        }
    }
}

#[test]
fn a_buffer_that_cannot_be_divided_is_refused() {
    let told = together(3, |device, group| {
        let buffer = device.alloc("odd", 16)?;
        Ok(group.all_gather(device, &buffer).unwrap_err().to_string())
    });
    assert!(
        told.iter().all(|text| text.contains("`odd`") && text.contains("3 devices")),
        "{told:?}"
    );
}

#[test]
fn a_buffer_is_exchanged_once_at_a_time() {
    let told = together(2, |device, group| {
        let buffer = device.alloc("numbers", 8)?;
        group.all_gather(device, &buffer)?;
        Ok(group.all_gather(device, &buffer).unwrap_err().to_string())
    });
    assert!(told.iter().all(|text| text.contains("`numbers`")), "{told:?}");
}

#[test]
fn several_buffers_are_exchanged_at_once() {
    let size = 3;
    let all = together(size, |device, group| {
        let buffers = [device.alloc("first", size * PART * 4)?, device.alloc("second", size * 4)?];
        let mut found = Vec::new();
        for round in 0..4 {
            let own = |of: usize| -> Vec<f32> {
                (0..of).map(|place| (1000 * round + 100 * group.rank() + place) as f32).collect()
            };
            let given = [bytes(&own(size * PART)), bytes(&own(size))];
            for (buffer, given) in buffers.iter().zip(&given) {
                device.upload(buffer, given)?;
                group.all_gather(device, buffer)?;
            }
            // In the other order.
            for (buffer, mut data) in buffers.iter().zip(given).rev() {
                group.wait(device, buffer)?;
                device.download(buffer, &mut data)?;
                found.push(floats(&data));
            }
        }
        Ok(found)
    });
    for found in all {
        for (round, two) in found.chunks(2).enumerate() {
            let given = |part: usize| {
                let of = |rank: usize| (0..part).map(move |i| 100 * rank + rank * part + i);
                (0..size).flat_map(of).map(|it| (1000 * round + it) as f32).collect::<Vec<f32>>()
            };
            assert_eq!(*two, [given(1), given(PART)], "round {round}");
        }
    }
}
