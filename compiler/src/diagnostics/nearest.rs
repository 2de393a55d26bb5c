//! Similar names (edit distance), for suggestions.

/// The candidate most similar to `name`, if one is similar enough to be suggested; see [`similar`].
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(name, candidates).into_iter().next()
}

/// The candidates that are similar enough to be suggested, the nearest first, at most five.
///
/// Similar means: at most a third of the characters have to be inserted, removed, replaced or swapped with their neighbour;
/// a change of case or between `-` and `_` costs nothing. Equally near ones are in alphabetical order, so the result does
/// not depend on the order of the candidates. `name` itself is never among them.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    const MOST: usize = 5;
    // The comparison is quadratic in the length, and such long names are not typing mistakes.
    const MAX_LENGTH: usize = 1000;
    if name.len() > MAX_LENGTH {
        return Vec::new();
    }
    let wanted = folded(name);
    let mut rows = DistanceRows::default();
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != name && candidate.len() <= MAX_LENGTH)
        .filter_map(|candidate| {
            let candidate_folded = folded(candidate);
            let limit = wanted.len().max(candidate_folded.len()) / 3;
            // The cheap test first: there may be ten thousand candidates.
            if wanted.len().abs_diff(candidate_folded.len()) > limit {
                return None;
            }
            let distance = edit_distance(&wanted, &candidate_folded, limit, &mut rows)?;
            Some((distance, candidate))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter()
        .take(MOST)
        .map(|(_, candidate)| candidate)
        .collect()
}

/// As [`nearest`], for names of several words, such as `inputData` and `input_data`: each word must be similar. `outputData` is
/// another thing than `inputData`, and no slip.
pub fn nearest_in_words<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let mut similar = similar(name, candidates).into_iter();
    similar.find(|candidate| has_like_words(name, candidate))
}

/// Whether the words that two names do not share are similar. Names with another number of words are compared as a whole.
fn has_like_words(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    if one.len() != other.len() || one.len() == 1 {
        return true;
    }
    let mut rows = DistanceRows::default();
    one.iter().zip(&other).all(|(one, other)| {
        let limit = (one.len().max(other.len()) / 3).max(1);
        one == other || edit_distance(one, other, limit, &mut rows).is_some()
    })
}

/// The words of a name, in lower case: they end at signs, and before capitals that follow small letters.
fn words(name: &str) -> Vec<Vec<char>> {
    let mut words: Vec<Vec<char>> = vec![Vec::new()];
    let mut last = None;
    for char in name.chars() {
        let is_sign = matches!(char, '-' | '_' | '.');
        let is_capital = char.is_uppercase() && last.is_some_and(char::is_lowercase);
        if (is_sign || is_capital) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(Vec::new());
        }
        if let (false, Some(word)) = (is_sign, words.last_mut()) {
            word.extend(char.to_lowercase());
        }
        last = Some(char);
    }
    words
}

fn folded(name: &str) -> Vec<char> {
    let mut folded = Vec::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '-' => folded.push('_'),
            _ if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
            _ => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

/// The rows of the distance table that are needed at the same time, reused because a document may cause a million
/// comparisons.
#[derive(Default)]
struct DistanceRows {
    before_previous: Vec<usize>,
    previous: Vec<usize>,
    current: Vec<usize>,
}

/// The Damerau-Levenshtein distance (insertions, removals, replacements, swaps of neighbours), if it is at most `limit`.
fn edit_distance(
    left: &[char],
    right: &[char],
    limit: usize,
    rows: &mut DistanceRows,
) -> Option<usize> {
    rows.previous.clear();
    rows.previous.extend(0..=right.len());
    let mut least_before = 0;
    for (i, &from) in left.iter().enumerate() {
        let DistanceRows {
            before_previous,
            previous,
            current,
        } = rows;
        current.clear();
        current.push(i + 1);
        let mut least = i + 1;
        for (j, &to) in right.iter().enumerate() {
            let replaced = previous[j] + usize::from(from != to);
            let mut best = replaced.min(previous[j + 1] + 1).min(current[j] + 1);
            let is_swap = i > 0 && j > 0 && from == right[j - 1] && left[i - 1] == to;
            if is_swap {
                best = best.min(before_previous[j - 1] + 1);
            }
            current.push(best);
            least = least.min(best);
        }
        // No later row can have a value below the minimum of the last two.
        if least > limit && least_before > limit {
            return None;
        }
        least_before = least;
        std::mem::swap(before_previous, previous);
        std::mem::swap(previous, current);
    }
    let distance = rows.previous[right.len()];
    (distance <= limit).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, candidates: &[&str], expected: &[&str]) {
        assert_eq!(
            similar(name, candidates.iter().copied()),
            expected,
            "{name}"
        );
    }

    #[test]
    fn near_names_come_in_order_of_distance_then_alphabet() {
        check(
            "clean-up",
            &["cleanup", "clean_up", "setup"],
            &["clean_up", "cleanup"],
        );
        check("frok", &["fork", "from"], &["fork", "from"]);
        check(
            "stat",
            &["star", "stay", "start"],
            &["star", "start", "stay"],
        );
        check("END", &["end"], &["end"]);
    }

    #[test]
    fn far_names_are_left_out() {
        check("a", &["b"], &[]);
        check("ok", &["to"], &[]);
        check(
            "transform",
            &["transport", "inform", "transforms"],
            &["transforms", "transport"],
        );
        check("", &["a"], &[]);
    }

    #[test]
    fn name_itself_and_repeats_are_left_out() {
        check("node", &["node", "nodes", "nodes"], &["nodes"]);
    }

    #[test]
    fn at_most_five_are_named() {
        check(
            "node-x",
            &[
                "node-7", "node-6", "node-5", "node-4", "node-3", "node-2", "node-1",
            ],
            &["node-1", "node-2", "node-3", "node-4", "node-5"],
        );
    }

    #[test]
    fn names_of_a_million_characters_are_not_compared() {
        let (left, right) = ("x".repeat(1_000_000), "x".repeat(1_000_001));
        check(&left, &[&right], &[]);
        check("x", &[&left], &[]);
    }

    #[test]
    fn swapped_neighbours_are_one_change() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        let mut rows = DistanceRows::default();
        let mut distance =
            |left, right, limit| edit_distance(&chars(left), &chars(right), limit, &mut rows);
        assert_eq!(distance("abcd", "abdc", 9), Some(1));
        assert_eq!(distance("kitten", "sitting", 3), Some(3));
        assert_eq!(distance("kitten", "sitting", 2), None);
        assert_eq!(distance("", "abc", 9), Some(3));
        assert_eq!(distance("abcdefgh", "stuvwxyz", 2), None);
    }
}
