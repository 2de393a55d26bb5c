//! A text that people can see: on a command line, in a mail, in a log.

use crate::model::Template;

/// A text that is shown.
pub(crate) struct Outlet<'a> {
    pub(crate) template: &'a Template,
    /// What the text is.
    pub(crate) what: &'static str,
    /// Who can read it.
    pub(crate) danger: &'static str,
    /// What to do instead.
    pub(crate) help: Option<&'static str>,
    /// The name of the text, where a name that denotes a secret keeps the text from being shown.
    pub(crate) name: Option<&'a Template>,
}

impl<'a> Outlet<'a> {
    pub(crate) fn new(
        template: &'a Template,
        what: &'static str,
        danger: &'static str,
    ) -> Outlet<'a> {
        Outlet {
            template,
            what,
            danger,
            help: None,
            name: None,
        }
    }

    pub(super) fn with_help(self, help: &'static str) -> Outlet<'a> {
        Outlet {
            help: Some(help),
            ..self
        }
    }

    /// The outlets of command lines: `what` names the command, `help` says what to do instead.
    pub(super) fn arguments(
        templates: impl IntoIterator<Item = &'a Template>,
        what: &'static str,
        help: &'static str,
    ) -> impl Iterator<Item = Outlet<'a>> {
        const DANGER: &str = "everybody on the machine can list it, and the launcher logs it";
        templates
            .into_iter()
            .map(move |template| Outlet::new(template, what, DANGER).with_help(help))
    }
}
