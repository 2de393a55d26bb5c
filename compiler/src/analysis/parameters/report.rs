//! Reports properties that a job cannot have, those that it lacks, and those that nothing reads.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{
    el::{constants, phase::Phase},
    slips::is_slip,
    substitute,
};

use super::{
    DocumentProperties, candidates, default_of,
    endless_substitution::EndlessSubstitution,
    literal_properties,
    missing_parameter::MissingParameter,
    reads::{PropertyRead, spans},
    reserved_property::ReservedProperty,
    undefined_property::{UndefinedProperty, UndefinedSource},
};
use crate::{
    analysis::{given::JobProperties, similar_names::SimilarNames},
    diagnostics::Sink,
    lints::{empty_property_values::DroppedProperty, unused_parameters::UnusedParameter},
    source::Span,
};

/// Reports properties with reserved names (Oozie's `PropertiesUtils`).
pub(super) fn reserved(app: &DocumentProperties<'_>, given: &JobProperties, sink: &mut Sink) {
    for (name, property) in &given.properties {
        if is_constant(name) || app.reserved.contains(&name.as_str()) {
            sink.emit(ReservedProperty {
                name: name.clone(),
                // Without a place in a file, the workflow is reported.
                place: property.span.unwrap_or(app.root_span),
                is_user: false,
            });
        }
    }
    for parameter in app.parameters {
        let name = parameter.name.value.as_str();
        if is_constant(name) || app.reserved.contains(&name) {
            sink.emit(ReservedProperty {
                name: name.to_owned(),
                place: parameter.name.span,
                is_user: false,
            });
        }
    }
    for property in app.passed.iter().copied().chain(app.config_default) {
        let Some(name) = property.name.literal() else {
            continue;
        };
        let is_user = USER_PROPERTIES.contains(&name);
        if is_user || is_constant(name) || app.reserved.contains(&name) {
            sink.emit(ReservedProperty {
                name: name.to_owned(),
                place: property.name.span,
                is_user,
            });
        }
    }
}

/// Whether the name is a constant in expressions. Those of time are reserved everywhere, though only SLA blocks have them.
pub(super) fn is_constant(name: &str) -> bool {
    constants::of_phase(Phase::Workflow, name).is_some()
        || constants::of_phase(Phase::WorkflowSla, name).is_some()
}

/// The user that a job runs as cannot be set by the application.
pub(super) const USER_PROPERTIES: [&str; 2] = ["mapreduce.job.user.name", "user.name"];

/// Reports properties that refer to themselves, or nest too deep. Without `-c` a default may still be overridden, and with
/// it the circular reference.
pub(super) fn endless(
    given: &JobProperties,
    app: &DocumentProperties<'_>,
    defaults: &BTreeMap<&str, &str>,
    sink: &mut Sink,
) {
    let mut values: BTreeMap<&str, &str> = BTreeMap::new();
    if given.is_complete {
        for parameter in app.parameters {
            if let Some(default) = default_of(parameter) {
                values.insert(&parameter.name.value, default);
            }
        }
        values.extend(defaults);
    }
    for (name, property) in &given.properties {
        values.insert(name, &property.value);
    }
    let pairs = values.iter().map(|(name, value)| (*name, *value));
    let Err(error) = substitute::resolve_changed(pairs, |name| values.get(name).copied()) else {
        return;
    };
    let places: Vec<Span> = error
        .chain()
        .iter()
        .filter_map(|name| app.place_of(name, given))
        .collect();
    sink.emit(EndlessSubstitution {
        place: places.first().copied().unwrap_or(app.root_span),
        others: places.get(1..).unwrap_or_default().to_vec(),
        error,
    });
}

pub(super) fn unused(
    app: &DocumentProperties<'_>,
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    sink: &mut Sink,
) {
    if app.is_passed_on {
        return;
    }
    for parameter in app.parameters {
        let name = &parameter.name;
        // The engine and the runtime read their own settings from the job.
        let is_setting = name.value.starts_with("oozie.") || name.value.starts_with("hpdl.");
        if !reads.contains_key(&name.value) && !is_setting {
            sink.emit(UnusedParameter {
                name: name.value.clone(),
                place: name.span,
            });
        }
    }
}

/// Reports declared properties that have no default and that the job is not given.
pub(super) fn missing(
    app: &DocumentProperties<'_>,
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    given: &JobProperties,
    sink: &mut Sink,
) {
    let defaults = literal_properties(app.config_default);
    let mut similar_names = SimilarNames::default();
    for parameter in app.parameters {
        let name = &parameter.name.value;
        let is_there = default_of(parameter).is_some()
            || given.has(name)
            || defaults.contains_key(name.as_str());
        if !is_there {
            sink.emit(MissingParameter {
                name: name.clone(),
                place: parameter.name.span,
                uses: reads.get(name).map_or_else(Vec::new, |reads| spans(reads)),
                near: similar_names
                    .nearest_in_words(name, given.properties.keys().map(String::as_str))
                    .map(|near| {
                        let span = given.span(&near);
                        (near, span)
                    }),
            });
        }
    }
}

