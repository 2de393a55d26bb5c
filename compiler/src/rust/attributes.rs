//! The attributes of the function: the credentials and the service level of the workflow.

use syn::{
    Attribute, Expr, ExprAssign, ExprCall, FieldValue, Ident, ItemFn, Lit, LitStr, Token,
    punctuated::Punctuated,
};

use crate::rust::{
    document::{Element, Text},
    place::Place,
    reader::Reader,
    tokens::{ident_of, is_named, without_raw},
};

/// Attributes that say nothing of a workflow, and nothing that is lost with the function.
pub(super) const WITHOUT_MEANING: &[&str] = &[
    "allow", "cfg", "cfg_attr", "deny", "doc", "expect", "forbid", "warn",
];

const CREDENTIAL: &str = "a credential is written `#[credential(name = \"hive\", kind = \"hive2\", property(\"hive2.jdbc.url\", \"jdbc:hive2://host:10000/default\"))]`";
const SLA: &str =
    "this service level is written `#[sla(nominal_time = &day, should_end = minutes(30))]`";

/// What the attributes of a function say of the workflow.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) credentials: Option<Element>,
    pub(super) sla: Option<Element>,
}

/// What stands in the parentheses of an attribute.
pub(super) type Arguments = Punctuated<Expr, Token![,]>;

pub(super) fn arguments(attribute: &Attribute) -> syn::Result<Arguments> {
    attribute.parse_args_with(Arguments::parse_terminated)
}

impl Reader {
    /// What the attributes of the function say. Its arguments are known by now.
    pub(super) fn attributes(&mut self, item: &ItemFn) -> Attributes {
        let mut found = Attributes::default();
        for attribute in &item.attrs {
            let path = attribute.path();
            let place = Place::of(path);
            if path.is_ident("credential") {
                let credentials = found
                    .credentials
                    .get_or_insert_with(|| Element::new("credentials", Some(place)));
                credentials.children.extend(self.credential(attribute));
            } else if path.is_ident("sla") {
                if found.sla.is_some() {
                    self.mistake(place, "a workflow has one service level");
                }
                found.sla = self.sla_of_attribute(attribute);
            } else if !WITHOUT_MEANING.iter().any(|known| path.is_ident(known))
                && path.segments.len() == 1
            {
                self.mistake(
                    place,
                    "a workflow is no function in the program, so this has no effect: it has the attributes `credential` and `sla`",
                );
            }
        }
        found
    }

    /// The arguments of an attribute; `form` says how it is written.
    pub(super) fn arguments(&mut self, attribute: &Attribute, form: &str) -> Option<Arguments> {
        match arguments(attribute) {
            Ok(arguments) => Some(arguments),
            Err(error) => {
                self.mistake(Place::at(error.span()), form);
                None
            }
        }
    }

    fn credential(&mut self, attribute: &Attribute) -> Option<Element> {
        let place = Place::of(&attribute.meta);
        let arguments = self.arguments(attribute, CREDENTIAL)?;
        let n_mistakes = self.mistakes.len();
        let (mut name, mut kind, mut properties) = (None, None, Vec::new());
        for argument in &arguments {
            match argument {
                Expr::Assign(pair) => {
                    let known = match ident_of(&pair.left) {
                        Some(key) if key == "name" => &mut name,
                        Some(key) if key == "kind" => &mut kind,
                        _ => {
                            self.mistake(
                                Place::of(&pair.left),
                                "a credential has `name = …`, `kind = …` and `property(name, value)`",
                            );
                            continue;
                        }
                    };
                    if known.is_some() {
                        self.mistake(Place::of(&pair.left), "this is given twice");
                    }
                    *known = Some(self.text_of_attribute(&pair.right)?);
                }
                Expr::Call(call) if is_named(&call.func, "property") && call.args.len() == 2 => {
                    properties.push(self.property(call)?);
                }
                other => self.mistake(Place::of(other), CREDENTIAL),
            }
        }
        if self.mistakes.len() > n_mistakes {
            return None;
        }
        let (Some(name), Some(kind)) = (name, kind) else {
            self.mistake(Place::of(attribute.path()), CREDENTIAL);
            return None;
        };
        let mut credential = Element::new("credential", Some(place))
            .attribute("name", name)
            .attribute("type", kind);
        credential.children = properties;
        Some(credential)
    }

    fn property(&mut self, call: &ExprCall) -> Option<Element> {
        let mut property = Element::new("property", Some(Place::of(call)));
        for (element, value) in ["name", "value"].into_iter().zip(&call.args) {
            let text = self.text_of_attribute(value)?;
            property = property.child(Element::of(element, text, Place::of(value)));
        }
        Some(property)
    }

    /// The block of `#[sla(…)]`.
    pub(super) fn sla_of_attribute(&mut self, attribute: &Attribute) -> Option<Element> {
        let arguments = self.arguments(attribute, SLA)?;
        let mut fields = Vec::new();
        for argument in &arguments {
            match field(argument) {
                Some(field) => fields.push(field),
                None => {
                    self.mistake(Place::of(argument), SLA);
                    return None;
                }
            }
        }
        self.sla(
            Place::of(&attribute.meta),
            &fields,
            Reader::text_of_attribute,
        )
    }

    /// A value in an attribute. A string stands for itself there, expressions of Oozie included, as in the settings of a workflow.
    pub(super) fn text_of_attribute(&mut self, value: &Expr) -> Option<Text> {
        match value {
            Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)) => {
                let Lit::Str(text) = &literal.lit else {
                    return None;
                };
                let place = Place::of(text);
                self.check_characters(&text.value(), place)?;
                Some(Text::verbatim(text.value(), place))
            }
            _ => Some(self.value(value)?.into_text()),
        }
    }
}

/// `name = value`.
pub(super) fn field(argument: &Expr) -> Option<(&syn::Ident, &Expr)> {
    let Expr::Assign(ExprAssign { left, right, .. }) = argument else {
        return None;
    };
    Some((ident_of(left)?, right))
}

impl Reader {
    /// The property of a field of parameters.
    pub(super) fn property_of(&mut self, field: &FieldValue, name: &Ident) -> String {
        let mut property = without_raw(name);
        for attribute in &field.attrs {
            if !attribute.path().is_ident("property") {
                self.mistake(
                    Place::of(attribute),
                    "a parameter has the attribute `property`, for one whose property has another name",
                );
                continue;
            }
            match attribute.parse_args::<LitStr>() {
                Ok(name) => property = name.value(),
                Err(_) => self.mistake(
                    Place::of(attribute),
                    "the name of a property is written `#[property(\"inputDir\")]`",
                ),
            }
        }
        property
    }
}
