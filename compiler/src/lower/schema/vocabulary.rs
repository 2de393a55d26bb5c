//! The namespaces that the published schemas define, and what can stand alone in each.

use std::{collections::BTreeMap, sync::OnceLock};

use super::{Shape, Version, Versions, extensions::EXTENSIONS};
use super::{bundle::BUNDLE, coordinator::COORDINATOR, sla::SLA, workflow::WORKFLOW};

/// The namespaces of one language, which differ in their versions.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// The element that the language is for: the root of its documents, or an action's body.
    pub(crate) element: &'static str,
    pub(crate) shape: &'static Shape,
    /// The namespace without its version.
    pub(crate) prefix: &'static str,
    /// Oldest first; never empty.
    pub(crate) versions: &'static [Version],
    /// What else its schemas declare outside any type.
    pub(crate) others: &'static [Global],
}

/// An element that an XML Schema validator takes for the root of a document, or wherever any element of its namespace
/// may stand.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) name: &'static str,
    pub(crate) shape: &'static Shape,
    pub(crate) versions: Versions,
}

static LANGUAGES: [&Vocabulary; 4] = [&WORKFLOW, &COORDINATOR, &BUNDLE, &SLA];

impl Vocabulary {
    /// Every one there is.
    pub(crate) fn all() -> impl Iterator<Item = &'static Vocabulary> {
        LANGUAGES.into_iter().chain(EXTENSIONS)
    }

    /// The one whose documents have a root of that name, or else that the namespace belongs to, whatever its version.
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

    /// "workflow".
    pub(crate) fn kind(&self) -> &'static str {
        self.element.trim_end_matches("-app")
    }

    /// Whether Oozie takes an element of that name for the root of a document: an application, or datasets to include.
    pub(crate) fn is_document(&self, local: &str) -> bool {
        self.element.ends_with("-app") && (self.element == local || local == "datasets")
    }

    /// The action type with a schema of its own whose body has that name.
    pub(crate) fn of_body(local: &str) -> Option<&'static Vocabulary> {
        EXTENSIONS
            .into_iter()
            .find(|extension| extension.element == local)
    }

    /// The action type that the namespace belongs to, whatever its version.
    pub(crate) fn of_action_namespace(namespace: &str) -> Option<&'static Vocabulary> {
        EXTENSIONS
            .into_iter()
            .find(|extension| namespace.starts_with(extension.prefix))
    }

    /// The one that has the namespace, with its version.
    pub(crate) fn of_namespace(namespace: &str) -> Option<(&'static Vocabulary, Version)> {
        Vocabulary::all().find_map(|vocabulary| Some((vocabulary, vocabulary.version(namespace)?)))
    }

    /// The shape of an element that the schema of `version` declares outside any type.
    pub(crate) fn global(&'static self, local: &str, version: Version) -> Option<&'static Shape> {
        if self.element == local {
            return Some(self.shape);
        }
        self.others
            .iter()
            .find(|global| global.name == local && global.versions.contain(version))
            .map(|global| global.shape)
    }

    /// The version of one of its namespaces.
    pub(crate) fn version(&self, namespace: &str) -> Option<Version> {
        let version = Version::parse(namespace.strip_prefix(self.prefix)?)?;
        self.versions.contains(&version).then_some(version)
    }

    pub(crate) fn newest(&self) -> Version {
        *self
            .versions
            .last()
            .expect("the table gives each vocabulary a version")
    }

    /// All namespaces, oldest first.
    pub(crate) fn namespaces(&self) -> Vec<String> {
        self.versions
            .iter()
            .map(|version| format!("{}{version}", self.prefix))
            .collect()
    }
}

/// The names of the elements that may hold an element called `local`, sorted; empty where no schema knows the name.
pub(crate) fn parents_of(local: &str) -> Vec<&'static str> {
    let holders = holders().get(local);
    holders.map_or_else(Vec::new, |holders| holders.keys().copied().collect())
}

/// The newest namespace of each schema in which an element called `parent` may hold one called `local`.
pub(crate) fn namespaces_with(local: &str, parent: &str) -> Vec<String> {
    let vocabularies = holders().get(local).and_then(|it| it.get(parent));
    let vocabularies = vocabularies.into_iter().flatten();
    vocabularies
        .map(|vocabulary| format!("{}{}", vocabulary.prefix, vocabulary.newest()))
        .collect()
}

/// By the name of an element, the names of those that may hold it, with the vocabularies in which they do.
type Holders = BTreeMap<&'static str, BTreeMap<&'static str, Vec<&'static Vocabulary>>>;

/// Found once: a document may ask a million times.
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

impl Vocabulary {
    /// Shows every element of its table, once for each way to it that does not repeat a shape.
    pub(crate) fn for_each_shape(
        &'static self,
        show: &mut impl FnMut(&'static str, &'static Shape),
    ) {
        fn below(
            name: &'static str,
            shape: &'static Shape,
            path: &mut Vec<&'static Shape>,
            show: &mut impl FnMut(&'static str, &'static Shape),
        ) {
            if path.iter().any(|outer| std::ptr::eq(*outer, shape)) {
                return;
            }
            show(name, shape);
            path.push(shape);
            for member in shape.groups().iter().flat_map(|group| group.members()) {
                if let Some(name) = member.name() {
                    below(name, member.shape, path, show);
                }
            }
            path.pop();
        }
        below(self.element, self.shape, &mut Vec::new(), show);
        for global in self.others {
            below(global.name, global.shape, &mut Vec::new(), show);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
