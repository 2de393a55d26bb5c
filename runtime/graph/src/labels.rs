//! The conditions of one decision, short enough for their places and still told apart.

/// The labels of one node in a shorter form: where one that is longer than `length` characters begins as another one does, the common beginning gives way to
/// a sign, so that what differs is seen.
pub(crate) fn told_apart(labels: &[&str], length: usize) -> Vec<String> {
    let mut sorted: Vec<&str> = labels.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let shown = |label: &&str| {
        if label.chars().count() <= length {
            return (*label).to_owned();
        }
        let place = sorted.partition_point(|other| other < label);
        // Of sorted texts, a neighbor has the longest beginning in common.
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

/// Bytes that two texts begin with.
fn common_length(one: &str, other: &str) -> usize {
    let pairs = one.char_indices().zip(other.chars());
    pairs
        .take_while(|((_, left), right)| left == right)
        .last()
        .map_or(0, |((at, character), _)| at + character.len_utf8())
}

/// Where the word begins that `common` lies in, with the two words before it for context.
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
        // Nothing in common, or short: as it is.
        assert_eq!(told_apart(&[&small, "x"], 60), [small.as_str(), "x"]);
        assert_eq!(told_apart(&["a eq 1", "a eq 2"], 60), ["a eq 1", "a eq 2"]);
        // Twice the same tells nothing apart.
        assert_eq!(
            told_apart(&[&small, &small], 60),
            [small.as_str(), small.as_str()]
        );
        // One that goes on where the other ends.
        let longer = format!("{small} and more");
        assert_eq!(
            told_apart(&[&small, &longer], 60),
            ["…kind eq 'small'", "…kind eq 'small' and more"]
        );
    }
}
