//! Characters that a picture cannot show, written out.

/// `\x1b` for a control character, `\u{202e}` for one that changes the order of others; none for what can be seen.
pub fn written_out(character: char) -> Option<String> {
    let code = u32::from(character);
    match character {
        control if control.is_control() => Some(format!("\\x{code:02x}")),
        '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' => Some(format!("\\u{{{code:x}}}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::written_out;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        let shown = ['\u{1b}', '\u{9b}', '\u{202e}', '\u{ffff}'].map(written_out);
        let expected = ["\\x1b", "\\x9b", "\\u{202e}", "\\u{ffff}"];
        assert_eq!(shown, expected.map(|text| Some(text.to_owned())));
        assert_eq!(['a', ' ', 'é'].map(written_out), [None, None, None]);
    }
}
