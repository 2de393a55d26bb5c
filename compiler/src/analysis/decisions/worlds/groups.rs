//! The cases that are compared with each other.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::el::value::Value;

use super::AbstractCase;

/// Cases with more worlds than this are not compared.
const MOST_WORLDS: usize = 2048;

/// Nor are cases that need more comparisons: each case with each, in each world. A decision may have a million cases.
const MOST_COMPARISONS: usize = 1 << 26;

/// Cases that are compared with each other, with their numbers.
pub(super) type CaseGroup<'a> = Vec<&'a (usize, AbstractCase)>;

/// Cases that depend on common things, in groups of limited cost.
pub(super) fn groups<'a>(
    asked: &'a [(usize, AbstractCase)],
    domains: &[Option<Vec<Value>>],
) -> Vec<CaseGroup<'a>> {
    let is_small = |group: &CaseGroup<'_>| {
        let things: BTreeSet<usize> = group
            .iter()
            .flat_map(|(_, asked)| &asked.things)
            .copied()
            .collect();
        let n_worlds = things
            .iter()
            .map(|thing| domains[*thing].as_ref().map_or(1, Vec::len))
            .try_fold(1_usize, usize::checked_mul)
            .filter(|n_worlds| *n_worlds <= MOST_WORLDS);
        n_worlds
            .and_then(|n_worlds| n_worlds.checked_mul(group.len())?.checked_mul(group.len()))
            .is_some_and(|n_comparisons| n_comparisons <= MOST_COMPARISONS)
    };
    let mut groups = Vec::new();
    for group in connected(asked, domains.len()) {
        if is_small(&group) {
            groups.push(group);
            continue;
        }
        // Those that depend on exactly the same things can still be compared.
        let mut alike: BTreeMap<&BTreeSet<usize>, CaseGroup<'a>> = BTreeMap::new();
        for case in group {
            alike.entry(&case.1.things).or_default().push(case);
        }
        groups.extend(alike.into_values().filter(is_small));
    }
    groups
}

/// Connected components of cases that depend on common things, in the order of the last case of each group.
fn connected(asked: &[(usize, AbstractCase)], n_things: usize) -> Vec<CaseGroup<'_>> {
    let mut leaders: Vec<usize> = (0..n_things).collect();
    for (_, case) in asked {
        let Some(first) = case.things.first() else {
            continue;
        };
        let first = leader(&mut leaders, *first);
        for thing in &case.things {
            let other = leader(&mut leaders, *thing);
            leaders[other] = first;
        }
    }
    let mut groups: BTreeMap<usize, CaseGroup<'_>> = BTreeMap::new();
    let mut all: Vec<CaseGroup<'_>> = Vec::new();
    for case in asked {
        match case.1.things.first() {
            Some(thing) => groups
                .entry(leader(&mut leaders, *thing))
                .or_default()
                .push(case),
            None => all.push(vec![case]),
        }
    }
    all.extend(groups.into_values());
    all.sort_by_key(|group| group.last().map(|(at, _)| *at));
    all
}

/// The representative of `thing` (union-find), with path halving.
fn leader(leaders: &mut [usize], thing: usize) -> usize {
    let mut at = thing;
    while leaders[at] != at {
        leaders[at] = leaders[leaders[at]];
        at = leaders[at];
    }
    at
}
