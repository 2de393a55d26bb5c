//! Elements of a body as methods: the inverse of what methods write.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Refusal, body::Call};
use crate::{
    rust::builders::{Builder, CAPTURE, Method, Part, Writes},
    syntax::xml::Element,
};

impl Call<'_> {
    /// The methods that write an element of the body, or of the part `parent` of it.
    pub(super) fn element(
        &mut self,
        builder: &'static Builder,
        parent: Option<&str>,
        child: &Element<'_>,
    ) -> Result<(), Refusal> {
        let name = child.name.local;
        if parent.is_none() && name == "configuration" {
            return self.properties(child);
        }
        if parent.is_none() && name == CAPTURE && builder.captures() {
            self.tokens.extend(quote!(.capture::<()>()));
            return Ok(());
        }
        let of_parent = |it: &&Method| it.parent == parent;
        for method in builder.methods().iter().filter(of_parent) {
            match &method.writes {
                Writes::Text(element) if *element == name => {
                    let text = self.text(child);
                    self.method(&method.name, &[text]);
                }
                Writes::Flag(element) if *element == name => self.method(&method.name, &[]),
                Writes::Pair(element) if *element == name => self.pair(&method.name, child)?,
                Writes::Named(known) if known.contains(&name) => {
                    let text = self.text(child);
                    self.method(&method.name, &[quote!(#name), text]);
                }
                Writes::Operation(element, attributes) if *element == name => {
                    self.operation(builder, method, attributes, child)?;
                }
                Writes::Text(_)
                | Writes::Flag(_)
                | Writes::Pair(_)
                | Writes::Property
                | Writes::Named(_)
                | Writes::Operation(..)
                | Writes::Part(..) => continue,
            }
            return Ok(());
        }
        let has_parts = builder.methods().iter().any(|it| it.parent == Some(name));
        if parent.is_none() && has_parts {
            if child.elements().next().is_none() && !MEANS_NOTHING_IF_EMPTY.contains(&name) {
                let cause = format!("an empty `{name}` cannot be written in Rust");
                return Err(self.refusal(child, cause));
            }
            for part in child.elements() {
                self.element(builder, Some(name), &part)?;
            }
            return Ok(());
        }
        let parent = parent.unwrap_or(builder.element);
        let cause = format!("`{name}` inside `{parent}` cannot be written in Rust yet");
        Err(self.refusal(child, cause))
    }

    /// `NAME=VALUE`.
    fn pair(&mut self, method: &str, child: &Element<'_>) -> Result<(), Refusal> {
        let text = child.trimmed_text();
        let pair = text.as_str().split_once('=');
        // An expression may have an equals sign too.
        let Some((name, value)) = pair.filter(|(name, _)| !name.contains("${")) else {
            let cause = format!(
                "`{}` that is not `NAME=VALUE` cannot be written in Rust",
                child.name.local
            );
            return Err(self.refusal(child, cause));
        };
        let value = self.texts.value(value);
        self.method(method, &[quote!(#name), value]);
        Ok(())
    }

    /// An operation on files, its attributes in the order of the arguments, and the parts behind it.
    fn operation(
        &mut self,
        builder: &'static Builder,
        method: &Method,
        wanted: &[&str],
        operation: &Element<'_>,
    ) -> Result<(), Refusal> {
        let name = operation.name.local;
        let mut arguments = Vec::new();
        for wanted in wanted {
            let Some(attribute) = operation.attribute(wanted) else {
                let cause = format!("`{name}` without `{wanted}` is a mistake");
                return Err(self.refusal(operation, cause));
            };
            arguments.push(self.texts.value(attribute.value.as_str()));
        }
        self.method(&method.name, &arguments);
        for attribute in operation.attributes() {
            let (attribute, value) = (attribute.name.local, attribute.value.as_str());
            if wanted.contains(&attribute) {
                continue;
            }
            let is_yes = value == "true";
            let part = part_of(builder, name, |part| match part {
                Part::Attribute(part) => part == attribute,
                Part::Yes(part) => part == attribute && is_yes,
                Part::Flag(_) => false,
            });
            match part {
                Some((part, Part::Attribute(_))) => {
                    let value = self.texts.value(value);
                    self.method(part, &[value]);
                }
                Some((part, _)) => self.method(part, &[]),
                None => {
                    let cause =
                        format!("`{attribute}=\"{value}\"` of `{name}` cannot be written in Rust");
                    return Err(self.refusal(operation, cause));
                }
            }
        }
        for child in operation.elements() {
            let flag = child.name.local;
            let part = part_of(
                builder,
                name,
                |part| matches!(part, Part::Flag(part) if part == flag),
            );
            let Some((part, _)) = part else {
                let cause = format!("`{flag}` inside `{name}` cannot be written in Rust yet");
                return Err(self.refusal(&child, cause));
            };
            self.method(part, &[]);
        }
        Ok(())
    }

    pub(super) fn properties(&mut self, configuration: &Element<'_>) -> Result<(), Refusal> {
        for property in configuration.elements_named("property") {
            let (Some(name), Some(value)) = (property.element("name"), property.element("value"))
            else {
                let cause = "a property without a name or a value cannot be written in Rust";
                return Err(self.refusal(&property, cause.to_owned()));
            };
            let arguments: [TokenStream; 2] = [self.text(&name), self.text(&value)];
            self.method("property", &arguments);
        }
        Ok(())
    }
}

/// Parts of a body that say nothing where they have no elements.
const MEANS_NOTHING_IF_EMPTY: [&str; 2] = ["prepare", "launcher"];

/// The method for a part of an operation.
fn part_of(
    builder: &'static Builder,
    operation: &str,
    is_wanted: impl Fn(Part) -> bool,
) -> Option<(&'static str, Part)> {
    builder
        .methods()
        .iter()
        .find_map(|method| match &method.writes {
            Writes::Part(part, operations)
                if operations.contains(&operation) && is_wanted(*part) =>
            {
                Some((method.name.as_str(), *part))
            }
            _ => None,
        })
}
