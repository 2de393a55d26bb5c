//! `<?xml ...?>` and other `<?...?>`.

use super::BYTE_ORDER_MARK;
use crate::syntax::xml::{
    attributes::{RawAttribute, scan},
    characters::split_name,
    faults::{Fatal, Faults, advanced},
    invalid_declaration::{DeclarationFault, InvalidDeclaration},
    is_xml_space,
    unsupported_encoding::UnsupportedEncoding,
};

/// Encodings that are identical to UTF-8 for ASCII, as prefixes in lower case.
const ASCII: &[&str] = &["us-ascii", "ascii"];

/// Encodings in which any byte is a character. Oozie ignores the declaration, and most files that declare one of these are
/// UTF-8 nevertheless.
const ONE_BYTE: &[&str] = &[
    "iso-8859-",
    "iso8859",
    "iso_8859-1",
    "latin1",
    "windows-125",
    "cp125",
];

/// Checks an XML declaration; `raw` is between `<?` and `?>` of `text`.
pub(super) fn check(
    text: &str,
    raw: &str,
    start: u32,
    faults: &mut Faults<'_>,
) -> Result<(), Fatal> {
    const TARGET: &str = "xml";
    let opening = faults.span(start - 2, 2 + TARGET.len());
    let before = &text[..opening.range().start];
    if !before.is_empty() && before != BYTE_ORDER_MARK {
        return faults.report(InvalidDeclaration {
            fault: DeclarationFault::Misplaced,
            span: opening,
        });
    }
    let mut attributes = Vec::new();
    let inside = &raw[TARGET.len()..];
    scan(
        inside,
        advanced(start, TARGET.len()),
        &mut attributes,
        faults,
    )?;
    let mut rest = attributes.as_slice();
    match rest.split_first() {
        Some((version, others)) if version.name == "version" => {
            rest = others;
            // The additions of 1.1 do not occur in documents, and Oozie reads both.
            if !["1.0", "1.1"].contains(&version.value) {
                let span = faults.span(version.value_start, version.value.len());
                faults.report(InvalidDeclaration {
                    fault: DeclarationFault::Version,
                    span,
                })?;
            }
        }
        Some(_) | None => faults.report(InvalidDeclaration {
            fault: DeclarationFault::NoVersion,
            span: opening,
        })?,
    }
    if let Some((encoding, others)) = rest
        .split_first()
        .filter(|(first, _)| first.name == "encoding")
    {
        rest = others;
        check_encoding(text, encoding, faults)?;
    }
    if let Some((standalone, others)) = rest
        .split_first()
        .filter(|(first, _)| first.name == "standalone")
    {
        rest = others;
        if !matches!(standalone.value, "yes" | "no") {
            let span = faults.span(standalone.value_start, standalone.value.len());
            faults.report(InvalidDeclaration {
                fault: DeclarationFault::Standalone,
                span,
            })?;
        }
    }
    match rest.first() {
        Some(unexpected) => faults.report(InvalidDeclaration {
            fault: DeclarationFault::Unexpected,
            span: faults.span(unexpected.name_start, unexpected.name.len()),
        }),
        None => Ok(()),
    }
}

/// The text has been read as UTF-8. Another declared encoding is accepted if it would give the same text.
fn check_encoding(
    text: &str,
    encoding: &RawAttribute<'_>,
    faults: &mut Faults<'_>,
) -> Result<(), Fatal> {
    let declared = encoding.value.to_ascii_lowercase();
    let is_one_of = |prefixes: &[&str]| prefixes.iter().any(|prefix| declared.starts_with(prefix));
    let is_same = declared == "utf-8"
        || declared == "utf8"
        || is_one_of(ONE_BYTE)
        || (text.is_ascii() && is_one_of(ASCII));
    if is_same {
        return Ok(());
    }
    faults.report(UnsupportedEncoding {
        encoding: encoding.value,
        span: faults.span(encoding.value_start, encoding.value.len()),
    })
}

/// Checks a processing instruction; `raw` is between `<?` and `?>`.
pub(super) fn check_instruction(
    raw: &str,
    start: u32,
    faults: &mut Faults<'_>,
) -> Result<(), Fatal> {
    let length = raw.bytes().position(is_xml_space).unwrap_or(raw.len());
    let name = &raw[..length];
    // Namespaces forbid a colon here.
    if matches!(split_name(name), Ok((None, _))) && !name.eq_ignore_ascii_case("xml") {
        return Ok(());
    }
    faults.report(InvalidDeclaration {
        fault: DeclarationFault::InstructionName,
        span: faults.span(start, length),
    })
}
