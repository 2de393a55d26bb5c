//! `apps activate`, `suspend`, `deactivate` and `undeploy`.

use clap::Args;
use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_runtime::fleet;
use hpdlc_store::applications::{self, ApplicationRow, ApplicationStatus, Refusal, Transition};

use crate::application;

#[derive(Debug, Args)]
pub(super) struct Change {
    /// The application's name
    #[arg(value_name = "APPLICATION")]
    name: String,
}

impl Change {
    pub(super) fn execute(
        &self,
        session: &Session,
        transition: Transition,
    ) -> Result<Exit, RunError> {
        let name = &self.name;
        let now = change(session, name, transition)?;
        fleet::print(&format!("application {name} {now}\n"))?;
        Ok(Exit::Success)
    }
}

/// Changes the state of an application; returns what it is then.
///
/// # Errors
///
/// Exit 2 if its state or its jobs do not allow it.
pub(crate) fn change(
    session: &Session,
    name: &str,
    transition: Transition,
) -> Result<&'static str, RunError> {
    let changed = stored(session, name, transition)?;
    let application = match changed {
        Ok(application) => application,
        Err(refusal) => return Err(refused(session, name, transition, refusal)?),
    };
    Ok(match transition {
        Transition::Activate => "ACTIVE",
        Transition::Suspend => "SUSPENDED",
        Transition::Deactivate => "INACTIVE",
        Transition::Undeploy => {
            registry::sweep(session, &application.hash)?;
            "undeployed"
        }
    })
}

fn stored(
    session: &Session,
    name: &str,
    transition: Transition,
) -> Result<Result<ApplicationRow, Refusal>, RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let write_lock = session.write_lock();
    let _write_lock = write_lock.wait();
    let transaction = connection.transaction().map_err(describe)?;
    let changed = applications::change(&transaction, name, transition, clock::now_millis())
        .map_err(describe)?;
    transaction.commit().map_err(describe)?;
    Ok(changed)
}

/// The error for a change that is not allowed.
fn refused(
    session: &Session,
    name: &str,
    transition: Transition,
    refusal: Refusal,
) -> Result<RunError, RunError> {
    Ok(match refusal {
        Refusal::Unknown => {
            let found = application::find(session, name)?;
            RunError::usage(format!(
                "application {name} was not deployed: it has no state"
            ))
            .with_help(format!(
                "deploy its executable: hpdl apps deploy {}",
                found.definition.program
            ))
        }
        Refusal::Status(status) => {
            let allowed: Vec<&str> = transition.from().iter().map(|it| it.name()).collect();
            RunError::usage(format!(
                "application {name} is {status}; {} requires {}",
                word(transition),
                allowed.join(" or ")
            ))
            .with_help(next_step(name, status, transition))
        }
        Refusal::Jobs(n_jobs) => RunError::usage(format!(
            "application {name} has {n_jobs} {} not ended",
            if n_jobs == 1 {
                "job that has"
            } else {
                "jobs that have"
            }
        ))
        .with_help(format!(
            "wait for them, or kill them: hpdl jobs --app {name} --status PREP,RUNNING,SUSPENDED"
        )),
    })
}

fn word(transition: Transition) -> &'static str {
    match transition {
        Transition::Activate => "`activate`",
        Transition::Suspend => "`suspend`",
        Transition::Deactivate => "`deactivate`",
        Transition::Undeploy => "`undeploy`",
    }
}

/// What leads an application closer to where a change is allowed.
fn next_step(name: &str, status: ApplicationStatus, transition: Transition) -> String {
    let command = match (status, transition) {
        (ApplicationStatus::Active, Transition::Activate) => {
            return format!("it accepts jobs already: hpdl submit {name}");
        }
        (ApplicationStatus::Active, _) => "suspend",
        (ApplicationStatus::Suspended, Transition::Suspend) => {
            return "it accepts no jobs already".to_owned();
        }
        (ApplicationStatus::Suspended, _) => "deactivate",
        (ApplicationStatus::Inactive, Transition::Deactivate) => {
            return "it is there already".to_owned();
        }
        (ApplicationStatus::Inactive, _) => "activate",
    };
    format!("type first: hpdl apps {command} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refused_change_names_a_next_step() {
        let all = [
            Transition::Activate,
            Transition::Suspend,
            Transition::Deactivate,
            Transition::Undeploy,
        ];
        for status in ApplicationStatus::ALL {
            for transition in all {
                if transition.from().contains(&status) {
                    continue;
                }
                let step = next_step("load", status, transition);
                let own = format!("hpdl apps {} load", word(transition).trim_matches('`'));
                assert!(!step.ends_with(&own), "{status} {transition:?}: {step}");
            }
        }
        let undeploy = next_step("load", ApplicationStatus::Active, Transition::Undeploy);
        assert_eq!(undeploy, "type first: hpdl apps suspend load");
    }
}
