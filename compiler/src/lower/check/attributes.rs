//! Attributes: which there are, which are missing, and what they hold.

use crate::{
    diagnostics::{Sink, nearest},
    lower::{
        check::{
            Scope, attribute_not_in_version::AttributeNotInVersion,
            features_missing_from_schema::FeatureMissingFromSchema,
            missing_attribute::MissingAttribute, unknown_attribute::UnknownAttribute, value,
        },
        schema::{AttributeRule, Shape, Value},
    },
    source::Spanned,
    syntax::xml::{Attribute, Element},
};

/// The namespace of `xsi:schemaLocation` and its kin.
const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Reports what is wrong with the attributes of `element`.
pub(super) fn check(element: &Element<'_>, shape: &Shape, scope: Scope<'_>, sink: &mut Sink) {
    if shape.attributes.is_empty() && element.has_no_attributes() {
        // Most elements: nothing is there, and nothing should be.
        return;
    }
    let parent = element.name.local;
    for attribute in element.attributes() {
        // `xsi:schemaLocation` and its kin are allowed at every element.
        if attribute.name.namespace() == Some(SCHEMA_INSTANCE) {
            continue;
        }
        let rule = shape
            .attributes
            .iter()
            .find(|rule| rule.name == attribute.name.local && attribute.name.namespace().is_none());
        let Some(rule) = rule else {
            report_unknown_attribute(&attribute, element, shape, scope, sink);
            continue;
        };
        if rule.availability.tolerated.contain(scope.version) {
            sink.emit(FeatureMissingFromSchema {
                what: format!("the `{}` attribute", rule.name),
                place: attribute.name_span,
                version: scope.known_namespace(),
                available: rule.availability.allowed.describe(scope.prefix),
            });
        } else if !rule.availability.allowed.contain(scope.version) {
            sink.emit(AttributeNotInVersion {
                parent: parent.to_owned(),
                name: Spanned::new(rule.name.to_owned(), attribute.name_span),
                version: scope.known_namespace(),
                available: rule.availability.allowed.describe(scope.prefix),
            });
        }
        if rule.value != Value::Any {
            value::check(
                rule.value,
                value::Subject::Attribute(rule.name),
                &attribute.value,
                attribute.value_span,
                sink,
            );
        }
    }
    let is_missing =
        |rule: &&AttributeRule| rule.is_required && element.attribute(rule.name).is_none();
    for rule in shape.attributes.iter().filter(is_missing) {
        let is_meant = element.attributes().any(|attribute| {
            nearest(attribute.name.local, attribute_names(shape, scope)) == Some(rule.name)
        });
        if !is_meant {
            sink.emit(MissingAttribute {
                parent: Spanned::new(parent.to_owned(), element.name_span),
                name: rule.name,
                insertion: element.attribute_insertion(),
            });
        }
    }
}

fn report_unknown_attribute(
    attribute: &Attribute<'_>,
    element: &Element<'_>,
    shape: &Shape,
    scope: Scope<'_>,
    sink: &mut Sink,
) {
    let is_free = |name: &&'static str| element.attribute(name).is_none();
    sink.emit(UnknownAttribute {
        parent: element.name.local.to_owned(),
        name: Spanned::new(attribute.name.qualified(), attribute.name_span),
        similar: attribute_names(shape, scope)
            .filter(is_free)
            .filter(|name| nearest(attribute.name.local, [*name]).is_some())
            .min(),
        allowed: attribute_names(shape, scope).collect(),
    });
}

fn attribute_names(shape: &Shape, scope: Scope<'_>) -> impl Iterator<Item = &'static str> + use<> {
    let attributes = shape.attributes;
    attributes
        .iter()
        .filter(move |rule| rule.availability.allowed.contain(scope.version))
        .map(|rule| rule.name)
}
