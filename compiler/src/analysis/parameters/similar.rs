//! Properties that nothing defines, with nearly the name of one that is defined. Where all properties are known, they are
//! undefined, which is reported elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{el::scope::is_variable_name, slips::is_slip};

use super::{
    DocumentProperties, candidates, default_of, literal_properties,
    reads::{PropertyRead, spans},
};
use crate::{
    analysis::given::{ALWAYS_GIVEN, JobProperties},
    diagnostics::Sink,
    lints::similar_properties::{SimilarEvidence, SimilarProperty},
    source::Span,
};

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

/// Reports given properties that nothing reads, where one with nearly the same name keeps its default.
pub(super) fn given_in_vain(
    app: &DocumentProperties<'_>,
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    given: &JobProperties,
    sink: &mut Sink,
) {
    if app.is_passed_on {
        return;
    }
    let defaults = literal_properties(app.config_default);
    let declared = app.parameters.iter();
    let with_default: Vec<&str> = declared
        .filter(|parameter| default_of(parameter).is_some())
        .map(|parameter| parameter.name.value.as_str())
        .chain(defaults.keys().copied())
        .filter(|name| !given.has(name))
        .collect();
    let is_setting = |name: &str| name.starts_with("oozie.") || name.starts_with("hpdl.");
    for (name, property) in given.properties.iter().take(MOST_SEARCHES) {
        if reads.contains_key(name) || app.place_of(name, &JobProperties::default()).is_some() {
            continue;
        }
        let mut similar = with_default.iter().filter(|other| is_slip(name, other));
        let Some(&similar) = similar.next().filter(|_| !is_setting(name)) else {
            continue;
        };
        if let Some(place) = app.place_of(similar, given) {
            sink.emit(SimilarProperty {
                name: name.clone(),
                first: place,
                others: Vec::new(),
                similar: similar.to_owned(),
                similar_place: property.span,
                evidence: SimilarEvidence::Given,
                conf: None,
            });
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
