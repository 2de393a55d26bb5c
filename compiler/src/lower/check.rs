//! Validates a document against the tables of [`schema`](super::schema).
//!
//! One traversal of the elements, before anything is lowered; it finds everything that Oozie's schema validation (E0701)
//! would find, with its own messages. Lowering then takes what is there and does not report what is missing.
//!
//! [`children`] determines whether the children of an element are valid, and [`explain`] reports what is wrong if they are
//! not. The recursion is no deeper than the document, whose depth is limited.

use crate::{
    diagnostics::{IntoDiagnostic, Sink},
    lower::schema::{
        Alternative, ChildGroup, ContentModel, ElementShape, Extensions, Member, SLA_PREFIX,
        SimpleType, Version,
    },
    syntax::xml::Element,
};

pub(super) mod attribute_not_in_version;
mod attributes;
pub(crate) mod body;
mod character_data;
mod children;
pub(super) mod conflicting_elements;
pub(super) mod custom_action_type;
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

/// What a document is validated against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckMode {
    /// What Oozie accepts, and what it would honor beyond its schemas.
    Compile,
    /// What an XML Schema validator accepts, and nothing else. The reference is libxml2, including its few deviations from
    /// the standard.
    SchemaOnly,
}

/// The schema that applies to an element: its namespace, and what the tables know about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'n> {
    /// As written in the document; empty for none. If it is wrong, that has been reported.
    pub(crate) namespace: &'n str,
    /// The known namespace without its version.
    pub(crate) prefix: &'static str,
    /// The version whose rules apply; the newest if the document's is unknown.
    pub(crate) version: Version,
    /// The extensions whose action types may be used.
    pub(crate) extensions: Extensions,
}

impl Scope<'_> {
    /// The namespace for messages: the one whose rules are applied.
    fn known_namespace(self) -> String {
        format!("{}{}", self.prefix, self.version)
    }

    pub(crate) fn owns(self, element: &Element<'_>) -> bool {
        let namespace = namespace_of(element);
        // The parser interns namespaces, so that equal ones nearly always have the same address.
        std::ptr::eq(namespace, self.namespace) || namespace == self.namespace
    }
}

/// The namespace of an element; empty for none.
pub(crate) fn namespace_of<'a>(element: &Element<'a>) -> &'a str {
    element.name.namespace().unwrap_or("")
}

/// Whether it is an SLA block.
pub(crate) fn is_sla(element: &Element<'_>) -> bool {
    namespace_of(element).starts_with(SLA_PREFIX)
}

/// Reports everything in the root, and below it, that its table does not allow. `text` is the source of the document.
pub(crate) fn check(
    root: &Element<'_>,
    shape: &'static ElementShape,
    scope: Scope<'_>,
    mode: CheckMode,
    text: &str,
    sink: &mut Sink,
) {
    let mut walk = DocumentWalk {
        mode,
        sections: match mode {
            CheckMode::Compile => None,
            CheckMode::SchemaOnly => CharacterData::in_document(text),
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

/// The traversal of one document.
struct DocumentWalk<'s, 't> {
    mode: CheckMode,
    /// The source of the document, if CDATA sections matter and there are any.
    sections: Option<CharacterData<'t>>,
    sink: &'s mut Sink,
    n_emitted: usize,
}

/// An element with its ancestors.
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
            || (self.mode == CheckMode::Compile && member.availability.tolerated.contain(version))
    }

    fn element(
        &mut self,
        place: ElementPath<'_, '_>,
        shape: &'static ElementShape,
        scope: Scope<'_>,
    ) {
        let element = &place.element;
        let mut shape = shape;
        // Most elements have only a name and a text.
        if !element.has_no_attributes() || !shape.attributes.is_empty() {
            shape = self.shape_of_instance(place, shape, scope);
            self.attributes(element, shape, scope);
        }
        match shape.content {
            ContentModel::Text(value) => {
                for child in element.elements() {
                    self.report_unknown(&child, element, &[], scope);
                }
                if value != SimpleType::Any {
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

    fn text(&mut self, element: &Element<'_>, value: SimpleType) {
        // Of the text of elements only numbers are restricted; surrounding blanks are ignored by XML Schema, and rejected by
        // libxml2.
        let text = match self.mode {
            CheckMode::Compile => element.trimmed_text(),
            CheckMode::SchemaOnly => element.text(),
        };
        let subject = value::ValueSubject::Element(element.name.local);
        self.value(value, subject, &text, text.span());
    }

    /// Reports text in an element that may contain only elements, or nothing at all.
    fn character_data(&mut self, element: &Element<'_>, is_empty: bool) {
        let stray = element.stray_text();
        // An element without content may not even contain a blank.
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
