//! The list of all vocabularies, and lookups of the [`Vocabulary`] of a namespace or an element.

use std::{collections::BTreeMap, sync::OnceLock};

use super::{
    Version, bundle::BUNDLE, coordinator::COORDINATOR, extensions::EXTENSIONS, sla::SLA,
    vocabulary::Vocabulary, workflow::WORKFLOW,
};

static LANGUAGES: [&Vocabulary; 4] = [&WORKFLOW, &COORDINATOR, &BUNDLE, &SLA];

impl Vocabulary {
    /// All vocabularies.
    pub(crate) fn all() -> impl Iterator<Item = &'static Vocabulary> {
        LANGUAGES.into_iter().chain(EXTENSIONS.iter().copied())
    }

    /// The one whose documents have a root of that name, or else the one of the namespace, in any version.
    pub(crate) fn of_document(namespace: &str, local: &str) -> Option<&'static Vocabulary> {
        let documents = [&WORKFLOW, &COORDINATOR, &BUNDLE];
        let named = documents
            .into_iter()
            .find(|vocabulary| vocabulary.element == local);
        named.or_else(|| {
            documents
                .into_iter()
                .find(|vocabulary| namespace.starts_with(vocabulary.prefix))
        })
    }

    /// The action type with a schema of its own whose body has that name.
    pub(crate) fn of_body(local: &str) -> Option<&'static Vocabulary> {
        EXTENSIONS
            .iter()
            .copied()
            .find(|extension| extension.element == local)
    }

    /// The vocabulary of the namespace, with its version.
    pub(crate) fn of_namespace(namespace: &str) -> Option<(&'static Vocabulary, Version)> {
        Vocabulary::all().find_map(|vocabulary| Some((vocabulary, vocabulary.version(namespace)?)))
    }
}

/// The names of the elements that may contain an element called `local`, sorted; empty if no schema defines the name.
pub(crate) fn parents_of(local: &str) -> Vec<&'static str> {
    let holders = holders().get(local);
    holders.map_or_else(Vec::new, |holders| holders.keys().copied().collect())
}

/// The newest namespace of each schema in which an element called `parent` may contain one called `local`.
pub(crate) fn namespaces_with(local: &str, parent: &str) -> Vec<String> {
    let vocabularies = holders().get(local).and_then(|it| it.get(parent));
    let vocabularies = vocabularies.into_iter().flatten();
    vocabularies
        .map(|vocabulary| format!("{}{}", vocabulary.prefix, vocabulary.newest()))
        .collect()
}

/// By the name of an element, the names of its possible parents, with the vocabularies that define them.
type Holders = BTreeMap<&'static str, BTreeMap<&'static str, Vec<&'static Vocabulary>>>;

/// Computed once: a document may need it a million times.
fn holders() -> &'static Holders {
    static HOLDERS: OnceLock<Holders> = OnceLock::new();
    HOLDERS.get_or_init(|| {
        let mut holders = Holders::new();
        for vocabulary in Vocabulary::all() {
            vocabulary.for_each_shape(&mut |parent, shape| {
                for member in shape.groups().iter().flat_map(|group| group.members()) {
                    let Some(local) = member.name() else { continue };
                    let with = holders.entry(local).or_default().entry(parent).or_default();
                    if !with
                        .last()
                        .is_some_and(|last| std::ptr::eq(*last, vocabulary))
                    {
                        with.push(vocabulary);
                    }
                }
            });
        }
        holders
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::schema::Versions;

    #[test]
    fn no_shape_has_a_name_at_two_places_of_one_version() {
        let mut n_shapes = 0;
        for vocabulary in Vocabulary::all() {
            vocabulary.for_each_shape(&mut |parent, shape| {
                n_shapes += 1;
                let members = shape.groups().iter().flat_map(|group| group.members());
                let named =
                    members.filter_map(|member| Some((member.name()?, member.availability)));
                let mut seen: Vec<(&str, Versions)> = Vec::new();
                for (name, availability) in named {
                    let Versions { first, last } = availability.allowed;
                    let is_new = seen.iter().all(|(other, versions)| {
                        *other != name || versions.last < first || last < versions.first
                    });
                    assert!(is_new, "`{name}` in `{parent}`");
                    seen.push((name, availability.allowed));
                }
            });
        }
        assert!(n_shapes > 100, "{n_shapes}");
    }

    #[test]
    fn parents_are_found_in_all_schemas() {
        assert_eq!(parents_of("case"), ["switch"]);
        assert_eq!(parents_of("uri-template"), ["async-dataset", "dataset"]);
        assert_eq!(parents_of("http-url"), ["http"]);
        assert_eq!(parents_of("nothing"), Vec::<&str>::new());
    }

    #[test]
    fn an_element_is_found_in_another_schema() {
        let email = ["uri:oozie:email-action:0.2"];
        assert_eq!(namespaces_with("body", "email"), email);
        assert_eq!(namespaces_with("ok", "action"), ["uri:oozie:workflow:1.0"]);
        assert_eq!(namespaces_with("ok", "email"), Vec::<String>::new());
    }

    #[test]
    fn namespaces_lead_to_their_vocabularies() {
        for (namespace, element) in [
            ("uri:oozie:workflow:0.2.5", Some("workflow-app")),
            ("uri:oozie:hive2-action:0.2", Some("hive2")),
            ("uri:oozie:sla:0.1", Some("info")),
            ("uri:oozie:sla:0.3", None),
            ("", None),
        ] {
            let found = Vocabulary::of_namespace(namespace);
            assert_eq!(found.map(|(vocabulary, _)| vocabulary.element), element);
        }
    }
}
