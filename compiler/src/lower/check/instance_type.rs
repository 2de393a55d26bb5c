//! `xsi:type`: an element may specify its type, or one derived from it.
//!
//! The schemas derive nothing from their own complex types, which leaves the type itself, and for texts the types of XML
//! Schema and of the schemas that are derived from `xs:string`.

use crate::{
    lower::{
        check::{
            CheckMode, DocumentWalk, ElementPath, Scope, attributes::SCHEMA_INSTANCE,
            invalid_value::InvalidValue, value,
        },
        schema::{
            BUNDLE, CASE, COORDINATOR, ContentModel, ElementShape, HTTP_POST, SimpleType, TypeName,
            Vocabulary, WORKFLOW,
        },
    },
    source::Spanned,
    syntax::xml::{Attribute, Element},
};

const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";

static NODE_NAME: ElementShape = ElementShape::text(SimpleType::NodeName);
static DATA_NAME: ElementShape = ElementShape::text(SimpleType::DataName);

impl DocumentWalk<'_, '_> {
    /// The shape that applies to an element: the given one, or that of its `xsi:type`. Reports a type that the element
    /// cannot have.
    pub(super) fn shape_of_instance(
        &mut self,
        place: ElementPath<'_, '_>,
        shape: &'static ElementShape,
        scope: Scope<'_>,
    ) -> &'static ElementShape {
        let element = &place.element;
        let Some(attribute) = type_attribute(element) else {
            return shape;
        };
        let written = attribute.value.as_str();
        let name = match self.mode {
            CheckMode::Compile => value::trimmed(written),
            CheckMode::SchemaOnly => written,
        };
        let (prefix, local) = match name.split_once(':') {
            Some((prefix, local)) => (Some(prefix), local),
            None => (None, name),
        };
        let found = namespace(place, prefix)
            .and_then(|namespace| self.derived(element, shape, scope, &namespace, local));
        found.unwrap_or_else(|| {
            self.emit(InvalidValue {
                subject: format!("the `{}` attribute", attribute.name.qualified()),
                found: Spanned::new(written.to_owned(), attribute.value_span),
                expected: "the type that the schema gives the element",
                refuses_expressions: false,
            });
            shape
        })
    }

    /// The shape of a type that is derived from that of an element of `shape`.
    fn derived(
        &self,
        element: &Element<'_>,
        shape: &'static ElementShape,
        scope: Scope<'_>,
        namespace: &str,
        local: &str,
    ) -> Option<&'static ElementShape> {
        let is_own = match shape.type_name {
            TypeName::OfElement => local == element.name.local.to_ascii_uppercase(),
            TypeName::Named(name) => local == name,
            TypeName::None => false,
        };
        if is_own && namespace == scope.namespace {
            return Some(shape);
        }
        if shape.type_name != TypeName::None {
            return None;
        }
        let text = || element.text();
        match shape.content {
            ContentModel::Elements(_) => None,
            ContentModel::Text(SimpleType::UnsignedInt) if namespace == XML_SCHEMA => match local {
                "unsignedInt" => Some(shape),
                "unsignedShort" if self.is_number::<u16>(text().as_str()) => Some(shape),
                "unsignedByte" if self.is_number::<u8>(text().as_str()) => Some(shape),
                _ => None,
            },
            ContentModel::Text(SimpleType::Any) if namespace == XML_SCHEMA => {
                let text = text();
                let word = value::trimmed(text.as_str());
                let is_valid = match local {
                    "string" | "normalizedString" | "token" => true,
                    "language" => is_language(word),
                    "NMTOKEN" => !word.is_empty() && word.chars().all(is_name_character),
                    "Name" => is_name(word),
                    "NCName" | "ID" | "IDREF" => is_name(word) && !word.contains(':'),
                    _ => false,
                };
                is_valid.then_some(shape)
            }
            ContentModel::Text(SimpleType::Any) => type_from_string(namespace, local),
            ContentModel::Text(_) => None,
        }
    }
}

/// The types of the schemas that are derived from `xs:string`.
fn type_from_string(namespace: &str, local: &str) -> Option<&'static ElementShape> {
    let (vocabulary, version) = Vocabulary::of_namespace(namespace)?;
    let is = |other: &'static Vocabulary| std::ptr::eq(vocabulary, other);
    match local {
        "IDENTIFIER" if is(&WORKFLOW) => Some(&NODE_NAME),
        "IDENTIFIER" if is(&COORDINATOR) || is(&BUNDLE) => Some(&DATA_NAME),
        "CASE" if is(&WORKFLOW) => Some(&CASE),
        "HTTP-POST" if is(&WORKFLOW) && Some(&version) == WORKFLOW.versions.first() => {
            Some(&HTTP_POST)
        }
        _ => None,
    }
}

fn type_attribute<'a>(element: &Element<'a>) -> Option<Attribute<'a>> {
    element.attributes().find(|attribute| {
        attribute.name.local == "type" && attribute.name.namespace() == Some(SCHEMA_INSTANCE)
    })
}

/// The namespace of a prefix at an element; empty for no namespace, `None` for an undeclared prefix.
fn namespace(place: ElementPath<'_, '_>, prefix: Option<&str>) -> Option<String> {
    let mut next = Some(place);
    while let Some(ElementPath { element, outer }) = next {
        let declared = element.declarations().find(|declaration| match prefix {
            Some(prefix) => declaration.name.prefix().is_some() && declaration.name.local == prefix,
            None => declaration.name.prefix().is_none(),
        });
        if let Some(declaration) = declared {
            return Some(declaration.value.into_string());
        }
        next = outer.copied();
    }
    prefix.is_none().then(String::new)
}

/// Whether it has the form of `en-US`.
fn is_language(word: &str) -> bool {
    word.split('-').enumerate().all(|(index, part)| {
        (1..=8).contains(&part.len())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || (index > 0 && byte.is_ascii_digit()))
    })
}

/// Whether it has the form of an XML name.
fn is_name(word: &str) -> bool {
    let is_start = |first: char| first.is_alphabetic() || matches!(first, '_' | ':');
    word.starts_with(is_start) && word.chars().all(is_name_character)
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.' | '·' | '\u{300}'..='\u{36f}')
}
