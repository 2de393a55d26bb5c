//! `hpdl encrypt-store`: encrypts what the job store has already, with the first of its keys.

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    home::store_key::{SETTING, VARIABLE},
    shown::say,
};
use hpdlc_store::{self as store, encryption, sql::Dialect};

#[derive(Debug, Args)]
pub struct EncryptStore {}

impl EncryptStore {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let home = &session.home;
        let location = home.store_location();
        if home.store_keys().is_empty() {
            return Err(RunError::usage(format!("{SETTING} names no key"))
                .with_help(format!(
                    "make one by: openssl rand -hex 32 > FILE; set {SETTING} to ${{file:/path/of/FILE}}, or {VARIABLE}"
                )));
        }
        if !location.may_exist() {
            return Err(RunError::usage(format!("there is no job store {location}"))
                .with_help("nothing to do: the first job creates it, encrypted"));
        }
        let connection = store::open(home)?;
        let described = |error| store::StoreError::from(error).describe(location);
        let n_texts = encryption::encrypt(&connection).map_err(described)?;
        let key = connection.keys().map(|keys| keys.current().to_owned());
        say(&format!(
            "encrypted {n_texts} values in {location} with the key {}",
            key.unwrap_or_default()
        ));
        if home.store_keys().all().len() > 1 {
            say(&format!(
                "the other keys in {SETTING} can be removed once every process has the new one"
            ));
        }
        if connection.dialect() == Dialect::Postgres && n_texts > 0 {
            say("type: VACUUM FULL in the database, which keeps the old values until then");
        }
        Ok(Exit::Success)
    }
}
