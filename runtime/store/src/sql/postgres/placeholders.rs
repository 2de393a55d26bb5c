//! `?1` and `?`, as SQLite numbers parameters, in PostgreSQL's form.

/// The statement with `$1` in place of `?1`; a `?` alone has the number after the greatest before it.
pub(super) fn numbered(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut greatest = 0_usize;
    let mut quote = None;
    let mut chars = sql.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) => {
                if open == c {
                    quote = None;
                }
                text.push(c);
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                text.push(c);
            }
            (None, '?') => {
                let mut digits = String::new();
                while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                let number = digits.parse().unwrap_or(greatest + 1);
                greatest = greatest.max(number);
                text.push_str(&format!("${number}"));
            }
            (None, _) => text.push(c),
        }
    }
    text
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
        ] {
            assert_eq!(numbered(sql), expected);
        }
    }
}
