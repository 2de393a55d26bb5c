//! The `fs` action: delete, mkdir, move, chmod, chgrp, touchz and setrep, in the order of the document.
//!
//! Nothing is checked ahead and nothing is rolled back, as in Oozie (`FsActionExecutor`). An [`OperationJournal`] beside the attempt's
//! folder, a write-ahead log, says what has begun and what is finished, so that a run after a crash neither repeats an
//! operation nor mistakes its own result for an obstacle. A file system that does not answer is of class TRANSIENT, and the
//! next attempt continues with the journal of the previous one.
//!
//! Error codes of class ERROR: FS001 no scheme, FS002 scheme not supported, FS004 mkdir, FS005 delete, FS006 nothing to
//! move, FS007 move between file systems, FS008 move, FS009 nothing to change, FS010 permissions, FS011 relative path, FS012
//! many sources and one target, FS013 too many matches, FS014 access denied; `HadoopAccessorException` a scheme that the site
//! does not allow; `Exception`, `IOException` and `NumberFormatException` where Oozie names the Java class.

use std::{
    borrow::Cow,
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use hpdlc_core::{action::TypedBody, coded_message::coded, el::scope::Scope, step::FailureClass};
use hpdlc_files::{Access, AccessSettings, GLOB_MAX, Uri};
use hpdlc_launcher::{Attempt, TimeLimit};
use hpdlc_program::{
    evaluate::EvaluationError,
    failure::ActionError,
    table::{self, App, FsOperation, Property, Settings, Template},
};
use serde::{Deserialize, Serialize};

use crate::{Completion, Evaluate, Evaluation, Executor, RunsIn, Work, empty_parts, time_limit};

mod failure;
mod journal;
mod operations;
mod permissions;
mod proposal;
mod relocate;
mod relocation;

use self::{journal::OperationJournal, operations::OperationContext};

pub use self::{failure::FsFailure, operations::make_folder};

pub const CANCELED: &str = "HPDL_CANCELED";

/// An `fs` action whose templates are evaluated. Paths are as written; they are resolved when they are used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fs {
    /// The file system of paths without scheme and host.
    pub name_node: Option<String>,
    pub operations: Vec<Operation>,
    /// `oozie.action.fs.glob.max`
    pub glob_max: usize,
    /// Whether the rules of the proposal of 2009 apply.
    #[serde(default)]
    pub of_proposal: bool,
    /// Settings for accessing its file systems.
    #[serde(default, skip_serializing_if = "is_default")]
    pub access: AccessSettings,
    /// Time limit of all operations together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<TimeLimit>,
}

fn is_default(access: &AccessSettings) -> bool {
    *access == AccessSettings::default()
}

/// One element of the action's body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Operation {
    Delete {
        path: String,
        skip_trash: bool,
    },
    Mkdir {
        path: String,
    },
    Move {
        source: String,
        target: String,
    },
    Chmod {
        path: String,
        permissions: String,
        dir_files: bool,
        recursive: bool,
    },
    Chgrp {
        path: String,
        group: String,
        dir_files: bool,
        recursive: bool,
    },
    Touchz {
        path: String,
    },
    Setrep {
        path: String,
        factor: String,
    },
}

impl Fs {
    /// Evaluates every template of the body in the order of the document. Values of `job-xml` and `configuration` have no
    /// effect on local files, but a mistake in them fails the job as it does in Oozie.
    ///
    /// # Errors
    ///
    /// The first template that has no value. Errors in a path are found by [`Fs::perform_all`].
    pub fn evaluate(def: &table::Fs, scope: &dyn Scope) -> Result<Fs, EvaluationError> {
        if let Some(resource_manager) = &def.settings.resource_manager {
            resource_manager.evaluate(scope)?;
        }
        let name_node = match &def.settings.name_node {
            Some(name_node) => Some(trim(&name_node.evaluate(scope)?).to_owned()),
            None => None,
        };
        for template in unread_templates(&def.settings) {
            template.evaluate(scope)?;
        }
        let operations = def
            .operations
            .iter()
            .map(|operation| Operation::evaluate(operation, scope))
            .collect::<Result<_, _>>()?;
        Ok(Fs {
            name_node,
            operations,
            glob_max: GLOB_MAX,
            of_proposal: def.of_proposal,
            access: AccessSettings::default(),
            limit: None,
        })
    }

