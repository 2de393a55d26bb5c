//! Pictures as PNG, which Oozie draws unless told otherwise: the SVG that executables make of graphs, as far as that uses SVG.
//!
//! [`style`] finds what an element looks like on a light page, [`shapes`] its outline, [`letters`] draws its text. Nothing is left out but
//! what pages alone have: tooltips and links.

mod letters;
mod shapes;
mod style;

use std::collections::BTreeMap;

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_xml_entity,
    events::{BytesStart, Event},
};
use zeno::{Command, Mask, Stroke, Style as Drawing, Transform};

use self::style::{Color, Look, Style};

/// Pixels for each unit of the SVG, in each direction: text of 11 units is read well with twice as many.
const SHARP: f32 = 2.0;
/// A picture with more pixels is scaled down: each takes four bytes while it is drawn.
const MOST_PIXELS: f32 = 24_000_000.0;
/// What has to be scaled down further shows nothing.
const LEAST_SCALE: f32 = 0.1;

/// An element of the SVG.
#[derive(Debug)]
struct Element {
    name: String,
    classes: Vec<String>,
    attributes: BTreeMap<String, String>,
}

impl Element {
    fn of(tag: &BytesStart<'_>) -> Result<Element, String> {
        let mut attributes = BTreeMap::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| error.to_string())?;
            let name = attribute.key.local_name().into_inner();
            attributes.insert(name.to_owned(), value.into_owned());
        }
        let classes = attributes.get("class").map_or("", String::as_str);
        Ok(Element {
            name: tag.local_name().into_inner().to_owned(),
            classes: classes.split_whitespace().map(str::to_owned).collect(),
            attributes,
        })
    }

    /// 0 if it is not there, or no number.
    fn number(&self, name: &str) -> f32 {
        let text = self.attributes.get(name);
        let number = text.and_then(|text| text.parse::<f32>().ok());
        number.filter(|number| number.is_finite()).unwrap_or(0.0)
    }
}

/// What was drawn so far: three bytes a pixel, red, green and blue.
struct Canvas {
    bytes: Vec<u8>,
    width: u32,
    height: u32,
    scale: f32,
}

impl Canvas {
    /// # Errors
    ///
    /// Nothing would be seen on a picture that is small enough.
    fn new(width: f32, height: f32) -> Result<Canvas, String> {
        let area = (width * height).max(1.0);
        let scale = SHARP.min((MOST_PIXELS / area).sqrt());
        if scale < LEAST_SCALE {
            return Err(format!(
                "the picture of {width} x {height} is too large for PNG: ask for format=svg"
            ));
        }
        // A picture has at least one pixel in each direction.
        let size = |length: f32| (length * scale).ceil().clamp(1.0, MOST_PIXELS) as u32;
        let (width, height) = (size(width), size(height));
        let n_bytes = u64::from(width) * u64::from(height) * 3;
        Ok(Canvas {
            bytes: vec![u8::MAX; usize::try_from(n_bytes).unwrap_or_default()],
            width,
            height,
            scale,
        })
    }

    fn draw(&mut self, outline: &[Command], look: &Look) {
        if let Some(color) = look.fill {
            self.paint(outline, Drawing::default(), color);
        }
        if let Some(color) = look.stroke {
            let mut stroke = Stroke::new(look.stroke_width);
            stroke.dash(&look.dashes, 0.0);
            self.paint(outline, Drawing::Stroke(stroke), color);
        }
    }

    fn paint(&mut self, outline: &[Command], drawing: Drawing<'_>, color: Color) {
        let mut mask = Mask::new(outline);
        mask.transform(Some(Transform::scale(self.scale, self.scale)))
            .style(drawing);
        let mut n_pixels = 0;
        mask.inspect(|_, width, height| n_pixels = u64::from(width) * u64::from(height));
        // What is larger than any picture leads out of this one.
        if n_pixels > MOST_PIXELS as u64 {
            return;
        }
        let (mask, place) = mask.render();
        let width = usize::try_from(place.width).unwrap_or(usize::MAX).max(1);
        for (y, line) in (place.top..).zip(mask.chunks(width)) {
            for (x, &cover) in (place.left..).zip(line) {
                self.blend(x, y, color, cover);
            }
        }
    }

