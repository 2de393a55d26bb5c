//! The functions of prefix `coord`, by evaluation phase (Oozie's `CoordELFunctions`).
//!
//! The compiler checks which texts may call which function. Here a function that has no value in a phase is undefined.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    sync::Arc,
};

use chrono::DateTime;

use crate::{
    coordinator::{
        action::ActionFacts,
        arguments::whole_number,
        control_settings::ControlSettings,
        dates,
        instances::{InstanceRequest, InstanceScope},
        partitions, uri_template,
    },
    el::{
        error::{ElError, ElErrorKind},
        scope::{ClusterFacts, CoordinatorFacts, CoordinatorScope, NoJob, Scope},
        text::TextValue,
        value::Value,
    },
    time::ProcessingZone,
};

/// The properties and settings of a job.
#[derive(Clone, Debug)]
pub struct JobValues {
    properties: BTreeMap<String, String>,
    user: Option<String>,
    processing_zone: ProcessingZone,
    /// The variables of texts that are evaluated per action.
    scope: NoJob,
    /// The variables of texts that are evaluated at submission: includes the date parts, which evaluate to themselves.
    submission_scope: NoJob,
    control_settings: ControlSettings,
}

impl JobValues {
    /// `properties` with references between them substituted. `user` is the user who runs the job.
    pub fn new(
        properties: BTreeMap<String, String>,
        user: Option<String>,
        processing_zone: ProcessingZone,
    ) -> JobValues {
        let scope = NoJob::new(&properties, DateTime::UNIX_EPOCH);
        let mut submission_scope = scope.clone();
        for name in ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"] {
            if let Some(echo) = uri_template::echo(name) {
                submission_scope.variables.insert(name.to_owned(), echo);
            }
        }
        JobValues {
            properties,
            user,
            processing_zone,
            scope,
            submission_scope,
            control_settings: ControlSettings::default(),
        }
    }

    /// The same with the settings of a site for the controls.
    #[must_use]
    pub fn with_control_settings(mut self, settings: ControlSettings) -> JobValues {
        self.control_settings = settings;
        self
    }

    pub fn control_settings(&self) -> ControlSettings {
        self.control_settings
    }

    /// The same with access to the configurations of clusters.
    #[must_use]
    pub fn with_clusters(mut self, clusters: Arc<dyn ClusterFacts>) -> JobValues {
        self.submission_scope.clusters = Some(Arc::clone(&clusters));
        self.scope.clusters = Some(clusters);
        self
    }

    pub fn processing_zone(&self) -> ProcessingZone {
        self.processing_zone
    }

    pub fn properties(&self) -> &BTreeMap<String, String> {
        &self.properties
    }

    /// Evaluates a text for an action: a property of its workflow's configuration.
    ///
    /// # Errors
    ///
    /// The first expression without a value.
    pub fn evaluate_for_action(
        &self,
        text: &dyn TextValue,
        action: &ActionFacts,
    ) -> Result<String, ElError> {
        let functions = CoordinatorFunctions::new(self, EvaluationPhase::Action(action));
        text.value(&functions.over(&self.scope))
    }

    /// Evaluates a text that is read at submission and has no functions of its own.
    ///
    /// # Errors
    ///
    /// The first expression without a value.
    pub fn evaluate_at_submission(&self, text: &dyn TextValue) -> Result<String, ElError> {
        self.evaluate(
            text,
            &CoordinatorFunctions::new(self, EvaluationPhase::Submission),
        )
    }

    /// Calls `read` with the scope of texts that are evaluated for an action.
    pub fn in_scope_of_action<T>(
        &self,
        action: &ActionFacts,
        read: impl FnOnce(&dyn Scope) -> T,
    ) -> T {
        let functions = CoordinatorFunctions::new(self, EvaluationPhase::Action(action));
        read(&functions.over(&self.scope))
    }

    /// Calls `read` with the scope of texts that are evaluated at submission.
    pub fn in_scope_of_submission<T>(&self, read: impl FnOnce(&dyn Scope) -> T) -> T {
        let functions = CoordinatorFunctions::new(self, EvaluationPhase::Submission);
        read(&functions.over(&self.submission_scope))
    }

    /// Evaluates a text in its phase.
    pub(super) fn evaluate(
        &self,
        text: &dyn TextValue,
        functions: &CoordinatorFunctions<'_>,
    ) -> Result<String, ElError> {
        let scope = match functions.phase {
            EvaluationPhase::Submission | EvaluationPhase::InitialInstance => {
                &self.submission_scope
            }
            EvaluationPhase::Timeout
            | EvaluationPhase::Instance(_)
            | EvaluationPhase::Action(_) => &self.scope,
        };
        let value = text.value(&functions.over(scope))?;
        Ok(value.trim().to_owned())
    }

    pub(super) fn scope(&self) -> &NoJob {
        &self.scope
    }
}

