//! Properties that nothing defines, with nearly the name of one that is defined. Where all properties are known, they are
//! undefined, which is reported elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::el::scope::is_variable_name;

use super::{
    DocumentProperties, candidates, literal_properties,
    reads::{PropertyRead, spans},
};
use crate::{
    analysis::given::{ALWAYS_GIVEN, JobProperties},
    diagnostics::Sink,
    lints::similar_properties::{SimilarEvidence, SimilarProperty},
    source::Span,
};

/// How many letters a name must have for one more or less to be a slip: `a` and `ab` are just two names.
const LONG_ENOUGH: usize = 5;

/// And how many for two swapped ones.
const LONG_ENOUGH_TO_SWAP: usize = 4;

/// How many names are compared with all defined ones.
const MOST_SEARCHES: usize = 500;

pub(super) fn check(
    app: &DocumentProperties<'_>,
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    given: &JobProperties,
    is_known: &impl Fn(&str) -> bool,
    sink: &mut Sink,
) {
    let defaults = literal_properties(app.config_default);
    let defined: Vec<&str> = candidates(given, app, &defaults)
        .into_iter()
        .chain(ALWAYS_GIVEN)
        .collect();
    let place_of = |name: &str| app.place_of(name, given);
    let mut subtractions: BTreeSet<Span> = BTreeSet::new();
    let mut undefined: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut n_searches = 0;
    for (name, reads) in reads {
        if is_known(name) || reads.is_empty() {
            continue;
        }
        let meant = reads.iter().find_map(|read| read.meant.as_deref());
        if let Some((meant, place)) = meant.filter(|(meant, _)| is_known(meant)) {
            if subtractions.insert(*place) {
                sink.emit(SimilarProperty {
                    name: name.clone(),
                    first: *place,
                    others: Vec::new(),
                    similar_place: place_of(meant),
                    similar: meant.clone(),
                    evidence: SimilarEvidence::Subtracted(app.conf),
                    conf: None,
                });
            }
            continue;
        }
        n_searches += 1;
        // A variable without dots is not meant to be one of Oozie's own: `userName` is not `user.name`.
        let is_candidate = |other: &str| name.contains('.') || !ALWAYS_GIVEN.contains(&other);
        let mut defined = defined.iter().filter(|_| n_searches <= MOST_SEARCHES);
        if let Some(similar) = defined.find(|other| is_candidate(other) && is_slip(name, other)) {
            report(
                name,
                reads,
                (similar, place_of(similar)),
                (SimilarEvidence::Defined, app.conf),
                sink,
            );
            continue;
        }
        undefined.entry(name.to_lowercase()).or_default().push(name);
    }
    for names in undefined.values().filter(|names| names.len() > 1) {
        let n_reads = |name: &str| reads.get(name).map_or(0, Vec::len);
        let usual = names.iter().max_by_key(|name| n_reads(name));
        let Some(usual) = usual else { continue };
        for name in names.iter().filter(|name| n_reads(name) < n_reads(usual)) {
            let usual_place = reads[*usual].iter().map(|read| read.span).min();
            report(
                name,
                &reads[*name],
                (usual, usual_place),
                (SimilarEvidence::Read, app.conf),
                sink,
            );
        }
    }
}

fn report(
    name: &str,
    reads: &[PropertyRead],
    (similar, similar_place): (&str, Option<Span>),
    (evidence, conf): (SimilarEvidence, &'static str),
    sink: &mut Sink,
) {
    let is_variable = is_variable_name(similar) || !is_variable_name(name);
    let places = spans(reads);
    if let Some((&first, others)) = places.split_first() {
        sink.emit(SimilarProperty {
            name: name.to_owned(),
            first,
            others: others.to_vec(),
            similar: similar.to_owned(),
            similar_place,
            evidence,
            conf: (!is_variable).then_some(conf),
        });
    }
}

/// Whether one name is the other with a slip of the fingers: another case, other separators, a plural, a letter more or less,
/// or two letters swapped.
pub(crate) fn is_slip(one: &str, other: &str) -> bool {
    if one == other || one.len().abs_diff(other.len()) > 3 {
        return false;
    }
    let folded = |name: &str| -> Vec<char> {
        let letters = name.chars().filter(|char| !matches!(char, '-' | '_' | '.'));
        letters.flat_map(char::to_lowercase).collect()
    };
    let (one, other) = (folded(one), folded(other));
    if one == other {
        return !one.is_empty();
    }
    let (short, long) = if one.len() <= other.len() {
        (&one, &other)
    } else {
        (&other, &one)
    };
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    match long.len() - short.len() {
        0 => {
            let is_swapped = long.get(same + 1) == short.get(same)
                && long.get(same) == short.get(same + 1)
                && long.get(same + 2..) == short.get(same + 2..);
            is_swapped && short.len() >= LONG_ENOUGH_TO_SWAP && is_text(&short[same..=same + 1])
        }
        1 => {
            let is_plural = same == short.len() && long[same] == 's' && short.len() >= 3;
            let is_one_more = long[same + 1..] == short[same..]
                && short.len() >= LONG_ENOUGH
                && is_text(&long[same..=same]);
            is_plural || is_one_more
        }
        _ => false,
    }
}

/// A digit more is another name: `table1`.
fn is_text(chars: &[char]) -> bool {
    chars.iter().all(|char| char.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_other_names() {
        for (one, other, expected) in [
            ("inputDir", "inputdir", true),
            ("input_dir", "inputDir", true),
            ("input-dir", "input_dir", true),
            ("day", "days", true),
            ("input", "inputs", true),
            ("outputPath", "outptuPath", true),
            ("outputPath", "outputPth", true),
            ("outputPath", "ooutputPath", true),
            ("table1", "table2", false),
            ("table", "table1", false),
            ("ab", "abc", false),
            ("ab", "ba", false),
            ("rows", "rosw", true),
            ("abc", "acb", false),
            ("start", "stop", false),
            ("startDate", "endDate", false),
            ("minDate", "maxDate", false),
            ("x", "X", true),
            ("a", "a", false),
            ("", "-", false),
        ] {
            assert_eq!(is_slip(one, other), expected, "{one} {other}");
            assert_eq!(is_slip(other, one), expected, "{other} {one}");
        }
    }
}