    /// Mixes a color into a pixel, as far as that is covered; nothing outside of the picture.
    fn blend(&mut self, x: i32, y: i32, color: Color, cover: u8) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else {
            return;
        };
        if cover == 0 || x >= self.width || y >= self.height {
            return;
        }
        let place = (u64::from(y) * u64::from(self.width) + u64::from(x)) * 3;
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let by = (f32::from(cover) * color.opacity).round() as u32;
        let old = self.bytes.iter_mut().skip(place);
        for (old, new) in old.zip(color.parts) {
            let mixed = u32::from(new) * by + u32::from(*old) * (255 - by.min(255));
            *old = u8::try_from(mixed / 255).unwrap_or(u8::MAX);
        }
    }

    fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.bytes)?;
        Ok(bytes)
    }
}

/// The PNG of an SVG.
///
/// # Errors
///
/// It is no SVG of ours, or too large.
pub(crate) fn of_svg(svg: &str) -> Result<Vec<u8>, String> {
    let mut reader = Reader::from_str(svg);
    let mut open: Vec<Element> = Vec::new();
    let mut style = Style::default();
    let mut canvas: Option<Canvas> = None;
    let mut text = String::new();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) => {
                open.push(Element::of(&tag)?);
                text.clear();
                begin(&open, &style, &mut canvas)?;
            }
            Event::Empty(tag) => {
                open.push(Element::of(&tag)?);
                begin(&open, &style, &mut canvas)?;
                open.pop();
            }
            Event::End(_) => {
                let name = open.last().map(|element| element.name.as_str());
                match (name, &mut canvas) {
                    (Some("style"), _) => style = Style::parse(&text),
                    (Some("text"), Some(canvas)) => write(canvas, &open, &style, &text),
                    (_, _) => {}
                }
                open.pop();
                text.clear();
            }
            Event::Text(part) => text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref();
                match character.map_err(|error| error.to_string())? {
                    Some(character) => text.push(character),
                    None => text.push_str(resolve_xml_entity(&reference).unwrap_or_default()),
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let canvas = canvas.ok_or_else(|| "it is no SVG".to_owned())?;
    canvas.png().map_err(|error| error.to_string())
}

/// Draws the innermost of the open elements, if it has an outline.
fn begin(open: &[Element], style: &Style, canvas: &mut Option<Canvas>) -> Result<(), String> {
    let Some(element) = open.last() else {
        return Ok(());
    };
    match canvas {
        None if element.name == "svg" => {
            *canvas = Some(Canvas::new(
                element.number("width"),
                element.number("height"),
            )?);
        }
        Some(canvas) => {
            let outline = shapes::outline(element);
            if !outline.is_empty() {
                canvas.draw(&outline, &style.look(open));
            }
        }
        None => {}
    }
    Ok(())
}

