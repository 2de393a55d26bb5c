//! The contents of a start tag: attributes as written, and their decoded values.

use super::{
    characters::{ReferenceFault, first_invalid_character, resolve_reference},
    decoded::{Decoded, DecodedBuilder},
    faults::{Fatal, Faults, advanced},
    invalid_character::InvalidCharacter,
    invalid_reference::InvalidReference,
    is_xml_space,
    malformed_attribute::{AttributeFault, MalformedAttribute, TYPOGRAPHIC_QUOTES},
    unescaped_markup::{StrayMarkup, UnescapedMarkup},
};

/// An attribute as written; its name may be invalid.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawAttribute<'a> {
    pub(super) name: &'a str,
    pub(super) name_start: u32,
    /// Without the quotes.
    pub(super) value: &'a str,
    pub(super) value_start: u32,
}

/// Scans the attributes of a tag in `content`, which follows its name and begins at offset `start`.
///
/// Syntax errors are reported; an attribute is omitted if it is unclear what is meant.
pub(super) fn scan<'a>(
    content: &'a str,
    start: u32,
    attributes: &mut Vec<RawAttribute<'a>>,
    faults: &mut Faults<'_>,
) -> Result<(), Fatal> {
    let mut at = 0;
    loop {
        let space = leading_space(&content[at..]);
        at += space;
        let rest = &content[at..];
        let Some(first) = rest.chars().next() else {
            return Ok(());
        };
        // `<ok to="end"/` without its `>`: detected at the next tag.
        if first == '/' && rest[1 + leading_space(&rest[1..])..].starts_with('<') {
            let next = at + 1 + leading_space(&rest[1..]);
            return Err(faults.fatal(MalformedAttribute {
                fault: AttributeFault::Unexpected('<'),
                span: faults.span(advanced(start, next), 1),
            }));
        }
        let name = &rest[..rest.find(ends_name).unwrap_or(rest.len())];
        let name_start = advanced(start, at);
        if name.is_empty() {
            return Err(faults.fatal(MalformedAttribute {
                fault: AttributeFault::Unexpected(first),
                span: faults.span(name_start, first.len_utf8()),
            }));
        }
        let name_span = faults.span(name_start, name.len());
        if space == 0 && at > 0 {
            faults.report(MalformedAttribute {
                fault: AttributeFault::NoSpace(name),
                span: name_span,
            })?;
        }
        at += name.len();

        let equals = at + leading_space(&content[at..]);
        if !content[equals..].starts_with('=') {
            faults.report(MalformedAttribute {
                fault: AttributeFault::NoValue(name),
                span: name_span,
            })?;
            continue;
        }
        let value_at = equals + 1 + leading_space(&content[equals + 1..]);
        let Some(quote) = content[value_at..]
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\''))
        else {
            let value = unquoted(&content[value_at..]);
            let (fault, span) = if value.is_empty() {
                (AttributeFault::NoValue(name), name_span)
            } else {
                let span = faults.span(advanced(start, value_at), value.len());
                (AttributeFault::NoQuotes(value), span)
            };
            faults.report(MalformedAttribute { fault, span })?;
            if !value.is_empty() {
                // It is clear what is meant: without it, an attribute would be reported as missing.
                let meant = value.trim_start_matches(TYPOGRAPHIC_QUOTES);
                attributes.push(RawAttribute {
                    name,
                    name_start,
                    value: meant.trim_end_matches(TYPOGRAPHIC_QUOTES),
                    value_start: advanced(start, value_at + (value.len() - meant.len())),
                });
            }
            at = value_at + value.len();
            continue;
        };
        let value_end = content[value_at + 1..]
            .find(quote)
            .map(|length| value_at + 1 + length);
        let is_sound = value_end
            .is_some_and(|end| !runs_into_markup(&content[value_at + 1..end], &content[end + 1..]));
        let (Some(value_end), true) = (value_end, is_sound) else {
            return Err(faults.fatal(MalformedAttribute {
                fault: AttributeFault::NoClosingQuote(quote),
                span: faults.span(advanced(start, value_at), 1),
            }));
        };
        attributes.push(RawAttribute {
            name,
            name_start,
            value: &content[value_at + 1..value_end],
            value_start: advanced(start, value_at + 1),
        });
        at = value_end + 1;
    }
}

/// Whether the quote between `value` and `after` seems to open a value rather than to close one.
fn runs_into_markup(value: &str, after: &str) -> bool {
    let is_followed = after
        .bytes()
        .next()
        .is_some_and(|byte| !is_xml_space(byte) && byte != b'/' && byte != b'?');
    is_followed && value.contains('<')
}

