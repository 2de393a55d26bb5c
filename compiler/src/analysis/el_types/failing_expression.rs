use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0414", failing_expression, ["EL_ERROR", "E1004"]);

/// An expression that fails in every job.
pub(super) struct FailingExpression {
    /// The innermost part that fails.
    pub(super) place: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// The property that was meant by a name with dots or hyphens, and the place of that name.
    pub(super) property: Option<(String, Span)>,
    /// The function that reads a property of any name, if it may be called there.
    pub(super) conf: Option<&'static str>,
}

message!(FailingExpression, |place, message, help, property, conf| {
    if let Some((name, name_place)) = property {
        let diagnostic = Diagnostic::new(
            &CODE,
            name_place,
            format!("expression `{name}` always fails"),
        )
        .label(name_place, "a variable cannot have a dot in its name");
        return match conf {
            Some(conf) => diagnostic.suggest(
                name_place,
                format!("property `{name}` is written `{conf}('{name}')`"),
                format!("{conf}('{name}')"),
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic.help(
                "functions cannot be called here: give the job a property whose name has no dots",
            ),
        };
    }
    let diagnostic =
        Diagnostic::new(&CODE, place, "this expression always fails").label(place, message);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
});
