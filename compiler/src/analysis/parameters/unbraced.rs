//! Names of properties in paths that are no expressions: `$nameNode/user`, `{nameNode}/user`.

use hpdlc_core::el::ast::Part;

use crate::{
    analysis::templates::{SoundForms, TemplateUse, TextType},
    diagnostics::Sink,
    lints::unbraced_properties::UnbracedProperty,
};

/// `is_known` tells the names of properties that the document or the job has.
pub(super) fn check(uses: &[TemplateUse<'_>], is_known: &dyn Fn(&str) -> bool, sink: &mut Sink) {
    let mut sound = SoundForms::default();
    for template_use in uses {
        if !matches!(template_use.wanted, TextType::Path | TextType::Uri)
            || template_use.is_substituted
            || sound.contains(template_use.form)
        {
            continue;
        }
        let template = template_use.template;
        let mut is_sound = true;
        for part in &template.ast.parts {
            let Part::Text(text, range) = part else {
                continue;
            };
            // A text with an escaped `${` is shorter than its source.
            if text.len() != range.end - range.start {
                continue;
            }
            for (at, written, name) in names(text) {
                if is_known(name) {
                    is_sound = false;
                    let start = range.start + at;
                    sink.emit(UnbracedProperty {
                        written: written.to_owned(),
                        name: name.to_owned(),
                        place: template.text.span_of(start..start + written.len()),
                    });
                }
            }
        }
        if is_sound {
            sound.insert(template_use.form);
        }
    }
}

/// Each `$name` and `{name}` that stands by itself: its position, the whole, and the name.
fn names(text: &str) -> Vec<(usize, &str, &str)> {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, sign) in text.match_indices(['$', '{']) {
        let before = at.checked_sub(1).map(|at| bytes[at]);
        let rest = &text[at + 1..];
        let length = rest.bytes().take_while(|byte| is_of_name(*byte)).count();
        let after = rest.as_bytes().get(length);
        let is_alone =
            !before.is_some_and(|byte| is_of_name(byte) || matches!(byte, b'$' | b'#' | b'{'));
        let is_name = length > 0 && !rest.as_bytes()[0].is_ascii_digit();
        let (is_whole, end) = match sign {
            "$" => (after.is_none_or(|byte| *byte != b'$'), 0),
            _ => (after == Some(&b'}'), 1),
        };
        if is_alone && is_name && is_whole {
            found.push((at, &text[at..at + 1 + length + end], &rest[..length]));
        }
    }
    found
}
