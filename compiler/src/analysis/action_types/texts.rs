//! The texts of an action's body, as visited for the passes over expressions.

use crate::model::Template;

/// What the text of a template is used for, as far as the inferred type depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TextType {
    Text,
    /// Compared with `true`.
    Boolean,
    /// Read as a number.
    Integer,
    /// A path, or the URI of one.
    Path,
    /// A URI of a file system or a service.
    Uri,
    /// A date as Oozie writes it.
    Date,
}

/// A visitor of texts.
pub(crate) struct TextVisitor<'f, 'a> {
    found: &'f mut dyn FnMut(TextType, &'a Template),
}

impl<'f, 'a> TextVisitor<'f, 'a> {
    pub(crate) fn new(found: &'f mut dyn FnMut(TextType, &'a Template)) -> TextVisitor<'f, 'a> {
        TextVisitor { found }
    }

    pub(super) fn push(&mut self, template: &'a Template, wanted: TextType) {
        (self.found)(wanted, template);
    }

    pub(super) fn text(&mut self, templates: impl IntoIterator<Item = &'a Template>) {
        self.wanted(TextType::Text, templates);
    }

    pub(super) fn paths(&mut self, templates: impl IntoIterator<Item = &'a Template>) {
        self.wanted(TextType::Path, templates);
    }

    pub(super) fn uris(&mut self, templates: impl IntoIterator<Item = &'a Template>) {
        self.wanted(TextType::Uri, templates);
    }

    pub(super) fn lists(&mut self, lists: &[&'a [Template]]) {
        for list in lists {
            self.text(*list);
        }
    }

    fn wanted(&mut self, wanted: TextType, templates: impl IntoIterator<Item = &'a Template>) {
        for template in templates {
            self.push(template, wanted);
        }
    }
}