/// Reports properties that are certain to be read and that no job can have, because their names are reserved.
pub(super) fn never_given(
    app: &DocumentProperties<'_>,
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    given: &JobProperties,
    slips: &BTreeSet<Span>,
    sink: &mut Sink,
) {
    for &name in app.reserved {
        let needed = reads.get(name).into_iter().flatten();
        let needed: Vec<PropertyRead> = needed.filter(|read| !read.is_optional).cloned().collect();
        if let ([first, others @ ..], false) = (spans(&needed).as_slice(), given.has(name)) {
            sink.emit(UndefinedProperty {
                name: name.to_owned(),
                first: *first,
                others: others.to_vec(),
                near: None,
                date_part: None,
                meant: None,
                conf: app.conf,
                source: match is_unquoted(slips, *first) {
                    true => UndefinedSource::Slip,
                    false => UndefinedSource::Reserved,
                },
            });
        }
    }
}

/// Reports given properties that are empty, which Oozie drops, where an expression is certain to read them.
pub(super) fn dropped(
    app: &DocumentProperties<'_>,
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    given: &JobProperties,
    sink: &mut Sink,
) {
    for (name, property) in &given.properties {
        let has_default = || {
            let mut parameters = app.parameters.iter();
            let mut defaults = app.config_default.iter();
            parameters.any(|parameter| parameter.name.value == *name)
                || defaults.any(|default| default.name.literal() == Some(name))
        };
        let read = reads.get(name).into_iter().flatten();
        let read = read.filter(|read| !read.is_optional).map(|read| read.span);
        if property.value.is_empty()
            && let Some(read) = read.min()
            && !has_default()
        {
            sink.emit(DroppedProperty {
                name: name.clone(),
                read,
                given: property.span,
            });
        }
    }
}

/// Whether the place is in one of `slips`, which have been reported and are no properties.
fn is_unquoted(slips: &BTreeSet<Span>, place: Span) -> bool {
    let last = Span::new(place.file, place.start, u32::MAX);
    let before = slips.range(..=last).next_back();
    before.is_some_and(|slip| slip.file == place.file && place.end <= slip.end)
}

/// Reports properties that are certain to be read and have no source.
pub(super) fn undefined(
    app: &DocumentProperties<'_>,
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    given: &JobProperties,
    is_known: &impl Fn(&str) -> bool,
    slips: &BTreeSet<Span>,
    sink: &mut Sink,
) {
    let defaults = literal_properties(app.config_default);
    let mut similar_names = SimilarNames::default();
    let mut meant_places: BTreeSet<Span> = BTreeSet::new();
    for (name, reads) in reads {
        let needed: Vec<PropertyRead> = reads
            .iter()
            .filter(|read| !read.is_optional)
            .cloned()
            .collect();
        let uses = spans(&needed);
        let Some((&first, others)) = uses.split_first() else {
            continue;
        };
        if is_known(name) || app.reserved.contains(&name.as_str()) {
            continue;
        }
        if is_unquoted(slips, first) {
            sink.emit(UndefinedProperty {
                name: name.clone(),
                first,
                others: others.to_vec(),
                near: None,
                date_part: None,
                meant: None,
                conf: app.conf,
                source: UndefinedSource::Slip,
            });
            continue;
        }
        let similar = similar_names.nearest_in_words(name, candidates(given, app, &defaults));
        // `${a-b}` is a subtraction; if there is a property `a-b`, that one was meant, and its parts are not reported.
        let meant = needed
            .iter()
            .find_map(|read| read.meant.as_deref().cloned())
            .filter(|(name, _)| is_known(name));
        if let Some((_, place)) = &meant
            && !meant_places.insert(*place)
        {
            continue;
        }
        sink.emit(UndefinedProperty {
            name: name.clone(),
            first,
            others: others.to_vec(),
            near: similar.map(|similar| {
                let span = given.span(&similar);
                (similar, span)
            }),
            date_part: date_part(app, name, &uses),
            meant,
            conf: app.conf,
            source: UndefinedSource::Job,
        });
    }
}

/// The variable of URI templates that a name is meant to be, if only templates read it.
fn date_part(app: &DocumentProperties<'_>, name: &str, uses: &[Span]) -> Option<&'static str> {
    let mut reserved = app.reserved.iter();
    let part = reserved.find(|part| is_slip(name, part))?;
    let is_in_template = |place: &Span| app.uri_templates.iter().any(|it| it.contains(*place));
    uses.iter().all(is_in_template).then_some(part)
}
