//! `child(report, report::Params { day: &day })`: another workflow of the program, run as a sub-workflow.

use syn::{Expr, ExprCall, ExprStruct, Member, Path};

use crate::rust::{
    body::Draft,
    builders::Builder,
    document::{Element, Text},
    params::{ChildWorkflow, PassedField, app_path, optional, spelled},
    place::Place,
    reader::Reader,
    tokens::{name_in_flow, without_raw},
};

const FORM: &str = "a workflow of the program is called with its parameters: `child(report, report::Params { day: &day, limit: None })`";

/// The arguments of a call of `child`, if it is one.
pub(super) fn arguments(call: &ExprCall) -> Option<(Option<&Path>, Option<&ExprStruct>)> {
    let Expr::Path(function) = &*call.func else {
        return None;
    };
    name_in_flow(&function.path).filter(|name| *name == "child")?;
    let mut given = call.args.iter();
    let path = match given.next() {
        Some(Expr::Path(path)) => Some(&path.path),
        _ => None,
    };
    let params = match given.next() {
        Some(Expr::Struct(literal)) => Some(literal),
        _ => None,
    };
    let is_whole = given.next().is_none();
    Some((path.filter(|_| is_whole), params.filter(|_| is_whole)))
}

impl Reader {
    pub(super) fn child(
        &mut self,
        call: &ExprCall,
        path: Option<&Path>,
        params: Option<&ExprStruct>,
    ) -> Option<Draft> {
        let place = Place::of(call);
        let (Some(path), Some(params)) = (path, params) else {
            self.mistake_of_rustc(place, FORM);
            return None;
        };
        let own = format!("{}::Params", spelled(path));
        if spelled(&params.path) != own {
            self.mistake_of_rustc(
                Place::of(&params.path),
                &format!(
                    "these are no parameters of `{0}`: write `{0}::Params {{ … }}`",
                    spelled(path)
                ),
            );
            return None;
        }
        let folder = app_path(path);
        let others = self.children.iter().filter(|it| it.folder == folder);
        if others
            .map(|it| spelled(&it.path))
            .any(|it| it != spelled(path))
        {
            self.mistake(
                Place::of(path),
                &format!("two workflows are called `{folder}` here: import one of them under another name, `use module::{folder} as other;`"),
            );
            return None;
        }
        let mut below = Text::expression(vec![("wf:appPath()".to_owned(), None)]);
        below.push_literal(format!("/{folder}"), Some(Place::of(path)));
        let builder = Builder::named("sub_workflow")?;
        let mut body = Element::new(builder.element, Some(place));
        body = body.child(Element::of("app-path", below, Place::of(path)));
        let mut draft = Draft::new(Some(builder), body, folder.clone());
        let passed = self.parameters_of_child(params, &mut draft)?;
        match self.children.iter_mut().find(|it| it.folder == folder) {
            Some(known) => known.passed.extend(passed),
            None => self.children.push(ChildWorkflow {
                path: path.clone(),
                folder,
                passed,
            }),
        }
        Some(draft)
    }

    /// The fields of the parameters, which become properties of the draft.
    fn parameters_of_child(
        &mut self,
        params: &ExprStruct,
        draft: &mut Draft,
    ) -> Option<Vec<PassedField>> {
        if let Some(rest) = &params.rest {
            self.mistake_of_rustc(
                Place::of(rest),
                "each parameter is named here: `None` leaves one with a default out",
            );
            return None;
        }
        let mut passed = Vec::new();
        let mut is_whole = true;
        for field in &params.fields {
            let Member::Named(name) = &field.member else {
                return self.left_to_rustc();
            };
            let property = self.property_of(field, name);
            let value = optional(&field.expr).unwrap_or(Some(&field.expr));
            if let Some(value) = value {
                let place = Place::of(name);
                match self.value(value) {
                    Some(value) => draft.properties.push((
                        Text::literal(property.clone(), Some(place)),
                        value.into_text(),
                        place,
                    )),
                    None => is_whole = false,
                }
            }
            passed.push(PassedField {
                name: name.clone(),
                property,
            });
        }
        is_whole.then_some(passed)
    }

    /// Refuses a workflow that runs itself: its program would contain itself.
    pub(super) fn check_children(&mut self, own: &syn::Ident) {
        let own = without_raw(own);
        let itself = self
            .children
            .iter()
            .find(|it| it.path.get_ident().map(without_raw).as_deref() == Some(own.as_str()));
        if let Some(place) = itself.map(|it| Place::of(&it.path)) {
            self.mistake(
                place,
                "a workflow cannot contain itself: one that repeats is started by a coordinator, or by its path with `sub_workflow`",
            );
        }
    }
}
