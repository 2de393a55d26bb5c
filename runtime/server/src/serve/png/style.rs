//! The style sheet of pictures: which rules are those of an element, as far as the sheet uses CSS.

use super::Element;

/// What the sheet says for light pages.
#[derive(Debug, Default)]
pub(super) struct Style {
    /// The less specific ones first, so that later ones win.
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    selector: Vec<Part>,
    values: Vec<(String, String)>,
}

/// One step of a selector: an element below that of the part before it.
#[derive(Debug)]
struct Part {
    /// Whether there is nothing in between.
    is_child: bool,
    element: Option<String>,
    classes: Vec<String>,
}

/// A color, and how much it covers what is below it, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Color {
    pub(super) parts: [u8; 3],
    pub(super) opacity: f32,
}

const BLACK: Color = Color {
    parts: [0; 3],
    opacity: 1.0,
};

/// How an element is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) fill: Option<Color>,
    pub(super) stroke: Option<Color>,
    pub(super) stroke_width: f32,
    pub(super) dashes: Vec<f32>,
    pub(super) font_size: f32,
    /// Whether text begins at its place, and does not have its middle there.
    pub(super) begins_there: bool,
}

impl Part {
    fn of(text: &str, is_child: bool) -> Part {
        let mut words = text.split('.');
        let element = words.next().filter(|name| !name.is_empty());
        Part {
            is_child,
            element: element.map(str::to_owned),
            classes: words.map(str::to_owned).collect(),
        }
    }

    fn fits(&self, element: &Element) -> bool {
        let name = self.element.as_ref();
        name.is_none_or(|name| *name == element.name)
            && self
                .classes
                .iter()
                .all(|class| element.classes.contains(class))
    }
}

/// Whether the innermost of these elements is selected.
fn selects(selector: &[Part], open: &[Element]) -> bool {
    let Some((part, before)) = selector.split_last() else {
        return true;
    };
    let Some((element, above)) = open.split_last() else {
        return false;
    };
    if !part.fits(element) {
        return false;
    }
    match (before.is_empty(), part.is_child) {
        (true, _) => true,
        (false, true) => selects(before, above),
        (false, false) => (1..=above.len()).any(|n| selects(before, &above[..n])),
    }
}

impl Style {
    pub(super) fn parse(sheet: &str) -> Style {
        let light = sheet.split("@media").next().unwrap_or_default();
        let mut rules = Vec::new();
        for block in light.split('}') {
            let Some((selectors, values)) = block.split_once('{') else {
                continue;
            };
            for selector in selectors.split(',') {
                let values = values.split(';').filter_map(|value| value.split_once(':'));
                rules.push(Rule {
                    selector: parts(selector),
                    values: values
                        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
                        .collect(),
                });
            }
        }
        rules.sort_by_key(|rule| {
            let classes = rule.selector.iter().map(|part| part.classes.len());
            let elements = rule.selector.iter().filter(|part| part.element.is_some());
            (classes.sum::<usize>(), elements.count())
        });
        Style { rules }
    }

    /// The look of the innermost of the open elements.
    pub(super) fn look(&self, open: &[Element]) -> Look {
        let mut look = Look {
            fill: Some(BLACK),
            stroke: None,
            stroke_width: 1.0,
            dashes: Vec::new(),
            font_size: 13.0,
            begins_there: false,
        };
        let (mut opacity, mut of_fill, mut of_stroke) = (1.0, 1.0, 1.0);
        let rules = self.rules.iter();
        for (name, value) in rules
            .filter(|rule| selects(&rule.selector, open))
            .flat_map(|rule| &rule.values)
        {
            let number = || value.trim_end_matches("px").parse::<f32>().ok();
            match name.as_str() {
                "fill" => look.fill = color(value),
                "stroke" => look.stroke = color(value),
                "stroke-width" => look.stroke_width = number().unwrap_or(1.0),
                "stroke-dasharray" => {
                    let dashes = value.split_whitespace().map(str::parse);
                    look.dashes = dashes.collect::<Result<_, _>>().unwrap_or_default();
                }
                "font-size" => look.font_size = number().unwrap_or(13.0),
                "text-anchor" => look.begins_there = value == "start",
                "opacity" => opacity = number().unwrap_or(1.0),
                "fill-opacity" => of_fill = number().unwrap_or(1.0),
                "stroke-opacity" => of_stroke = number().unwrap_or(1.0),
                _ => {}
            }
        }
        let faded = |color: Option<Color>, by: f32| {
            let opacity = by.clamp(0.0, 1.0);
            color.map(|color| Color { opacity, ..color })
        };
        look.fill = faded(look.fill, opacity * of_fill);
        look.stroke = faded(look.stroke, opacity * of_stroke);
        look
    }
}

fn parts(selector: &str) -> Vec<Part> {
    let steps = selector.split_whitespace().flat_map(|step| {
        let parts = step.split('>').enumerate();
        parts.map(|(number, part)| Part::of(part, number > 0))
    });
    steps.collect()
}

/// `#fff` or `#a0b1c2`; nothing for `none`, and for names, which the sheet has none of.
fn color(value: &str) -> Option<Color> {
    let digits = value.strip_prefix('#')?;
    let digits = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.to_owned(),
    };
    let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some(Color {
        parts: [part(0)?, part(2)?, part(4)?],
        opacity: 1.0,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn element(name: &str, classes: &str) -> Element {
        Element {
            name: name.to_owned(),
            classes: classes.split(' ').map(str::to_owned).collect(),
            attributes: BTreeMap::new(),
        }
    }

    #[track_caller]
    fn check(sheet: &str, open: &[Element], expected: Option<&str>) {
        let look = Style::parse(sheet).look(open);
        assert_eq!(look.fill, expected.and_then(color));
    }

    #[test]
    fn the_most_specific_rule_wins_and_of_these_the_last() {
        let open = [
            element("svg", "g"),
            element("g", "node a"),
            element("rect", "box"),
        ];
        check("", &open, Some("#000"));
        check(".g .box{fill:none}", &open, None);
        check(".g .box{fill:#111}.g rect{fill:#222}", &open, Some("#111"));
        check(".g .box{fill:#111}.g .box{fill:#222}", &open, Some("#222"));
        check(
            ".g .a .box{fill:#111}.g .box{fill:#222}",
            &open,
            Some("#111"),
        );
        check(".g .node.a .box,.x{fill:#111}", &open, Some("#111"));
        check(".g .node.b .box{fill:#111}", &open, Some("#000"));
        check(".g .a>.box{fill:#123456}", &open, Some("#123456"));
        check(".g>.box{fill:#123456}", &open, Some("#000"));
        check("@media (dark){.g .box{fill:#111}}", &open, Some("#000"));
    }

    #[test]
    fn every_value_of_our_sheet_is_understood() {
        let known = [
            "fill",
            "stroke",
            "stroke-width",
            "stroke-dasharray",
            "font-size",
            "text-anchor",
            "opacity",
            "fill-opacity",
            "stroke-opacity",
            // There is one font, in one weight.
            "font-family",
            "font-weight",
        ];
        let style = Style::parse(hpdlc_graph::STYLE);
        assert!(style.rules.len() > 60, "{}", style.rules.len());
        for (name, value) in style.rules.iter().flat_map(|rule| &rule.values) {
            assert!(known.contains(&name.as_str()), "{name}");
            if matches!(name.as_str(), "fill" | "stroke") {
                assert!(value == "none" || color(value).is_some(), "{value}");
            }
        }
    }
}
