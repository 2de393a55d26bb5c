use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, exposed_secrets);

/// A secret that is shown.
pub(crate) struct ExposedSecret {
    /// The name of the property, or the option before a value that is written in the document.
    pub(crate) secret: String,
    /// The action where the secret itself is written.
    pub(crate) written_in: Option<String>,
    /// The expression that reads it, or the option.
    pub(crate) place: Span,
    /// Where it is shown, such as "an argument of a command".
    pub(crate) outlet: &'static str,
    /// Who can see it there.
    pub(crate) danger: &'static str,
    pub(crate) help: Option<&'static str>,
    /// The properties in between, beginning with the one that is read, and where their values are.
    pub(crate) by_way_of: Vec<(String, Option<Span>)>,
    /// Where it comes from, and what marks it as a secret.
    pub(crate) origin: Option<(Span, &'static str)>,
}

message!(ExposedSecret, |secret,
                         written_in,
                         place,
                         outlet,
                         danger,
                         help,
                         by_way_of,
                         origin| {
    if let Some(action) = written_in {
        let message = format!("action `{action}` has a secret in {outlet}, behind `{secret}`");
        let diagnostic = Diagnostic::new(&LINT, place, message)
            .label(place, danger)
            .note("everybody who reads the document knows it");
        return match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        };
    }
    let message = format!("secret `{secret}` ends in {outlet}");
    let mut diagnostic = Diagnostic::new(&LINT, place, message).label(place, danger);
    if let Some((span, what)) = origin {
        diagnostic = diagnostic.label(span, what);
    }
    if !by_way_of.is_empty() {
        for (name, span) in &by_way_of {
            if let Some(span) = span {
                diagnostic = diagnostic.label(*span, format!("the value of `{name}` holds it"));
            }
        }
        let mut way: Vec<&str> = vec![&secret];
        way.extend(by_way_of.iter().rev().map(|(name, _)| name.as_str()));
        let way: Vec<String> = way.iter().map(|name| format!("`{name}`")).collect();
        diagnostic = diagnostic.note(format!("it gets there by way of {}", way.join(" -> ")));
    }
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
});
