//! Labels for the conditions of one decision, short enough for their space and still distinct.

/// Shortens the labels of one node: if one longer than `length` characters has a common prefix with another, the prefix is
/// replaced by an ellipsis, so that the difference is visible.
pub(crate) fn told_apart(labels: &[&str], length: usize) -> Vec<String> {
    let mut sorted: Vec<&str> = labels.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let shown = |label: &&str| {
        if label.chars().count() <= length {
            return (*label).to_owned();
        }
        let place = sorted.partition_point(|other| other < label);
        // In sorted order, a neighbor has the longest common prefix.
        let neighbors = [place.checked_sub(1), Some(place + 1)];
        let common = neighbors
            .into_iter()
            .flatten()
            .filter_map(|neighbor| sorted.get(neighbor))
            .map(|neighbor| common_length(label, neighbor))
            .max()
            .unwrap_or(0);
        let start = word_start(label, common);
        if start == 0 {
            (*label).to_owned()
        } else {
            format!("…{}", &label[start..])
        }
    };
    labels.iter().map(shown).collect()
}

/// The length in bytes of the common prefix.
fn common_length(one: &str, other: &str) -> usize {
    let pairs = one.char_indices().zip(other.chars());
    pairs
        .take_while(|((_, left), right)| left == right)
        .last()
        .map_or(0, |((at, character), _)| at + character.len_utf8())
}

/// The start of the word that contains `common`, with the two words before it for context.
fn word_start(text: &str, common: usize) -> usize {
    const WORDS: usize = 3;
    let before = text.get(..common).unwrap_or_default();
    before
        .rmatch_indices(' ')
        .nth(WORDS - 1)
        .map_or(0, |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_kept() {
        let long = "fs:fileSize(concat(concat(nameNode, '/user/hive/warehouse/'), 'part-00000')) gt 10 and kind eq";
        let (small, large) = (format!("{long} 'small'"), format!("{long} 'large'"));
        assert_eq!(
            told_apart(&[&small, "default", &large], 60),
            ["…kind eq 'small'", "default", "…kind eq 'large'"]
        );
        // Nothing in common, or short: unchanged.
        assert_eq!(told_apart(&[&small, "x"], 60), [small.as_str(), "x"]);
        assert_eq!(told_apart(&["a eq 1", "a eq 2"], 60), ["a eq 1", "a eq 2"]);
        // Equal labels cannot be distinguished.
        assert_eq!(
            told_apart(&[&small, &small], 60),
            [small.as_str(), small.as_str()]
        );
        // A label that is a prefix of another.
        let longer = format!("{small} and more");
        assert_eq!(
            told_apart(&[&small, &longer], 60),
            ["…kind eq 'small'", "…kind eq 'small' and more"]
        );
    }
}
