//! The namespaces that the published schemas define, and the possible roots of each.

use super::{ElementShape, Version, Versions};

/// The namespaces of one language, which differ only in their versions.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// The element that the language defines: the root of its documents, or an action's body.
    pub(crate) element: &'static str,
    pub(crate) shape: &'static ElementShape,
    /// The namespace without its version.
    pub(crate) prefix: &'static str,
    /// Oldest first; never empty.
    pub(crate) versions: &'static [Version],
    /// Other elements that its schemas declare globally.
    pub(crate) others: &'static [GlobalElement],
}

/// A globally declared element: an XML Schema validator accepts it as the root of a document, or wherever any element of its
/// namespace is allowed.
#[derive(Debug)]
pub(crate) struct GlobalElement {
    pub(crate) name: &'static str,
    pub(crate) shape: &'static ElementShape,
    pub(crate) versions: Versions,
}

impl Vocabulary {
    /// "workflow".
    pub(crate) fn kind(&self) -> &'static str {
        self.element.trim_end_matches("-app")
    }

    /// Whether Oozie accepts an element of that name as the root of a document: an application, or datasets to include.
    pub(crate) fn is_document(&self, local: &str) -> bool {
        self.element.ends_with("-app") && (self.element == local || local == "datasets")
    }

    /// The shape of an element that the schema of `version` declares globally.
    pub(crate) fn global(
        &'static self,
        local: &str,
        version: Version,
    ) -> Option<&'static ElementShape> {
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

    /// Visits every element of its table, once for each path to it that does not repeat a shape.
    pub(crate) fn for_each_shape(
        &'static self,
        show: &mut impl FnMut(&'static str, &'static ElementShape),
    ) {
        fn below(
            name: &'static str,
            shape: &'static ElementShape,
            path: &mut Vec<&'static ElementShape>,
            show: &mut impl FnMut(&'static str, &'static ElementShape),
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