fn leading_space(text: &str) -> usize {
    text.bytes().take_while(|byte| is_xml_space(*byte)).count()
}

fn ends_name(c: char) -> bool {
    matches!(c, '=' | '"' | '\'' | '<' | ' ' | '\t' | '\r' | '\n')
}

/// A value without quotes, or with typographic ones.
fn unquoted(text: &str) -> &str {
    if text.starts_with(TYPOGRAPHIC_QUOTES)
        && let Some((end, quote)) = text.match_indices(TYPOGRAPHIC_QUOTES).nth(1)
        && !text[..end].contains(['<', '"', '\''])
    {
        return &text[..end + quote.len()];
    }
    let end = text
        .find(|c| ends_name(c) && c != '=')
        .unwrap_or(text.len());
    &text[..end]
}

/// The decoded value: references resolved, and each tab and line end replaced by a blank. `None` if it equals the source.
pub(super) fn decode_value(
    raw: &str,
    start: u32,
    faults: &mut Faults<'_>,
) -> Result<Option<Decoded<'static>>, Fatal> {
    if faults.has_invalid_characters
        && let Some((index, character)) = first_invalid_character(raw)
    {
        faults.report(InvalidCharacter {
            character,
            span: faults.span(advanced(start, index), character.len_utf8()),
        })?;
    }
    let is_special = |c: char| matches!(c, '&' | '<' | '\t' | '\n' | '\r');
    if !raw.bytes().any(|byte| is_special(char::from(byte))) {
        return Ok(None);
    }
    let mut decoded = DecodedBuilder::new(faults.file, start);
    let mut at = 0;
    while let Some(plain) = raw[at..].find(is_special) {
        let special = at + plain;
        let source = |length: usize| advanced(start, special)..advanced(start, special + length);
        decoded.push(
            &raw[at..special],
            advanced(start, at)..advanced(start, special),
        );
        let rest = &raw[special..];
        at = special
            + if rest.starts_with('&') {
                push_reference(rest, advanced(start, special), &mut decoded, faults)?
            } else if rest.starts_with('<') {
                faults.report(UnescapedMarkup {
                    markup: StrayMarkup::LessThan,
                    span: faults.span(advanced(start, special), 1),
                })?;
                decoded.push("<", source(1));
                1
            } else {
                let length = if rest.starts_with("\r\n") { 2 } else { 1 };
                decoded.push(" ", source(length));
                length
            };
    }
    decoded.push(&raw[at..], advanced(start, at)..advanced(start, raw.len()));
    Ok(Some(decoded.finish()))
}

/// Appends the character of the `&` reference at the start of `rest`; returns the length of its source.
fn push_reference(
    rest: &str,
    start: u32,
    decoded: &mut DecodedBuilder,
    faults: &mut Faults<'_>,
) -> Result<usize, Fatal> {
    let (length, fault) = match reference(rest) {
        Ok((c, length)) => {
            decoded.push(c.encode_utf8(&mut [0; 4]), start..advanced(start, length));
            return Ok(length);
        }
        Err((ReferenceFault::LoneAmpersand, _)) => {
            (ampersand_run(rest), ReferenceFault::LoneAmpersand)
        }
        Err((fault, length)) => (length, fault),
    };
    let raw = &rest[..length];
    let span = faults.span(start, length);
    faults.report(InvalidReference { raw, span, fault })?;
    decoded.push(raw, span.start..span.end);
    Ok(length)
}

/// The character of the reference at the start of `rest`, and its length.
fn reference(rest: &str) -> Result<(char, usize), (ReferenceFault, usize)> {
    let inside = &rest[1..];
    match inside.find([';', '&', '<']) {
        Some(end) if inside[end..].starts_with(';') => {
            let length = end + 2;
            resolve_reference(&inside[..end])
                .map(|c| (c, length))
                .map_err(|fault| (fault, length))
        }
        Some(_) | None => Err((ReferenceFault::LoneAmpersand, 1)),
    }
}

/// The number of `&` at the start of `rest`, an unescaped one, that together are one mistake: `&&` is, but in `&&amp;` only
/// the first is.
pub(super) fn ampersand_run(rest: &str) -> usize {
    let run = rest.bytes().take_while(|byte| *byte == b'&').count();
    if run > 1 && reference(&rest[run - 1..]).is_ok() {
        run - 1
    } else {
        run
    }
}
