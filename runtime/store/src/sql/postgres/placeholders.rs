//! `?1` and `?`, as SQLite numbers parameters, in PostgreSQL's form.

/// The statement with `$1` in place of `?1`; a `?` alone has the number after the greatest before it.
pub(super) fn numbered(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut greatest = 0_usize;
    let mut rest = sql;
    while let Some((before, found)) = split_at_any(rest, &['?', '\'', '"']) {
        text.push_str(before);
        if let Some(after) = found.strip_prefix('?') {
            let n_digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, after) = after.split_at(n_digits);
            let number = digits.parse().unwrap_or(greatest + 1);
            greatest = greatest.max(number);
            text.push('$');
            text.push_str(&number.to_string());
            rest = after;
        } else {
            // What is quoted stays as it is. The quote is one byte.
            let (quote, quoted) = found.split_at(1);
            let end = quoted.find(quote).map_or(quoted.len(), |end| end + 1);
            text.push_str(&found[..=end]);
            rest = &quoted[end..];
        }
    }
    text.push_str(rest);
    text
}

fn split_at_any<'t>(text: &'t str, any: &[char]) -> Option<(&'t str, &'t str)> {
    text.find(any).map(|place| text.split_at(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_but_for_quoted_ones() {
        for (sql, expected) in [
            ("SELECT ?1, ?12 WHERE a = ?1", "SELECT $1, $12 WHERE a = $1"),
            ("a = ? AND b IN (?, ?)", "a = $1 AND b IN ($2, $3)"),
            ("a = ?2 AND b = ?", "a = $2 AND b = $3"),
            (
                "a = '?1' AND \"b?\" = ? || 'it''s ?'",
                "a = '?1' AND \"b?\" = $1 || 'it''s ?'",
            ),
            ("a = 'open ?", "a = 'open ?"),
            ("a = '", "a = '"),
            ("ä = '€?' OR ?", "ä = '€?' OR $1"),
        ] {
            assert_eq!(numbered(sql), expected);
        }
    }
}
