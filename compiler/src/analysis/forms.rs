//! Formats of values: numbers, permissions, paths, addresses, quotes, names of nodes.
//!
//! A text is checked if its value is known: it is literal, or depends only on properties that are given or have a default.
//! What is certain to fail is an error; a default that no job could use is a lint, since a job may be given another value;
//! what Hadoop or Oozie silently ignores is a lint too.

use std::collections::BTreeSet;

use hpdlc_core::{
    el::{
        ast::{ExprKind, Part, Template as Ast},
        functions::Dialect,
    },
    permissions,
};

use crate::{
    analysis::{
        action_types,
        given::JobProperties,
        known_values::{KnownText, KnownValues},
    },
    diagnostics::{Code, IntoDiagnostic, Sink},
    lints::{
        fs_paths_without_scheme::FsPathWithoutScheme, malformed_defaults::MalformedDefault,
        malformed_fs_values::MalformedFsValue, malformed_retries::MalformedRetry,
    },
    lookup::AddressLookup,
    model::{
        Action, ActionKind, Template, WorkflowApp,
        action::{Fs, fs::FsOperationKind},
    },
    source::Span,
};

mod addresses;
mod listed_nodes;
mod malformed_value;
mod quotes;
mod setting_names;
mod settings;
#[cfg(test)]
mod tests;

pub(super) use self::addresses::malformed_port;
use self::malformed_value::MalformedValue;

pub static CODES: &[&Code] = &[&malformed_value::CODE];

/// Reports malformed values.
pub(crate) fn check(
    app: &WorkflowApp,
    given: &JobProperties,
    known: &KnownValues,
    sink: &mut Sink,
) {
    let mut forms = Forms {
        known,
        sink,
        seen: BTreeSet::new(),
        good_addresses: AddressLookup::default(),
    };
    for (_, action) in app.actions() {
        forms.retries(action);
        if let ActionKind::Fs(fs) = &action.kind {
            forms.fs(app, fs);
        }
        if let Some(host) = action_types::of(&action.kind).and_then(|it| it.host()) {
            forms.host(host);
        }
        forms.addresses(&action.kind);
        forms.quotes(&action.kind);
    }
    forms.settings(app, given);
    forms.setting_names(app, given);
    forms.listed_nodes(app, given);
}

/// A text whose known value does not have the required format.
pub(crate) struct Malformed<'t> {
    /// Where it is, such as "the `permissions` attribute".
    pub(crate) what: String,
    /// The required format.
    pub(crate) wanted: &'static str,
    pub(crate) text: KnownText<'t>,
    pub(crate) place: Span,
    /// What was probably meant, if it is similar.
    pub(crate) meant: Option<String>,
    pub(crate) kind: MalformedKind,
}

/// Where a malformed value is, which decides the rule that reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MalformedKind {
    /// Anywhere else.
    Value,
    /// In an operation of `fs`: Oozie accepts it, and takes the error transition.
    OfFs,
    /// In `retry-max` or `retry-interval`: Oozie accepts it, and fails the job when the node is entered.
    OfRetry,
}

impl Malformed<'_> {
    /// Reports an error if the value is certain, and a lint about the default if it is not.
    pub(crate) fn report(self, sink: &mut Sink) {
        let Malformed {
            what,
            wanted,
            text,
            place,
            meant,
            kind,
        } = self;
        let origin = text.origin();
        let value = text.value.trim().to_owned();
        if text.is_certain {
            let value = MalformedValue {
                what,
                wanted,
                value,
                place,
                is_literal: text.properties.is_empty(),
                origin,
                meant,
            };
            match kind {
                MalformedKind::Value => sink.emit(value),
                MalformedKind::OfFs => sink.emit(MalformedFsValue(value.into_diagnostic())),
                MalformedKind::OfRetry => sink.emit(MalformedRetry(value.into_diagnostic())),
            }
        } else if !value.is_empty() {
            // An empty default means that a value has to be given.
            sink.emit(MalformedDefault {
                what,
                wanted,
                value,
                place: origin.unwrap_or(place),
                used: origin.map(|_| place),
            });
        }
    }
}

/// The state that the checks of single actions share.
struct Forms<'k, 's> {
    known: &'k KnownValues,
    sink: &'s mut Sink,
    /// Texts that many actions inherit from `global`.
    seen: BTreeSet<Span>,
    /// By text, and whether it needs a scheme: equal texts share their trees, and most actions have the same addresses.
    good_addresses: AddressLookup<(*const Ast, bool), bool>,
}

impl Forms<'_, '_> {
    fn emit(&mut self, mistake: impl IntoDiagnostic) {
        self.sink.emit(mistake);
    }

    /// Reports a text whose value, if known, does not have the required format.
    fn demand(
        &mut self,
        kind: MalformedKind,
        template: &Template,
        what: impl Into<String>,
        wanted: &'static str,
        is_good: impl Fn(&str) -> bool,
        meant: impl Fn(&str) -> Option<String>,
    ) {
        let Some(text) = self.known.text(template) else {
            return;
        };
        // Java's `Integer.parseInt` does not trim.
        let is_read_as_it_is = kind == MalformedKind::OfRetry;
        let read = if is_read_as_it_is {
            &*text.value
        } else {
            text.value.trim()
        };
        if is_good(read) {
            return;
        }
        let meant = meant(text.value.trim());
        Malformed {
            what: what.into(),
            wanted,
            text,
            place: template.span,
            meant,
            kind,
        }
        .report(self.sink);
    }

