//! `rust` actions that call a function of an extension: its manifest says which there are, and with which arguments.

use crate::{
    analysis::actions::invalid_extension_call::{CallFault, InvalidExtensionCall},
    diagnostics::{Sink, nearest},
    model::{Template, WorkflowApp, action::Rust},
};

/// A function of something that is no extension is the program's own.
pub(super) fn check(app: &WorkflowApp, action: &Rust, sink: &mut Sink) {
    let function = &action.function;
    let Some((extension, name)) = function.text.as_str().split_once("::") else {
        return;
    };
    let Some(extension) = app.extensions.iter().find(|it| it.name == extension) else {
        return;
    };
    let mut report = |span, fault| {
        sink.emit(InvalidExtensionCall {
            function: function.text.as_str().to_owned(),
            place: span,
            fault,
        });
    };
    let Some(called) = extension.actions.iter().find(|it| it.name == name) else {
        let names = || extension.actions.iter().map(|it| it.name.as_str());
        report(
            function.span,
            CallFault::Unknown {
                similar: nearest(name, names())
                    .map(|similar| format!("{}::{similar}", extension.name)),
                is_type: extension.types.iter().any(|it| it.element == name),
                known: names()
                    .map(|name| format!("{}::{name}", extension.name))
                    .collect(),
            },
        );
        return;
    };
    let (wanted, given) = (&called.arguments, &action.arguments);
    if wanted.len() != given.len() {
        let names = wanted.iter().map(|it| it.name.clone());
        let fault = CallFault::Count {
            n_given: given.len(),
            wanted: names.collect(),
        };
        report(function.span, fault);
        return;
    }
    for (wanted, given) in wanted.iter().zip(given) {
        let literal = Template::literal(given).filter(|_| !given.is_invalid);
        // An optional argument may be empty.
        if literal.is_some_and(|text| !text.is_empty() && !wanted.value.accepts(text)) {
            let fault = CallFault::Value {
                argument: wanted.name.clone(),
                expected: wanted.value.described(),
            };
            report(given.span, fault);
        }
    }
}