    /// Performs the operations that `journal` does not show as finished. Blocks, possibly for long.
    ///
    /// `journal` is created if missing; it belongs to one attempt. `earlier` is that of the previous attempt, whose
    /// operations this one continues if a file system did not answer.
    ///
    /// # Errors
    ///
    /// The first operation that fails; those before it are not undone.
    pub fn perform_all(
        &self,
        journal: &Path,
        earlier: Option<&Path>,
        is_canceled: &AtomicBool,
    ) -> Result<(), FsFailure> {
        if let Some(earlier) = earlier {
            journal::continue_from(earlier, journal).map_err(FsFailure::Machine)?;
        }
        let run = |is_canceled: &AtomicBool| {
            let mut access = Access::new(&self.access, is_canceled);
            access.glob_max = self.glob_max;
            self.run_with(journal, access)
        };
        match self.limit {
            Some(limit) => in_time(limit, is_canceled, run),
            None => run(is_canceled),
        }
    }

    fn run_with(&self, journal: &Path, access: Access<'_>) -> Result<(), FsFailure> {
        let is_canceled = access.local.is_canceled;
        let name_node = self.name_node.as_deref().map(Uri::parse);
        if let Some(name_node) = name_node
            && name_node.scheme.is_none()
        {
            let message = format!("Missing scheme in path [{}], the name-node", name_node.path);
            return Err(FsFailure::new("FS001", message));
        }
        let context = OperationContext {
            name_node,
            access,
            is_canceled,
        };
        let mut journal = OperationJournal::open(journal).map_err(FsFailure::Machine)?;
        let result = self.perform(&context, &mut journal);
        // An attempt that exceeded its time limit was canceled, and may be tried again.
        if let Err(FsFailure::Action(error)) = &result
            && (error.class == FailureClass::Transient || error.code == CANCELED)
        {
            journal.interrupted().map_err(FsFailure::Machine)?;
        }
        result
    }

    fn perform(
        &self,
        context: &OperationContext<'_>,
        journal: &mut OperationJournal,
    ) -> Result<(), FsFailure> {
        let operations = if self.of_proposal {
            let home = context.home()?;
            Cow::Owned(proposal::resolved(&self.operations, home.as_deref()))
        } else {
            Cow::Borrowed(&self.operations)
        };
        // The checks have passed if an earlier run has begun an operation.
        if self.of_proposal
            && let Some(first) = operations.first()
            && journal.begun(0, first).is_none()
            && !journal.is_done(0, first)
        {
            proposal::check(context, &operations)?;
        }
        for (index, operation) in operations.iter().enumerate() {
            if context.is_canceled.load(Ordering::Relaxed) {
                return Err(FsFailure::canceled());
            }
            if journal.is_done(index, operation) {
                continue;
            }
            context.perform(index, operation, journal)?;
            journal.done(index).map_err(FsFailure::Machine)?;
        }
        Ok(())
    }
}

impl Evaluate for table::Fs {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        empty_parts::refuse(cx, empty_parts::of_fs(self.operations))?;
        let mut evaluated = Fs::evaluate(self, cx.scope)?;
        if evaluated.name_node.is_none() {
            let inherited = cx.name_node(&self.settings)?;
            evaluated.name_node = inherited.map(|text| trim(&text).to_owned());
        }
        evaluated.glob_max = cx.glob_max();
        evaluated.access = cx.access.settings.clone();
        evaluated.limit = limit(cx, self)?;
        // Local files need no settings.
        if cfg!(feature = "full") {
            let configuration = cx.effective_configuration(&self.settings)?;
            evaluated.access = evaluated.access.with(&configuration);
        }
        Ok(Work::Fs(evaluated))
    }

    fn is_blocking(&self, _: &App) -> bool {
        is_blocking(self)
    }
}

/// Whether evaluating may take long: a template looks at files.
fn is_blocking(def: &table::Fs) -> bool {
    let settings = &def.settings;
    let mut in_configuration = settings.configuration.iter().flat_map(Property::templates);
    // `job-xml` files may have settings for other file systems.
    let reads_files = cfg!(feature = "full") && !settings.job_xml.is_empty();
    reads_files
        || def.texts().iter().any(|template| template.is_blocking())
        || in_configuration.any(|template| template.is_blocking())
}

/// The time limit of the action. Nothing else in its configuration affects local files, so only this is read.
fn limit(cx: &Evaluation<'_>, def: &table::Fs) -> Result<Option<TimeLimit>, ActionError> {
    let own = def
        .settings
        .configuration
        .iter()
        .rfind(|property| property.name() == time_limit::TIMEOUT);
    let own = match own {
        Some(property) => Some(property.value().evaluate(cx.scope)?),
        None => None,
    };
    time_limit::time_limit(&|name| {
        let own = own.clone().filter(|_| name == time_limit::TIMEOUT);
        own.or_else(|| cx.setting(name))
    })
}

