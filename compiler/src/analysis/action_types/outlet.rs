//! A text that people read: on a command line, in a mail, in a log.

use crate::model::Template;

/// A text that is shown.
pub(crate) struct Outlet<'a> {
    pub(crate) template: &'a Template,
    /// What the text is.
    pub(crate) what: &'static str,
    /// Who reads it.
    pub(crate) danger: &'static str,
    /// What to do instead.
    pub(crate) help: Option<&'static str>,
    /// The name that the text has, where one that tells a secret keeps it from being shown.
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

    /// Of command lines: `what` says whose, `help` what to do instead.
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