/// When a text is evaluated.
#[derive(Clone, Copy)]
pub(super) enum EvaluationPhase<'a> {
    /// Once, with only the functions of the job.
    Submission,
    InitialInstance,
    Timeout,
    /// For each action, in texts that name instances. Without a scope, what depends on the action has no value yet.
    Instance(Option<InstanceScope<'a>>),
    /// For each action, in the configuration of its workflow.
    Action(&'a ActionFacts),
}

pub(super) struct CoordinatorFunctions<'a> {
    job: &'a JobValues,
    phase: EvaluationPhase<'a>,
    /// The instances that the last call requested, and the text that the call returned as a placeholder.
    pub(super) asked: RefCell<Option<(InstanceRequest, String)>>,
    /// A called function has a different value for each action.
    pub(super) depends_on_action: Cell<bool>,
}

impl<'a> CoordinatorFunctions<'a> {
    pub(super) fn new(job: &'a JobValues, phase: EvaluationPhase<'a>) -> CoordinatorFunctions<'a> {
        CoordinatorFunctions {
            job,
            phase,
            asked: RefCell::default(),
            depends_on_action: Cell::default(),
        }
    }

    /// These functions, with `scope` for everything else.
    pub(super) fn over<'s>(&'s self, scope: &'s NoJob) -> CoordinatorScope<'s> {
        CoordinatorScope {
            base: scope,
            coordinator: self,
        }
    }

    fn of_job(&self, name: &str, args: &[String]) -> Option<Result<Value, ElError>> {
        let value = match name {
            "conf" => {
                let value = args.first().and_then(|name| self.job.properties.get(name));
                Ok(Value::Text(value.cloned().unwrap_or_default()))
            }
            "user" => match &self.job.user {
                Some(user) => Ok(Value::Text(user.clone())),
                None => Err(ElError::needs_job("function `coord:user`")
                    .with_help("give the property `user.name`")),
            },
            _ => return None,
        };
        Some(value)
    }

    fn of_dates(&self, name: &str, args: &[String]) -> Option<Result<Value, ElError>> {
        let zone = self.job.processing_zone;
        let value = match (name, args) {
            ("dateOffset", [base, n, unit]) => {
                whole_number(name, n).and_then(|n| dates::offset(base, n, unit, zone))
            }
            ("dateTzOffset", [base, other]) => dates::tz_offset(base, other, zone),
            ("formatTime", [date, pattern]) => dates::format(date, pattern, zone),
            ("epochTime", [date, millis]) => dates::epoch(date, millis, zone),
            _ => return None,
        };
        Some(value.map(Value::Text))
    }

    fn of_instances(
        &self,
        scope: Option<InstanceScope<'a>>,
        name: &str,
        args: &[String],
    ) -> Option<Result<Value, ElError>> {
        if let Some(asked) = InstanceRequest::read(name, args, self.job.processing_zone) {
            return Some(asked.map(|asked| {
                let echo = format!("${{coord:{name}({})}}", args.join(","));
                self.asked.replace(Some((asked, echo.clone())));
                Value::Text(echo)
            }));
        }
        let numbers = matches!(name, "hoursInDay" | "daysInMonth" | "tzOffset");
        let Some(scope) = scope.filter(|_| numbers) else {
            self.depends_on_action.update(|depends| depends | numbers);
            return numbers
                .then(|| Err(ElError::needs_job(format_args!("function `coord:{name}`"))));
        };
        let n = args.first().map_or(Ok(0), |n| whole_number(name, n));
        let value = n.map(|n| match name {
            "hoursInDay" => scope.hours_in_day(n),
            "daysInMonth" => scope.days_in_month(n),
            _ => scope.tz_offset(),
        });
        Some(value.map(Value::Long))
    }

    fn of_action(
        &self,
        action: &ActionFacts,
        name: &str,
        args: &[String],
    ) -> Option<Result<Value, ElError>> {
        let zone = self.job.processing_zone;
        let text = |text: &str| Ok(Value::Text(text.to_owned()));
        let value = match name {
            "nominalTime" => text(&zone.write(action.nominal)),
            "actualTime" => match action.actual {
                Some(actual) => text(&zone.write(actual)),
                None => Err(ElError::needs_job("function `coord:actualTime`")),
            },
            "actionId" => match &action.id {
                Some(id) => text(id),
                None => Err(ElError::needs_job("function `coord:actionId`")),
            },
            "name" => text(&action.name),
            _ => {
                let (event, args) = args.split_first()?;
                return action.of_event(name, event, args);
            }
        };
        Some(value)
    }
}

