//! Comma-separated lists in properties and elements.

/// The entries of a comma-separated list, trimmed. Empty entries are skipped.
pub fn entries(text: &str) -> impl Iterator<Item = &str> {
    let entries = text.split(',').map(str::trim);
    entries.filter(|entry| !entry.is_empty())
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn entries_are_what_stands_between_commas() {
        let of = |text| entries(text).collect::<Vec<_>>().join("|");
        assert_eq!(of(" a , b c,,\n d,"), "a|b c|d");
        assert_eq!(of(" , "), "");
    }
}