fn write(canvas: &mut Canvas, open: &[Element], style: &Style, text: &str) {
    let Some(element) = open.last() else {
        return;
    };
    let look = style.look(open);
    let place = (element.number("x"), element.number("y"));
    letters::write(canvas, place, &look, text.trim());
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Picture {
        width: usize,
        height: usize,
        pixels: Vec<[u8; 3]>,
    }

    fn decoded(png: &[u8]) -> Picture {
        let mut reader = png::Decoder::new(std::io::Cursor::new(png))
            .read_info()
            .unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        Picture {
            width: info.width as usize,
            height: info.height as usize,
            pixels: bytes
                .chunks_exact(3)
                .map(|it| [it[0], it[1], it[2]])
                .collect(),
        }
    }

    /// The color of a pixel in the middle of a unit of the SVG.
    fn color(picture: &Picture, x: usize, y: usize) -> (u8, u8, u8) {
        picture.pixels[(y * 2 + 1) * picture.width + x * 2 + 1].into()
    }

    fn drawn(body: &str) -> Picture {
        let svg = format!(
            "<svg width=\"100\" height=\"60\" class=\"hpdlc-graph\"><title>a &amp; b</title><style>{}</style><rect class=\"paper\" width=\"100\" height=\"60\"/>{body}</svg>",
            hpdlc_graph::STYLE.replace('>', "&gt;")
        );
        decoded(&of_svg(&svg).unwrap())
    }

    const WHITE: (u8, u8, u8) = (255, 255, 255);

    #[test]
    fn every_kind_of_element_is_drawn_in_its_color() {
        let picture = drawn(
            "<g class=\"node decision\"><rect class=\"box\" x=\"10\" y=\"10\" width=\"20\" height=\"20\" rx=\"5\"/></g>",
        );
        assert_eq!((picture.width, picture.height), (200, 120));
        assert_eq!(color(&picture, 20, 20), (0xfe, 0xf9, 0xc3));
        assert_eq!(color(&picture, 10, 10), WHITE, "its corner is round");
        assert_eq!(color(&picture, 50, 50), WHITE);

        let picture = drawn(
            "<g class=\"kill s-bad\"><polygon class=\"box\" points=\"10,10 40,10 40,40 10,40\"/></g>",
        );
        assert_eq!(color(&picture, 20, 20), (0xfe, 0xe2, 0xe2));
        let picture = drawn("<g class=\"mark\"><circle cx=\"50\" cy=\"30\" r=\"7\"/></g>");
        assert_eq!(color(&picture, 50, 30), (0xdc, 0x26, 0x26));
        let picture = drawn("<path class=\"flow-head taken\" d=\"M50 10L70 40L30 40Z\"/>");
        assert_eq!(color(&picture, 50, 30), (0x0f, 0x17, 0x2a));
        let curve = "<path class=\"flow taken\" d=\"M20 5C20 30 20 30 20 55\"/>";
        let picture = drawn(curve);
        assert_eq!(color(&picture, 20, 30), (0x0f, 0x17, 0x2a));
        assert_eq!(color(&picture, 25, 30), WHITE, "a line is not filled");
        let cylinder = "<g class=\"dataset\"><path class=\"box\" d=\"M10 20A20 6 0 0 1 50 20V40A20 6 0 0 1 10 40Z\"/></g>";
        let picture = drawn(cylinder);
        for (x, y) in [(30, 16), (30, 30), (30, 44)] {
            assert_eq!(color(&picture, x, y), (0xfe, 0xf3, 0xc7), "{x} {y}");
        }
        assert_eq!(color(&picture, 12, 15), WHITE);
    }

    fn n_dark(picture: &Picture) -> usize {
        let pixels = picture.pixels.iter();
        pixels.filter(|pixel| pixel[0] < 100).count()
    }

    #[test]
    fn text_is_written_and_escapes_are_read() {
        let short = n_dark(&drawn("<text x=\"50\" y=\"30\">l</text>"));
        let long = n_dark(&drawn(
            "<text x=\"50\" y=\"30\">l&lt;&#65;\u{2026}\u{4e00}</text>",
        ));
        assert!(short > 10, "{short}");
        assert!(long > 3 * short, "{short} {long}");
        // Nothing is written outside, and no text is too long for that.
        let edge = "<text x=\"0\" y=\"0\">outside</text><text x=\"99\" y=\"60\">outside</text>";
        drawn(edge);
        drawn(&format!(
            "<text x=\"0\" y=\"5\">{}</text>",
            "w".repeat(10_000)
        ));
    }

    #[test]
    fn a_large_picture_is_scaled_down_and_a_huge_one_refused() {
        let of = |size: &str| of_svg(&format!("<svg width=\"{size}\" height=\"{size}\"/>"));
        let picture = decoded(&of("10000").unwrap());
        assert!(picture.width < 5_000, "{}", picture.width);
        let refusal = of("1000000").unwrap_err();
        assert!(refusal.contains("format=svg"), "{refusal}");
        assert!(of_svg("nothing").is_err());
        assert!(of_svg("<svg width=\"5\"").is_err());
        for size in ["0", "-5", "NaN", "1e30000"] {
            let picture = decoded(&of(size).unwrap());
            assert_eq!((picture.width, picture.height), (1, 1), "{size}");
        }
        let far = "<svg width=\"9\" height=\"9\"><rect x=\"-1e30\" y=\"5\" width=\"2e30\" height=\"1e30\"/><path d=\"M1e9 NaN\"/></svg>";
        assert_eq!(decoded(&of_svg(far).unwrap()).width, 18);
    }
}
