//! The order in which a run has reached its nodes: skipped nodes have the times of an earlier run.

use std::collections::HashMap;

use hpdlc_store::{ActionRow, SkipMark};

/// Sorts the nodes of a run by the log lines that record when they were reached; nodes that were not reached are last.
///
/// A skipped node is logged with the node that it leads to, after it.
pub(super) fn sort(actions: &mut [ActionRow], entered: &HashMap<String, i64>) {
    let mut keys: HashMap<String, (i64, i64)> = actions
        .iter()
        .map(|action| {
            let line = entered.get(&action.name).copied().unwrap_or(i64::MAX);
            (action.name.clone(), (line, 0))
        })
        .collect();
    let skipped: Vec<&ActionRow> = actions
        .iter()
        .filter(|action| action.skip == Some(SkipMark::Taken))
        .collect();
    // One pass for each skipped node in a row.
    for _ in 0..=skipped.len() {
        let mut has_moved = false;
        for action in &skipped {
            let next = action.transition.as_ref().and_then(|next| keys.get(next));
            let (Some(&(line, place)), Some(own)) = (next, keys.get(&action.name)) else {
                continue;
            };
            let before = (line, place - 1);
            if line < i64::MAX && before < *own {
                keys.insert(action.name.clone(), before);
                has_moved = true;
            }
        }
        if !has_moved {
            break;
        }
    }
    actions.sort_by_key(|action| keys.get(&action.name).copied());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_stands_before_what_it_leads_to() {
        let row = |name: &str, next: &str, skip: Option<SkipMark>| ActionRow {
            transition: Some(next.to_owned()),
            skip,
            ..ActionRow::new("1-W", name, "shell")
        };
        let taken = Some(SkipMark::Taken);
        let mut actions = vec![
            row("a", "b", taken),
            row("b", "c", taken),
            row("later", "end", Some(SkipMark::Waits)),
            row("z", "a", None),
            row("c", "end", None),
        ];
        let entered = [("z", 10), ("c", 11), ("a", 12), ("b", 13)];
        let entered = entered.map(|(name, line)| (name.to_owned(), line));
        sort(&mut actions, &HashMap::from(entered));
        let names: Vec<&str> = actions.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["z", "a", "b", "c", "later"]);
    }
}
