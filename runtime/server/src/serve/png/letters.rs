//! Text, in a font that is part of the program: a server has none.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use tiny_skia::{Pixmap, PremultipliedColorU8};

use super::style::Look;

/// Sizes of the font in pixels, with the heights of its letters' boxes.
const SIZES: [(f32, RasterHeight); 3] = [
    (23.0, RasterHeight::Size32),
    (18.0, RasterHeight::Size24),
    (12.0, RasterHeight::Size16),
];
/// The smallest size is also taken for text that should be a little smaller.
const TOLERANCE: f32 = 1.1;
/// Where the line is on which letters stand, from the top of their box.
const BASE: f32 = 0.785;

/// Writes one line. Text that would be too small to be read is left out.
pub(super) fn write(pixels: &mut Pixmap, scale: f32, (x, y): (f32, f32), look: &Look, text: &str) {
    let wanted = look.font_size * scale;
    let fitting = SIZES.iter().find(|(size, _)| *size <= wanted);
    let smallest = SIZES.last().filter(|(size, _)| *size <= wanted * TOLERANCE);
    let (Some((_, height)), Some(color)) = (fitting.or(smallest), look.fill) else {
        return;
    };
    let step = get_raster_width(FontWeight::Regular, *height) as f32;
    // There is no sign for it in the font.
    let text = text.replace('\u{2026}', "...").replace('\u{2192}', "->");
    let length = text.chars().count() as f32 * step;
    let left = match look.begins_there {
        true => x * scale,
        false => x * scale - length / 2.0,
    };
    let top = (y * scale - height.val() as f32 * BASE).round();
    let color = color.to_color_u8();
    let color = [color.red(), color.green(), color.blue()];
    for (number, character) in text.chars().enumerate() {
        let left = (left + number as f32 * step).round();
        if left >= pixels.width() as f32 {
            return;
        }
        let known = get_raster(character, FontWeight::Regular, *height);
        let Some(letter) = known.or_else(|| get_raster('?', FontWeight::Regular, *height)) else {
            continue;
        };
        for (row, line) in letter.rows().enumerate() {
            for (column, &intensity) in line.iter().enumerate() {
                blend(
                    pixels,
                    (left + column as f32, top + row as f32),
                    color,
                    intensity,
                );
            }
        }
    }
}

/// Mixes a color into a pixel, which is opaque; nothing outside of the picture.
fn blend(pixels: &mut Pixmap, (x, y): (f32, f32), color: [u8; 3], intensity: u8) {
    let (width, height) = (pixels.width(), pixels.height());
    if intensity == 0 || x < 0.0 || y < 0.0 || x >= width as f32 || y >= height as f32 {
        return;
    }
    let place = y as usize * width as usize + x as usize;
    let Some(pixel) = pixels.pixels_mut().get_mut(place) else {
        return;
    };
    let mix = |new: u8, old: u8| {
        let (new, old, by) = (u32::from(new), u32::from(old), u32::from(intensity));
        u8::try_from((new * by + old * (255 - by)) / 255).unwrap_or(u8::MAX)
    };
    let mixed = PremultipliedColorU8::from_rgba(
        mix(color[0], pixel.red()),
        mix(color[1], pixel.green()),
        mix(color[2], pixel.blue()),
        u8::MAX,
    );
    *pixel = mixed.unwrap_or(*pixel);
}
