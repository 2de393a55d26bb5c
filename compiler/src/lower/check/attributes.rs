//! Attributes: unknown ones, missing ones, and their values.

use crate::{
    diagnostics::nearest,
    lower::{
        check::{
            CheckMode, DocumentWalk, Scope, attribute_not_in_version::AttributeNotInVersion,
            features_missing_from_schema::FeatureMissingFromSchema,
            missing_attribute::MissingAttribute, unknown_attribute::UnknownAttribute, value,
        },
        schema::{ACTION, AttributeRule, ElementShape, SimpleType},
    },
    source::Spanned,
    syntax::xml::{Attribute, Element},
};

/// The namespace of `xsi:schemaLocation` and similar attributes.
pub(super) const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

impl DocumentWalk<'_, '_> {
    /// Reports what is wrong with the attributes of `element`.
    pub(super) fn attributes(
        &mut self,
        element: &Element<'_>,
        shape: &ElementShape,
        scope: Scope<'_>,
    ) {
        let mut unknown = Vec::new();
        for attribute in element.attributes() {
            if is_of_schema_instance(&attribute) {
                continue;
            }
            match rule(&attribute, shape, scope) {
                Some(rule) => self.attribute(&attribute, rule, element, scope),
                None => unknown.push(attribute),
            }
        }
        let is_missing = |rule: &&AttributeRule| {
            rule.is_required
                && rule.availability.allowed.contain(scope.version)
                && element.attribute(rule.name).is_none()
        };
        // If exactly one is missing and one is unknown, the latter is taken as the missing one, whatever its name.
        let mut missing = shape.attributes.iter().filter(is_missing);
        let needed = match (unknown.len(), missing.next(), missing.next()) {
            (1, Some(only), None) if unknown[0].name.namespace().is_none() => Some(only.name),
            _ => None,
        };
        if !unknown.is_empty() {
            // Computed once: an element can have any number of attributes.
            let free: Vec<&'static str> = attribute_names(shape, scope)
                .filter(|name| element.attribute(name).is_none())
                .collect();
            for attribute in &unknown {
                self.report_unknown_attribute(attribute, &free, needed, element, shape, scope);
            }
        }
        if needed.is_some() {
            return;
        }
        for rule in shape.attributes.iter().filter(is_missing) {
            let is_meant = element.attributes().any(|attribute| {
                nearest(attribute.name.local, attribute_names(shape, scope)) == Some(rule.name)
            });
            if !is_meant {
                self.emit(MissingAttribute {
                    parent: Spanned::new(element.name.local.to_owned(), element.name_span),
                    name: rule.name,
                    insertion: element.attribute_insertion(),
                });
            }
        }
    }

    fn attribute(
        &mut self,
        attribute: &Attribute<'_>,
        rule: &AttributeRule,
        element: &Element<'_>,
        scope: Scope<'_>,
    ) {
        if !rule.availability.allowed.contain(scope.version) {
            let is_tolerated = self.mode == CheckMode::Compile
                && rule.availability.tolerated.contain(scope.version);
            let version = scope.known_namespace();
            let available = rule.availability.allowed.describe(scope.prefix);
            if is_tolerated {
                self.emit(FeatureMissingFromSchema {
                    what: format!("the `{}` attribute", rule.name),
                    place: attribute.name_span,
                    version,
                    available,
                });
            } else {
                self.emit(AttributeNotInVersion {
                    parent: element.name.local.to_owned(),
                    name: Spanned::new(rule.name.to_owned(), attribute.name_span),
                    version,
                    available,
                });
            }
        }
        if rule.value != SimpleType::Any {
            self.value(
                rule.value,
                value::ValueSubject::Attribute(rule.name),
                &attribute.value,
                attribute.value_span,
            );
        }
    }

    fn report_unknown_attribute(
        &mut self,
        attribute: &Attribute<'_>,
        free: &[&'static str],
        needed: Option<&'static str>,
        element: &Element<'_>,
        shape: &ElementShape,
        scope: Scope<'_>,
    ) {
        self.emit(UnknownAttribute {
            parent: element.name.local.to_owned(),
            name: Spanned::new(attribute.name.qualified(), attribute.name_span),
            similar: free
                .iter()
                .copied()
                .filter(|name| nearest(attribute.name.local, [*name]).is_some())
                .min(),
            needed,
            allowed: attribute_names(shape, scope).collect(),
            owner: is_of_action(attribute, element).then_some("action"),
        });
    }
}

/// Whether it is an attribute of actions on another element.
fn is_of_action(attribute: &Attribute<'_>, element: &Element<'_>) -> bool {
    let mut rules = ACTION.attributes.iter();
    element.name.local != "action"
        && attribute.name.namespace().is_none()
        && rules.any(|rule| !rule.is_required && rule.name == attribute.name.local)
}

/// Whether it is an attribute that every element may have. `xsi:nil` is not: no element of the schemas is nillable.
fn is_of_schema_instance(attribute: &Attribute<'_>) -> bool {
    attribute.name.prefix().is_some()
        && attribute.name.namespace() == Some(SCHEMA_INSTANCE)
        && matches!(
            attribute.name.local,
            "type" | "schemaLocation" | "noNamespaceSchemaLocation"
        )
}

/// The rule of this version, or of another.
fn rule(
    attribute: &Attribute<'_>,
    shape: &ElementShape,
    scope: Scope<'_>,
) -> Option<&'static AttributeRule> {
    let is_named = |rule: &&AttributeRule| {
        rule.name == attribute.name.local && attribute.name.namespace().is_none()
    };
    let mut rules = shape.attributes.iter().filter(is_named);
    let first = rules.next()?;
    if first.availability.allowed.contain(scope.version) {
        return Some(first);
    }
    let of_version = rules.find(|rule| rule.availability.allowed.contain(scope.version));
    Some(of_version.unwrap_or(first))
}

fn attribute_names(
    shape: &ElementShape,
    scope: Scope<'_>,
) -> impl Iterator<Item = &'static str> + use<> {
    let attributes = shape.attributes;
    attributes
        .iter()
        .filter(move |rule| rule.availability.allowed.contain(scope.version))
        .map(|rule| rule.name)
}