    /// `retry-max` and `retry-interval` are numbers (`LiteWorkflowStoreService`); properties that are used as numbers are checked as
    /// properties.
    fn retries(&mut self, action: &Action) {
        for (attribute, template) in [
            ("retry-max", &action.retry.max),
            ("retry-interval", &action.retry.interval),
        ] {
            if let Some(template) = template
                && (template.literal().is_some() || !is_one_property(template))
            {
                self.demand(
                    MalformedKind::OfRetry,
                    template,
                    format!("the `{attribute}` attribute"),
                    "a whole number",
                    |value| value.parse::<i32>().is_ok(),
                    |_| None,
                );
            }
        }
    }

    fn fs(&mut self, app: &WorkflowApp, fs: &Fs) {
        for operation in &fs.operations {
            match &operation.kind {
                FsOperationKind::Chmod {
                    path, permissions, ..
                } => {
                    self.path(app, fs, "path", path);
                    self.demand(
                        MalformedKind::OfFs,
                        permissions,
                        "the `permissions` attribute",
                        "three octal digits, such as `755`, or ten characters, such as `-rwxr-xr-x`",
                        |value| permissions::parse_permissions(value).is_some(),
                        meant_permissions,
                    );
                }
                FsOperationKind::Setrep { path, factor } => {
                    self.path_of_setrep(app, fs, path);
                    if !is_one_property(factor) {
                        self.demand(
                            MalformedKind::OfFs,
                            factor,
                            "the `replication-factor` attribute",
                            "a whole number up to 32767",
                            |value| value.parse::<i16>().is_ok(),
                            |_| None,
                        );
                    }
                }
                FsOperationKind::Move { source, target: _ } => {
                    self.path(app, fs, "source", source);
                }
                FsOperationKind::Delete { path, .. }
                | FsOperationKind::Mkdir { path }
                | FsOperationKind::Chgrp { path, .. }
                | FsOperationKind::Touchz { path } => self.path(app, fs, "path", path),
            }
        }
    }

    /// A path has a scheme, or it is absolute and there is a name-node (`FsActionExecutor`, FS001 and FS011).
    fn path(&mut self, app: &WorkflowApp, fs: &Fs, attribute: &str, path: &Template) {
        // In the proposal, a relative path is relative to the user's home.
        if app.dialect == Dialect::Proposal || fs.of_proposal {
            return;
        }
        if fs.settings.name_node.is_none() && begins_with_slash(path, self.known) {
            self.emit(FsPathWithoutScheme {
                place: path.span,
                is_setrep: false,
            });
            return;
        }
        let what = format!("the `{attribute}` attribute");
        let wanted = "a path from the root on, such as `/data`, or a URI";
        let beginning = path.beginning().map(|(text, _)| text.trim().to_owned());
        if let Some(beginning) = beginning
            && !beginning.is_empty()
            && path.literal().is_none()
            && is_relative(&beginning)
            && !beginning.contains(':')
        {
            let text = KnownText {
                value: path.text.as_str().to_owned().into(),
                properties: Vec::new(),
                is_certain: true,
            };
            let place = path.span;
            Malformed {
                what,
                wanted,
                text,
                place,
                meant: None,
                kind: MalformedKind::OfFs,
            }
            .report(self.sink);
            return;
        }
        let is_good = |value: &str| !is_relative(value);
        self.demand(MalformedKind::OfFs, path, what, wanted, is_good, |_| None);
    }

    /// A path of `setrep` has a scheme, whatever the name-node is (`FsActionExecutor`, FS001).
    fn path_of_setrep(&mut self, app: &WorkflowApp, fs: &Fs, path: &Template) {
        let is_of_oozie = app.dialect != Dialect::Proposal && !fs.of_proposal;
        if is_of_oozie && begins_with_slash(path, self.known) {
            self.emit(FsPathWithoutScheme {
                place: path.span,
                is_setrep: fs.settings.name_node.is_some(),
            });
        } else {
            self.path(app, fs, "path", path);
        }
    }

    /// `user@host` or `host`, which is passed to `ssh` as one argument.
    fn host(&mut self, host: &Template) {
        let is_good = |value: &str| {
            let (user, name) = value.split_once('@').unwrap_or(("-", value));
            !user.is_empty() && !name.is_empty() && !value.contains(char::is_whitespace)
        };
        // An empty host is reported elsewhere.
        if host.literal() != Some("") {
            self.demand(
                MalformedKind::Value,
                host,
                "the `host` element",
                "a host, or `user@host`",
                is_good,
                |_| None,
            );
        }
    }
}

/// Literal numbers are checked by the schema, and properties that are used as numbers are checked as properties.
fn is_one_property(template: &Template) -> bool {
    match template.ast.parts.as_slice() {
        [] | [Part::Text(..)] => true,
        [Part::Expr(expr)] => matches!(expr.kind, ExprKind::Variable(_)),
        _ => false,
    }
}

/// Whether a path begins with `/` in every job, whatever follows.
fn begins_with_slash(path: &Template, known: &KnownValues) -> bool {
    if path.is_invalid {
        return false;
    }
    for part in &path.ast.parts {
        let value = match part {
            Part::Text(text, _) => Some(text.clone()),
            Part::Expr(expr) => known.certain_value(expr),
        };
        match value.as_deref().map(str::trim_start) {
            // The beginning is in the next part.
            Some("") => {}
            Some(text) => return text.starts_with('/'),
            None => return false,
        }
    }
    false
}

/// Neither absolute nor with a scheme.
fn is_relative(path: &str) -> bool {
    let has_scheme = path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    !path.starts_with('/') && !has_scheme
}

/// `0755` as `755`, `rwxr-xr-x` as `-rwxr-xr-x`.
fn meant_permissions(written: &str) -> Option<String> {
    let meant = match written.len() {
        4 => written.strip_prefix('0')?.to_owned(),
        9 => format!("-{written}"),
        _ => return None,
    };
    permissions::parse_permissions(&meant).map(|_| meant)
}
