//! A picture as a PNG of few colours: sharp lettering in some tens of kilobytes.

use std::collections::BTreeMap;

use anyhow::Result;
use plotters::prelude::BitMapBackend;
use plotters_backend::DrawingBackend;

use super::canvas::Canvas;
use super::drawn::Drawn;

/// It is drawn this many times as large and then averaged, which smooths every edge.
const OVERSAMPLING: usize = 2;
/// Shades of each channel to try, until the colours fit a palette of 256; 6³ always do.
const SHADES: [u32; 3] = [18, 10, 6];

/// The bytes of the PNG file.
pub fn of(picture: &impl Drawn) -> Result<Vec<u8>> {
    let (width, height) = picture.extent();
    let (wide, high) = (width * OVERSAMPLING as u32, height * OVERSAMPLING as u32);
    let mut large = vec![0; wide as usize * high as usize * 3];
    {
        let mut backend = BitMapBackend::with_buffer(&mut large, (wide, high));
        picture.draw(&mut Canvas::new(&mut backend, OVERSAMPLING as i32))?;
        backend.present()?;
    }
    let pixels = averaged(&large, wide as usize);
    let (palette, indices) = SHADES
        .iter()
        .map(|&shades| indexed(&pixels, shades))
        .find(|(palette, _)| palette.len() <= 256)
        .unwrap_or_default();

    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, width, height);
    encoder.set_color(::png::ColorType::Indexed);
    encoder.set_compression(::png::Compression::High);
    // Neighbouring indices are not neighbouring colours: nothing to predict.
    encoder.set_filter(::png::Filter::NoFilter);
    encoder.set_palette(palette.concat());
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indices)?;
    writer.finish()?;
    Ok(file)
}

/// An image [`OVERSAMPLING`] times smaller: each pixel the mean of a square. `width` in pixels.
fn averaged(image: &[u8], width: usize) -> Vec<[u8; 3]> {
    let (side, stride) = (OVERSAMPLING, width * 3);
    let mut out = Vec::with_capacity(image.len() / (3 * side * side));
    for rows in image.chunks_exact(stride * side) {
        for left in (0..stride).step_by(3 * side) {
            out.push([0, 1, 2].map(|channel| {
                let square = (0..side).flat_map(|y| (0..side).map(move |x| y * stride + 3 * x));
                let sum: usize = square.map(|at| usize::from(rows[left + at + channel])).sum();
                (sum / (side * side)) as u8
            }));
        }
    }
    out
}

/// The colours of an image rounded to this many shades a channel, and each pixel's place in them.
fn indexed(pixels: &[[u8; 3]], shades: u32) -> (Vec<[u8; 3]>, Vec<u8>) {
    let steps = shades - 1;
    let round = |value: u8| ((u32::from(value) * steps + 127) / 255 * 255 / steps) as u8;
    let mut places = BTreeMap::new();
    let mut palette = Vec::new();
    let mut indices = Vec::with_capacity(pixels.len());
    for pixel in pixels {
        let colour = pixel.map(round);
        let place = *places.entry(colour).or_insert_with(|| {
            palette.push(colour);
            palette.len() - 1
        });
        indices.push(place as u8);
    }
    (palette, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_averaged() {
        // Four by two pixels: a square of 0, 4, 8, 12 in every channel beside a white one.
        let row = |a: u8, b: u8| [[a; 3], [b; 3], [255; 3], [255; 3]].concat();
        let image = [row(0, 4), row(8, 12)].concat();
        assert_eq!(averaged(&image, 4), [[6; 3], [255; 3]]);
    }

    #[test]
    fn few_shades_always_fit_a_palette() {
        let all: Vec<[u8; 3]> = (0..=255u8)
            .step_by(5)
            .flat_map(|r| (0..=255u8).step_by(5).map(move |g| [r, g, r ^ g]))
            .collect();
        let (palette, indices) = indexed(&all, SHADES[2]);
        assert!(palette.len() <= 216 && palette.contains(&[0; 3]));
        for (pixel, &index) in all.iter().zip(&indices) {
            let colour = palette[usize::from(index)];
            assert!((0..3).all(|channel| pixel[channel].abs_diff(colour[channel]) <= 26));
        }
    }
}
