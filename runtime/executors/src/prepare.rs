//! `prepare`: paths that an action deletes and creates before its main part (`PrepareActionsHandler`).
//!
//! Every attempt does it again and each operation is idempotent, so there is no journal. A failure is JA018, of class
//! ERROR, as when Oozie's launcher fails before `main`.

use std::{
    fmt,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use hpdlc_core::{el::scope::Scope, step::FailureClass};
use hpdlc_files::{Access, AccessSettings, GLOB_MAX, LocatedFile, Uri, glob};
use hpdlc_program::{
    evaluate::EvaluationError,
    failure::ActionError,
    table::{PrepareOperation, Template},
};
use serde::{Deserialize, Serialize};

use crate::fs::{CANCELED, FsFailure, make_folder, trim};

/// A `prepare` whose templates are evaluated. Paths are as written; they are resolved when they are used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prepare {
    /// The file system of paths without a scheme; this machine if `None`.
    pub name_node: Option<String>,
    pub operations: Vec<Operation>,
    /// `oozie.action.fs.glob.max`
    pub glob_max: usize,
    /// Settings for accessing its file systems.
    #[serde(default, skip_serializing_if = "is_default")]
    pub access: AccessSettings,
}

fn is_default(access: &AccessSettings) -> bool {
    *access == AccessSettings::default()
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    Delete { path: String },
    Mkdir { path: String },
}

impl Prepare {
    /// Evaluates the paths in order.
    ///
    /// # Errors
    ///
    /// The first template that has no value. Errors in a path are found by [`Prepare::run`].
    pub fn evaluate(
        operations: &[PrepareOperation],
        scope: &dyn Scope,
    ) -> Result<Prepare, EvaluationError> {
        let text = |template: &Template| -> Result<String, EvaluationError> {
            Ok(trim(&template.evaluate(scope)?).to_owned())
        };
        let operations = operations
            .iter()
            .map(|operation| {
                Ok(match operation {
                    PrepareOperation::Delete(path) => Operation::Delete { path: text(path)? },
                    PrepareOperation::Mkdir(path) => Operation::Mkdir { path: text(path)? },
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Prepare {
            name_node: None,
            operations,
            glob_max: GLOB_MAX,
            access: AccessSettings::default(),
        })
    }

    /// Resolves paths without a scheme on `name_node`, which is evaluated.
    #[must_use]
    pub fn on(self, name_node: &str) -> Prepare {
        Prepare {
            name_node: Some(trim(name_node).to_owned()),
            ..self
        }
    }

    /// Performs the operations in order. Blocks, possibly for long.
    ///
    /// # Errors
    ///
    /// JA018 for the first operation that fails; those before it are not undone. A full disk is JA003, non-transient, and so is a
    /// cancellation.
    pub fn run(&self, is_canceled: &AtomicBool) -> Result<(), ActionError> {
        let access = Access::new(&self.access, is_canceled);
        for operation in &self.operations {
            if is_canceled.load(Ordering::Relaxed) {
                return Err(ActionError::non_transient(
                    CANCELED,
                    "the prepare was canceled",
                ));
            }
            self.perform(operation, &access)
                .map_err(|failure| failure_of(operation, failure))?;
        }
        Ok(())
    }

    fn perform(&self, operation: &Operation, access: &Access<'_>) -> Result<(), FsFailure> {
        match operation {
            Operation::Delete { path } => {
                let LocatedFile { system, pattern } = self.resolve(path, access)?;
                let found =
                    glob::expand(&*system, &pattern, self.glob_max).map_err(FsFailure::glob)?;
                for path in found {
                    if path == Path::new("/") {
                        let message = "the root folder cannot be deleted";
                        return Err(FsFailure::new("JA018", message));
                    }
                    system.remove(&path).map_err(FsFailure::remove)?;
                }
                Ok(())
            }
            Operation::Mkdir { path } => make_folder(&self.resolve(path, access)?),
        }
    }

    fn resolve<'a>(&self, path: &str, access: &Access<'a>) -> Result<LocatedFile<'a>, FsFailure> {
        let uri = Uri::parse(path);
        let name_node = self.name_node.as_deref().map(Uri::parse);
        let whole = match name_node {
            Some(name_node) if uri.scheme.is_none() && name_node.scheme.is_some() => Uri {
                path: uri.path,
                ..name_node
            },
            Some(_) | None => uri,
        };
        access
            .locate(&whole)
            .map_err(|error| FsFailure::new("JA018", error.to_string()))
    }
}

fn failure_of(operation: &Operation, failure: FsFailure) -> ActionError {
    let (verb, path) = match operation {
        Operation::Delete { path } => ("delete", path),
        Operation::Mkdir { path } => ("mkdir", path),
    };
    let message = |cause: &dyn fmt::Display| format!("Prepare failed in {verb} `{path}`: {cause}");
    match failure {
        FsFailure::Action(error) if error.class == FailureClass::Error => {
            ActionError::error("JA018", message(&error.message))
        }
        FsFailure::Action(error) => error,
        FsFailure::Machine(error) => ActionError::non_transient("JA003", message(&error)),
    }
}

#[cfg(test)]
mod tests;
