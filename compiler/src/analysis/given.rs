//! The properties that the user gives to the compiler with `-c` and `-D`.

use std::{
    collections::{BTreeMap, btree_map},
    ops::{Deref, DerefMut},
    sync::Arc,
};

use hpdlc_core::{coordinator::ControlSettings, time::ProcessingZone};

use crate::source::Span;

/// Properties that a job always has: Oozie's client sets them, or refuses to submit.
pub(super) const ALWAYS_GIVEN: [&str; 2] = ["oozie.wf.application.path", "user.name"];

/// What is known of the properties that a job will be given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobProperties {
    /// No other property will be there, so one that is read and not given is a mistake. False without `-c`, and for a
    /// sub-workflow whose parent decides what it gets.
    pub is_complete: bool,
    /// By name, as written: references to other properties are not substituted yet.
    pub properties: GivenProperties,
    /// The processing time zone that the site's settings say, UTC where they say none; nothing where there are no settings.
    pub zone: Option<ProcessingZone>,
    /// What the site's settings say of the controls of coordinators; nothing where there are no settings.
    pub controls: Option<ControlSettings>,
}

/// Properties by name. There may be a million, so that copies share them until one changes.
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
    /// Those of which that holds.
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
    /// The name in its file; absent for one of the command line.
    pub span: Option<Span>,
}

impl JobProperties {
    /// The value of a property as it is written.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.properties
            .get(name)
            .map(|property| property.value.as_str())
    }

    /// The same, without values that depend on what is not known.
    pub fn known(&self) -> JobProperties {
        JobProperties {
            properties: self
                .properties
                .only(|_, property| !property.value.contains("${")),
            ..*self
        }
    }

    /// Whether a job will have the property, by what the user gave or by itself.
    pub(super) fn has(&self, name: &str) -> bool {
        self.properties.contains_key(name) || ALWAYS_GIVEN.contains(&name)
    }

    /// The place of the property's name, where it is in a file.
    pub(super) fn span(&self, name: &str) -> Option<Span> {
        self.properties.get(name).and_then(|property| property.span)
    }
}
