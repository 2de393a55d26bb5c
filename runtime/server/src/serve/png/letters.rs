//! Text, in a font that is part of the program: a server has none.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

use super::{Canvas, style::Look};

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
pub(super) fn write(canvas: &mut Canvas, (x, y): (f32, f32), look: &Look, text: &str) {
    let scale = canvas.scale;
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
    for (number, character) in text.chars().enumerate() {
        let left = (left + number as f32 * step).round();
        if left >= canvas.width as f32 {
            return;
        }
        let known = get_raster(character, FontWeight::Regular, *height);
        let Some(letter) = known.or_else(|| get_raster('?', FontWeight::Regular, *height)) else {
            continue;
        };
        for (row, line) in letter.rows().enumerate() {
            for (column, &intensity) in line.iter().enumerate() {
                let (x, y) = (left + column as f32, top + row as f32);
                canvas.blend(x as i32, y as i32, color, intensity);
            }
        }
    }
}
