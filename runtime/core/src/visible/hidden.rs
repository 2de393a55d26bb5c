//! Invisible characters and their escapes. hpdlc-graph, which depends on none of our crates, includes this file by path.

/// Whether a terminal or a text layout would interpret the character instead of showing it.
///
/// C0 and C1 controls, the marks that embed, override and isolate directions, Unicode's line and paragraph separators, and the
/// invisible tag copies of ASCII.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{206f}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// `\n`, `\x1b`, or `\u{202e}` for a character beyond the first 256.
pub fn escaped(character: char) -> String {
    match (character, u32::from(character)) {
        ('\n', _) => "\\n".to_owned(),
        ('\r', _) => "\\r".to_owned(),
        ('\t', _) => "\\t".to_owned(),
        (_, code @ ..0x100) => format!("\\x{code:02x}"),
        (_, code) => format!("\\u{{{code:x}}}"),
    }
}
