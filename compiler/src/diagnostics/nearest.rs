//! Similar names, for suggestions.

/// The candidate most like `name`, if one is alike enough to be worth naming; see [`similar`].
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(name, candidates).into_iter().next()
}

/// The candidates alike enough to be worth naming, the nearest first, at most five.
///
/// Alike is: at most a third of the characters have to be inserted, removed, replaced or swapped with their neighbour;
/// a change of case or between `-` and `_` costs nothing. Equally near ones are in alphabetical order, so the answer
/// does not depend on the order of the candidates. `name` itself is never among them.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    const MOST: usize = 5;
    let wanted = folded(name);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            let candidate_folded = folded(candidate);
            let limit = wanted.len().max(candidate_folded.len()) / 3;
            // The cheap test first: there may be ten thousand candidates.
            if wanted.len().abs_diff(candidate_folded.len()) > limit {
                return None;
            }
            let distance = edit_distance(&wanted, &candidate_folded);
            (distance <= limit).then_some((distance, candidate))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter()
        .take(MOST)
        .map(|(_, candidate)| candidate)
        .collect()
}

fn folded(name: &str) -> Vec<char> {
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| if c == '-' { '_' } else { c })
        .collect()
}

/// Insertions, removals, replacements and swaps of neighbours that turn one into the other.
fn edit_distance(left: &[char], right: &[char]) -> usize {
    let mut before_previous: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for (i, &from) in left.iter().enumerate() {
        let mut current = Vec::with_capacity(previous.len());
        current.push(i + 1);
        for (j, &to) in right.iter().enumerate() {
            let replaced = previous[j] + usize::from(from != to);
            let mut best = replaced.min(previous[j + 1] + 1).min(current[j] + 1);
            let is_swap = i > 0 && j > 0 && from == right[j - 1] && left[i - 1] == to;
            if is_swap {
                best = best.min(before_previous[j - 1] + 1);
            }
            current.push(best);
        }
        before_previous = std::mem::replace(&mut previous, current);
    }
    previous[right.len()]
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
    fn swapped_neighbours_are_one_change() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(edit_distance(&chars("abcd"), &chars("abdc")), 1);
        assert_eq!(edit_distance(&chars("kitten"), &chars("sitting")), 3);
        assert_eq!(edit_distance(&chars(""), &chars("abc")), 3);
    }
}