/// How many arguments a function takes; `None` for an unknown one.
fn n_arguments(name: &str) -> Option<usize> {
    Some(match name {
        "user" | "nominalTime" | "actualTime" | "actionId" | "name" | "tzOffset" => 0,
        "conf" | "minutes" | "hours" | "days" | "months" | "current" | "latest" | "absolute"
        | "endOfDays" | "endOfWeeks" | "endOfMonths" | "hoursInDay" | "daysInMonth" | "dataIn"
        | "dataOut" => 1,
        "dateTzOffset" | "formatTime" | "epochTime" | "currentRange" | "offset" | "latestRange"
        | "future" => 2,
        "dateOffset" | "futureRange" => 3,
        other => return partitions::n_arguments(other).map(|n| n + 1),
    })
}

impl CoordinatorFacts for CoordinatorFunctions<'_> {
    fn has(&self, prefix: Option<&str>, name: &str) -> bool {
        prefix == Some("coord") && n_arguments(name).is_some()
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Value, ElError> {
        let expected = n_arguments(name).unwrap_or(0);
        if args.len() != expected {
            let plural = if expected == 1 { "" } else { "s" };
            return Err(ElError::new(
                ElErrorKind::UnknownFunction,
                format!(
                    "expected {expected} argument{plural} for `coord:{name}`, found {}",
                    args.len()
                ),
            ));
        }
        let args: Vec<String> = args.iter().map(|arg| arg.to_text().into_owned()).collect();
        let own = match self.phase {
            EvaluationPhase::Submission => None,
            EvaluationPhase::Timeout => return timeout(name, &args),
            EvaluationPhase::InitialInstance if matches!(name, "dateOffset" | "dateTzOffset") => {
                self.of_dates(name, &args)
            }
            EvaluationPhase::InitialInstance => None,
            EvaluationPhase::Instance(scope) => self
                .of_dates(name, &args)
                .or_else(|| self.of_instances(scope, name, &args)),
            EvaluationPhase::Action(action) => self
                .of_dates(name, &args)
                .or_else(|| self.of_action(action, name, &args)),
        };
        own.or_else(|| self.of_job(name, &args)).unwrap_or_else(|| {
            Err(ElError::new(
                ElErrorKind::UnknownFunction,
                format!("function `coord:{name}` cannot be called here"),
            ))
        })
    }
}

/// Functions of a `timeout`, in minutes. A month has 30 days.
fn timeout(name: &str, args: &[String]) -> Result<Value, ElError> {
    let factor = match name {
        "minutes" => 1,
        "hours" => 60,
        "days" => 1440,
        "months" => 43200,
        _ => {
            return Err(ElError::new(
                ElErrorKind::UnknownFunction,
                format!("function `coord:{name}` cannot be called in a timeout"),
            ));
        }
    };
    let n = whole_number(name, args.first().map_or("", String::as_str))?;
    Ok(Value::Long(n.saturating_mul(factor)))
}
