//! `register`: stores a copy of this executable, and the URIs by which it is found.

use clap::Args;
use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_store::{definitions, query::ApplicationOrigin};

use crate::commands::say;

#[derive(Debug, Args)]
pub(super) struct Register {
    /// The URI by which sub-workflows and coordinators name this application; may be repeated
    #[arg(long = "as", value_name = "URI")]
    uris: Vec<String>,
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
        let mut connection = session.store()?;
        let describe = |error| session.describe(error);
        registry::keep_executable(&session.home, session.program)?;
        let write_lock = session.write_lock();
        let write_lock = write_lock.wait();
        let transaction = connection.transaction().map_err(describe)?;
        registry::keep_executable(&session.home, session.program)?;
        let replaced = definitions::register(&transaction, &definition, &uris).map_err(describe)?;
        transaction.commit().map_err(describe)?;
        drop(write_lock);
        for hash in replaced {
            registry::sweep(session, &hash)?;
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
