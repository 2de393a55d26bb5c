//! Holds a document against the tables of [`schema`](super::schema).
//!
//! One walk over the elements, before anything is lowered; it finds whatever Oozie's schema validation (E0701) would
//! find, in words of its own. Lowering then takes what is there and says nothing about what is missing.
//!
//! [`children`] decides whether the children of an element are as they must be, and [`explain`] says what is wrong where
//! they are not. The walk goes no deeper than the document, whose depth is limited.

use crate::{
    diagnostics::{IntoDiagnostic, Sink},
    lower::schema::{
        Alternative, ChildGroup, ContentModel, Member, SLA_PREFIX, Shape, Value, Version,
    },
    syntax::xml::Element,
};

pub(super) mod attribute_not_in_version;
mod attributes;
pub(crate) mod body;
mod character_data;
mod children;
pub(super) mod conflicting_elements;
pub(super) mod element_not_in_version;
mod explain;
pub(super) mod expression_in_name;
pub(super) mod features_missing_from_schema;
mod instance_type;
pub(super) mod invalid_node_name;
pub(super) mod invalid_value;
mod leaves;
pub(super) mod misplaced_element;
pub(super) mod missing_attribute;
pub(super) mod missing_element;
mod order;
pub(super) mod repeated_element;
pub(super) mod several_action_bodies;
pub(super) mod unexpected_text;
pub(super) mod unknown_action_type;
pub(super) mod unknown_attribute;
pub(super) mod unknown_element;
pub(super) mod unknown_retry_policies;
mod value;
pub(super) mod wrong_action_namespace;
pub(super) mod wrong_element_namespace;

use self::{character_data::CharacterData, unexpected_text::UnexpectedText};

pub(crate) use self::{body::action_body, unknown_element::listed, value::is_node_name};

/// What a document is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// What Oozie accepts, and what it would honor beyond its schemas.
    Compile,
    /// What an XML Schema validator accepts, and nothing else. The judge is libxml2, whose few departures from the
    /// standard are followed.
    SchemaOnly,
}

/// The schema that governs an element: its namespace, and what the tables know about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'n> {
    /// As it is written in the document; empty for none. That it is a wrong one has been reported.
    pub(crate) namespace: &'n str,
    /// The known namespace without its version.
    pub(crate) prefix: &'static str,
    /// The version to measure by; the newest where the document's is unknown.
    pub(crate) version: Version,
}

impl Scope<'_> {
    /// The namespace to speak of: the one whose rules are applied.
    fn known_namespace(self) -> String {
        format!("{}{}", self.prefix, self.version)
    }

    pub(crate) fn owns(self, element: &Element<'_>) -> bool {
        let namespace = namespace_of(element);
        // The reader keeps each namespace once, so that equal ones are nearly always the same.
        std::ptr::eq(namespace, self.namespace) || namespace == self.namespace
    }
}

/// The namespace of an element; empty for none.
pub(crate) fn namespace_of<'a>(element: &Element<'a>) -> &'a str {
    element.name.namespace().unwrap_or("")
}

/// Whether it stands for an SLA block.
pub(crate) fn is_sla(element: &Element<'_>) -> bool {
    namespace_of(element).starts_with(SLA_PREFIX)
}

/// Reports everything in the root, and below it, that its table does not allow. `text` is the document's.
pub(crate) fn check(
    root: &Element<'_>,
    shape: &'static Shape,
    scope: Scope<'_>,
    mode: Mode,
    text: &str,
    sink: &mut Sink,
) {
    let mut walk = DocumentWalk {
        mode,
        sections: match mode {
            Mode::Compile => None,
            Mode::SchemaOnly => CharacterData::in_document(text),
        },
        sink,
        n_emitted: 0,
    };
    let place = ElementPath {
        element: *root,
        outer: None,
    };
    walk.element(place, shape, scope);
}

/// The walk over one document.
struct DocumentWalk<'s, 't> {
    mode: Mode,
    /// The document's text, where CDATA sections matter and there are any.
    sections: Option<CharacterData<'t>>,
    sink: &'s mut Sink,
    n_emitted: usize,
}

/// An element with those around it.
#[derive(Clone, Copy)]
struct ElementPath<'p, 'a> {
    element: Element<'a>,
    outer: Option<&'p ElementPath<'p, 'a>>,
}

impl<'p, 'a> ElementPath<'p, 'a> {
    fn child(&'p self, element: &Element<'a>) -> ElementPath<'p, 'a> {
        ElementPath {
            element: *element,
            outer: Some(self),
        }
    }
}

impl DocumentWalk<'_, '_> {
    fn emit(&mut self, mistake: impl IntoDiagnostic) {
        self.n_emitted += 1;
        self.sink.emit(mistake);
    }

    fn is_available(&self, member: &Member, version: Version) -> bool {
        member.is_allowed(version)
            || (self.mode == Mode::Compile && member.availability.tolerated.contain(version))
    }

    fn element(&mut self, place: ElementPath<'_, '_>, shape: &'static Shape, scope: Scope<'_>) {
        let element = &place.element;
        let mut shape = shape;
        // Most elements are a name and a text.
        if !element.has_no_attributes() || !shape.attributes.is_empty() {
            shape = self.shape_of_instance(place, shape, scope);
            self.attributes(element, shape, scope);
        }
        match shape.content {
            ContentModel::Text(value) => {
                for child in element.elements() {
                    self.report_unknown(&child, element, &[], scope);
                }
                if value != Value::Any {
                    self.text(element, value);
                }
            }
            ContentModel::Elements(groups) => {
                let is_empty = !groups
                    .iter()
                    .any(|group| self.has_member(group, scope.version));
                self.character_data(element, is_empty);
                self.children(place, groups, scope);
            }
        }
    }

    fn has_member(&self, group: &'static ChildGroup, version: Version) -> bool {
        group
            .alternatives()
            .iter()
            .any(|alternative| match alternative {
                Alternative::Element(member) => self.is_available(member, version),
                Alternative::Sequence(groups) => {
                    groups.iter().any(|group| self.has_member(group, version))
                }
            })
    }

    fn text(&mut self, element: &Element<'_>, value: Value) {
        // Of the text of elements only numbers are limited; blanks around them are XML Schema's to pass over, and
        // libxml2's to refuse.
        let text = match self.mode {
            Mode::Compile => element.trimmed_text(),
            Mode::SchemaOnly => element.text(),
        };
        let subject = value::ValueSubject::Element(element.name.local);
        self.value(value, subject, &text, text.span());
    }

    /// Reports text in an element that holds only other elements, or nothing at all.
    fn character_data(&mut self, element: &Element<'_>, is_empty: bool) {
        let stray = element.stray_text();
        // Not even a blank may be in an element without content.
        let run = stray.or_else(|| element.text_runs().next().filter(|_| is_empty));
        let section = || {
            self.sections
                .and_then(|sections| sections.first_in(element))
        };
        let Some(text) = run.map(|run| run.span()).or_else(section) else {
            return;
        };
        self.emit(UnexpectedText {
            parent: element.name.local.to_owned(),
            text,
            is_empty,
            is_blank: stray.is_none(),
        });
    }
}
