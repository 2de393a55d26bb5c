//! `register`: stores a copy of this executable, and the URIs by which it is found.

use clap::Args;
use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_store::{
    applications::{self, ApplicationRow},
    definitions,
    query::ApplicationOrigin,
};

use crate::commands::say;

#[derive(Debug, Args)]
pub(super) struct Register {
    /// The URI by which sub-workflows and coordinators name this application; may be repeated
    #[arg(long = "as", value_name = "URI")]
    uris: Vec<String>,
    /// Deploy it as an application, for `hpdl apps deploy`
    #[arg(long, hide = true, conflicts_with = "uris")]
    deploy: bool,
}

impl Register {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let app = session.program.name();
        let definition = registry::definition(session.program, &app, ApplicationOrigin::Program);
        let uris: Vec<String> = self
            .uris
            .iter()
            .map(|uri| hpdlc_core::app_uri::normalized(uri.trim()))
            .collect();
        let connection = session.store()?;
        let describe = |error| session.describe(error);
        registry::keep_executable(&session.home, session.program)?;
        let write_lock = session.write_lock();
        let write_lock = write_lock.wait();
        let transaction = connection.transaction().map_err(describe)?;
        registry::keep_executable(&session.home, session.program)?;
        if self.deploy
            && let Some(existing) =
                applications::deploy(&transaction, &definition).map_err(describe)?
        {
            drop(transaction);
            drop(write_lock);
            registry::sweep(session, &definition.hash)?;
            return Err(deployed_already(&existing));
        }
        let replaced = definitions::register(&transaction, &definition, &uris).map_err(describe)?;
        transaction.commit().map_err(describe)?;
        drop(write_lock);
        for hash in replaced {
            registry::sweep(session, &hash)?;
        }
        if self.deploy {
            say(&format!(
                "application {app} INACTIVE: it accepts jobs after `hpdl apps activate {app}`"
            ));
            return Ok(Exit::Success);
        }
        let names = if uris.is_empty() {
            String::new()
        } else {
            format!(" as {}", uris.join(", "))
        };
        say(&format!(
            "registered {app}{names}: {}",
            session.home.bin().join(&definition.hash).display()
        ));
        Ok(Exit::Success)
    }
}

/// The error for a name that is taken.
fn deployed_already(existing: &ApplicationRow) -> RunError {
    let (name, status) = (&existing.name, existing.status);
    RunError::usage(format!(
        "application {name} is deployed already, and is {status}"
    ))
    .with_help(format!("undeploy it first: hpdl apps undeploy {name}"))
}