impl Executor for Fs {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Engine
    }

    fn is_slow_to_start(&self) -> bool {
        true
    }

    fn run(
        &self,
        attempt: &Attempt,
        is_canceled: &AtomicBool,
    ) -> Option<Result<Completion, String>> {
        let journal = attempt.beside("journal");
        if let Err(error) = make_parent(&journal) {
            return Some(Err(error));
        }
        let earlier = attempt.earlier();
        let earlier = earlier.map(|attempt| attempt.beside("journal"));
        Some(
            match self.perform_all(&journal, earlier.as_deref(), is_canceled) {
                Ok(()) => Ok(Completion::ok("OK")),
                Err(FsFailure::Action(error)) => {
                    Ok(Completion::failed(beginning_with_its_code(error), "ERROR"))
                }
                Err(FsFailure::Machine(error)) => Err(format!("{}: {error}", journal.display())),
            },
        )
    }
}

/// The message as Oozie has it (`ActionExecutorException`), since messages of kill nodes and decisions read it. Codes that only hpdlc has
/// are not in it.
fn beginning_with_its_code(mut error: ActionError) -> ActionError {
    if !error.code.starts_with("HPDL_") {
        error.message = coded(&error.code, &error.message).into_owned();
    }
    error
}

fn make_parent(path: &Path) -> Result<(), String> {
    let Some(parent) = path.parent() else {
        return Ok(());
    };
    std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))
}

/// Stops `work` when the time limit is exceeded, in the way a cancellation does: between two operations, within a long one, and
/// while a remote file system does not answer.
fn in_time(
    limit: TimeLimit,
    is_canceled: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> Result<(), FsFailure>,
) -> Result<(), FsFailure> {
    let is_over = AtomicBool::new(false);
    let (done, awaited) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let is_over = &is_over;
        scope.spawn(move || {
            let time = Duration::from_secs(limit.seconds);
            // The sender is dropped when the work is done.
            if awaited.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                is_over.store(true, Ordering::Relaxed);
                is_canceled.store(true, Ordering::Relaxed);
            }
        });
        let result = work(is_canceled);
        drop(done);
        match result {
            Err(FsFailure::Action(error))
                if error.code == CANCELED && is_over.load(Ordering::Relaxed) =>
            {
                Err(time_limit::time_over("the action", limit.seconds).into())
            }
            result => result,
        }
    })
}

impl Operation {
    fn evaluate(def: &FsOperation, scope: &dyn Scope) -> Result<Operation, EvaluationError> {
        let text = |template: &Template| -> Result<String, EvaluationError> {
            Ok(trim(&template.evaluate(scope)?).to_owned())
        };
        let dir_files = |template: &Option<Template>| -> Result<bool, EvaluationError> {
            let Some(template) = template else {
                return Ok(true);
            };
            Ok(template.evaluate(scope)?.eq_ignore_ascii_case("true"))
        };
        Ok(match def {
            FsOperation::Delete { path, skip_trash } => Operation::Delete {
                path: text(path)?,
                // Only the exact text `false` selects the trash.
                skip_trash: match skip_trash {
                    Some(template) => template.evaluate(scope)? != "false",
                    None => true,
                },
            },
            FsOperation::Mkdir { path } => Operation::Mkdir { path: text(path)? },
            FsOperation::Move { source, target } => Operation::Move {
                source: text(source)?,
                target: text(target)?,
            },
            FsOperation::Chmod {
                path,
                permissions,
                dir_files: it,
                recursive,
            } => Operation::Chmod {
                path: text(path)?,
                permissions: text(permissions)?,
                dir_files: dir_files(it)?,
                recursive: *recursive,
            },
            FsOperation::Chgrp {
                path,
                group,
                dir_files: it,
                recursive,
            } => Operation::Chgrp {
                path: text(path)?,
                group: text(group)?,
                dir_files: dir_files(it)?,
                recursive: *recursive,
            },
            FsOperation::Touchz { path } => Operation::Touchz { path: text(path)? },
            FsOperation::Setrep { path, factor } => Operation::Setrep {
                path: text(path)?,
                factor: text(factor)?,
            },
        })
    }
}

/// Templates that no operation reads, although an error in them ends the action, in the order of the schema. They come after
/// the resource manager and the name node.
fn unread_templates(settings: &Settings) -> impl Iterator<Item = Template> {
    let configuration = settings.configuration.iter().flat_map(Property::templates);
    settings.job_xml.iter().copied().chain(configuration)
}

/// Trims as Java's `String.trim` does.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|character| character <= ' ')
}

#[cfg(test)]
mod tests;
