//! Values of properties that do not fit their uses.

use std::collections::BTreeMap;

use hpdlc_core::substitute;

use super::{
    DocumentProperties, default_of,
    malformed_property::{self, MalformedProperty},
    reads::{PropertyRead, TypeHint},
    wanted_type,
};
use crate::{
    analysis::given::JobProperties, diagnostics::Sink, lints::malformed_defaults::MalformedDefault,
    source::Span,
};

/// Reports values, of given properties and of defaults, that are not of the type that the uses of the property require.
pub(super) fn report(
    given: &JobProperties,
    app: &DocumentProperties<'_>,
    defaults: &BTreeMap<&str, &str>,
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    sink: &mut Sink,
) {
    let mut values: BTreeMap<&str, &str> = BTreeMap::new();
    for parameter in app.parameters {
        if let Some(default) = default_of(parameter) {
            values.insert(&parameter.name.value, default);
        }
    }
    values.extend(defaults);
    for (name, property) in &given.properties {
        values.insert(name, &property.value);
    }
    if values.is_empty() {
        return;
    }
    let pairs = values.iter().map(|(name, value)| (*name, *value));
    let Ok(changed) = substitute::resolve_changed(pairs, |name| values.get(name).copied()) else {
        return;
    };
    for (name, reads) in reads {
        let value = match changed.get(name) {
            Some(value) => Some(value.as_str()),
            None => values.get(name.as_str()).copied(),
        };
        let Some(value) = value.filter(|value| !value.contains("${")) else {
            continue;
        };
        // Uses that may not be evaluated are not considered.
        let needed: Vec<&PropertyRead> = reads.iter().filter(|read| !read.is_optional).collect();
        let wanted = wanted_type(needed.iter().copied());
        if malformed_property::takes(wanted, value) {
            continue;
        }
        let tells = |read: &&&PropertyRead| read.hint.is_some_and(|hint| hint != TypeHint::Text);
        let used = needed.iter().filter(tells).map(|read| read.span).min();
        let is_given = given.properties.contains_key(name);
        let place = if is_given {
            given.span(name)
        } else {
            default_place(app, name)
        };
        let (Some(place), Some(used)) = (place.or(used), used) else {
            continue;
        };
        if is_given || given.is_complete {
            sink.emit(MalformedProperty {
                name: name.clone(),
                value: value.trim().to_owned(),
                wanted,
                place,
                used,
            });
        } else {
            sink.emit(MalformedDefault {
                what: format!("property `{name}`"),
                wanted: malformed_property::form_of(wanted),
                value: value.trim().to_owned(),
                place,
                used: Some(used),
            });
        }
    }
}

/// Where the default of a property is defined.
fn default_place(app: &DocumentProperties<'_>, name: &str) -> Option<Span> {
    let configured = app
        .config_default
        .iter()
        .rfind(|property| property.name.literal() == Some(name) && !property.value.text.is_empty())
        .map(|property| property.value.span);
    configured.or_else(|| {
        app.parameters
            .iter()
            .find(|parameter| parameter.name.value == name)
            .and_then(|parameter| Some(parameter.default.as_ref()?.span))
    })
}
