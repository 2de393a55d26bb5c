//! The body of a coordinator: a struct literal with the parameters of the workflow.

use syn::{Block, Expr, ExprStruct, Ident, ItemFn, Member, Path, ReturnType, Stmt, Type};

use crate::rust::{
    document::{Element, Text},
    params::{PassedField, optional, spelled},
    place::Place,
    reader::Reader,
    signature::Parameter,
};

const FORM: &str = "the body of a coordinator is the parameters of its workflow: `daily::Params { input: logs.uris(), limit: None }`";

/// The struct literal that a body is.
fn literal(block: &Block) -> Option<&ExprStruct> {
    match &block.stmts[..] {
        [Stmt::Expr(Expr::Struct(literal), None)] => Some(literal),
        _ => None,
    }
}

impl Reader {
    /// Refuses the parameters of something else than the workflow, in the result and in the body.
    pub(super) fn check_params_of(&mut self, workflow: Option<&Path>, item: &ItemFn) {
        let Some(workflow) = workflow.map(spelled) else {
            return;
        };
        let given = literal(&item.block).map(|it| &it.path);
        let result = match &item.sig.output {
            ReturnType::Type(_, of) => match &**of {
                Type::Path(of) => Some(&of.path),
                _ => None,
            },
            ReturnType::Default => None,
        };
        let own = format!("{workflow}::Params");
        let other = [result, given].into_iter().flatten();
        let other = other.filter(|path| spelled(path) != own);
        if let Some(path) = other.min_by_key(|path| path.segments.len()) {
            self.mistake_of_rustc(
                Place::of(path),
                &format!("these are no parameters of `{workflow}`: write `{workflow}::Params`"),
            );
        }
    }

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
            self.mistake_of_rustc(place, FORM);
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
