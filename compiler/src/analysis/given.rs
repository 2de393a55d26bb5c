//! The properties that the user passes to the compiler with `-c` and `-D`.

use std::{
    collections::{BTreeMap, btree_map},
    ops::{Deref, DerefMut},
    sync::Arc,
};

use hpdlc_core::{coordinator::ControlSettings, time::ProcessingZone};

use crate::source::Span;

/// Properties that a job always has: Oozie's client sets them, or rejects the submission.
pub(super) const ALWAYS_GIVEN: [&str; 2] = ["oozie.wf.application.path", "user.name"];

/// What is known of the properties that a job will be given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobProperties {
    /// There will be no other properties, so one that is read and not given is a mistake. False without `-c`, and for a
    /// sub-workflow whose parent decides which properties it receives.
    pub is_complete: bool,
    /// By name, as written: references to other properties are not substituted yet.
    pub properties: GivenProperties,
    /// The processing time zone of the site's settings, UTC if they do not specify one; `None` if there are no settings.
    pub zone: Option<ProcessingZone>,
    /// The site's settings for the controls of coordinators; `None` if there are no settings.
    pub controls: Option<ControlSettings>,
}

/// Properties by name. There may be a million, so copies share them until one is modified (copy-on-write).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenProperties(Arc<BTreeMap<String, GivenProperty>>);

impl Deref for GivenProperties {
    type Target = BTreeMap<String, GivenProperty>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for GivenProperties {
    fn deref_mut(&mut self) -> &mut Self::Target {
        Arc::make_mut(&mut self.0)
    }
}

impl From<BTreeMap<String, GivenProperty>> for GivenProperties {
    fn from(properties: BTreeMap<String, GivenProperty>) -> GivenProperties {
        GivenProperties(Arc::new(properties))
    }
}

impl FromIterator<(String, GivenProperty)> for GivenProperties {
    fn from_iter<I: IntoIterator<Item = (String, GivenProperty)>>(properties: I) -> Self {
        BTreeMap::from_iter(properties).into()
    }
}

impl<'a> IntoIterator for &'a GivenProperties {
    type Item = (&'a String, &'a GivenProperty);
    type IntoIter = btree_map::Iter<'a, String, GivenProperty>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl GivenProperties {
    /// The properties that satisfy the predicate.
    #[must_use]
    pub fn only(&self, is_wanted: impl Fn(&str, &GivenProperty) -> bool) -> GivenProperties {
        let wanted = self
            .iter()
            .filter(|(name, property)| is_wanted(name.as_str(), property));
        wanted
            .map(|(name, property)| (name.clone(), property.clone()))
            .collect()
    }
}

/// One given property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenProperty {
    pub value: String,
    /// The span of the name in its file; `None` for a property of the command line.
    pub span: Option<Span>,
}

impl JobProperties {
    /// The value of a property, as written.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.properties
            .get(name)
            .map(|property| property.value.as_str())
    }

    /// The same, without values that depend on unknown ones.
    pub fn known(&self) -> JobProperties {
        JobProperties {
            properties: self
                .properties
                .only(|_, property| !property.value.contains("${")),
            ..*self
        }
    }

    /// Whether a job will have the property, given by the user or always present.
    pub(super) fn has(&self, name: &str) -> bool {
        self.properties.contains_key(name) || ALWAYS_GIVEN.contains(&name)
    }

    /// The span of the property's name, if it is in a file.
    pub(super) fn span(&self, name: &str) -> Option<Span> {
        self.properties.get(name).and_then(|property| property.span)
    }
}
