//! The body of a coordinator: a struct literal with the parameters of the workflow.

use syn::{Block, Expr, ExprStruct, FieldValue, Ident, LitStr, Member, Stmt};

use crate::rust::{
    document::{Element, Text},
    place::Place,
    reader::Reader,
    signature::Parameter,
    tokens::{is_named, without_raw},
};

const FORM: &str = "the body of a coordinator is the parameters of its workflow: `daily::Params { input: logs.uris(), limit: None }`";

/// A parameter of the workflow that gets a value, or that is left out.
pub struct PassedField {
    pub name: Ident,
    /// The property that it is taken for.
    pub property: String,
}

/// The struct literal that a body is.
fn literal(block: &Block) -> Option<&ExprStruct> {
    match &block.stmts[..] {
        [Stmt::Expr(Expr::Struct(literal), None)] => Some(literal),
        _ => None,
    }
}

/// What a value is in an `Option`: `Some(Some(x))` for `Some(x)`, `Some(None)` for `None`.
pub(super) fn optional(value: &Expr) -> Option<Option<&Expr>> {
    match value {
        Expr::Call(call) if is_named(&call.func, "Some") && call.args.len() == 1 => {
            Some(call.args.first())
        }
        value if is_named(value, "None") => Some(None),
        _ => None,
    }
}

impl Reader {
    /// The fields, and the properties that the workflow gets.
    pub(super) fn passed(
        &mut self,
        body: &Block,
        parameters: &[Parameter],
    ) -> (Vec<PassedField>, Vec<Element>) {
        let Some(literal) = literal(body) else {
            let place = match (body.stmts.first(), body.stmts.last()) {
                (Some(first), Some(last)) => Place::of(first).to(Place::of(last)),
                _ => Place::of(body),
            };
            self.mistake(place, FORM);
            return (Vec::new(), Vec::new());
        };
        self.passed_by(literal, parameters)
    }

    /// The fields of a literal, and the properties that they give.
    pub(in crate::rust) fn passed_by(
        &mut self,
        literal: &ExprStruct,
        parameters: &[Parameter],
    ) -> (Vec<PassedField>, Vec<Element>) {
        let (mut passed, mut properties) = (Vec::new(), Vec::new());
        if let Some(rest) = &literal.rest {
            self.mistake(
                Place::of(rest),
                "each parameter is named here: `None` leaves one with a default out",
            );
        }
        for field in &literal.fields {
            let Member::Named(name) = &field.member else {
                self.left_to_rustc::<()>();
                continue;
            };
            let property = self.property_of(field, name);
            match optional(&field.expr) {
                Some(None) => {
                    if parameters.iter().any(|own| own.property == property) {
                        self.mistake(
                            Place::of(&field.expr),
                            &format!(
                                "what is started gets the property `{property}` of {} all the same: pass it, `Some(…)`, or give the argument here another name",
                                self.what()
                            ),
                        );
                    }
                }
                Some(Some(value)) => {
                    properties.extend(self.passed_property(name, &property, value))
                }
                None => properties.extend(self.passed_property(name, &property, &field.expr)),
            }
            passed.push(PassedField {
                name: name.clone(),
                property,
            });
        }
        (passed, properties)
    }

    fn property_of(&mut self, field: &FieldValue, name: &Ident) -> String {
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

    fn passed_property(&mut self, name: &Ident, property: &str, value: &Expr) -> Option<Element> {
        let place = Place::of(name);
        let text = self.value(value)?.into_text();
        Some(
            Element::new("property", Some(place))
                .child(Element::of(
                    "name",
                    Text::literal(property, Some(place)),
                    place,
                ))
                .child(Element::of("value", text, Place::of(value))),
        )
    }
}
