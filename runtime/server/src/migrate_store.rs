//! `hpdl migrate-store`: copies the job store to PostgreSQL, or back to a file.

use clap::{Args, ValueEnum};
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    home::{
        Home,
        store_location::{StoreLocation, URL},
    },
    shown::say,
};
use hpdlc_store::{self as store, migration, query};

#[derive(Debug, Args)]
pub struct MigrateStore {
    /// Where the jobs are
    #[arg(long, value_name = "STORE", value_enum)]
    from: Kind,
    /// Where they are to be; there must be none yet
    #[arg(long, value_name = "STORE", value_enum)]
    to: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The file of the state folder
    Sqlite,
    /// The database that `hpdl.store.url` names
    Postgres,
}

impl MigrateStore {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        if self.from == self.to {
            return Err(RunError::usage("--from and --to name the same store")
                .with_help("type: hpdl migrate-store --from sqlite --to postgres"));
        }
        let configured = &session.home;
        if configured.store_location().is_file() {
            return Err(RunError::usage(format!("{URL} does not name a database"))
                .with_help(format!("set {URL} in the settings file, or HPDL_STORE_URL")));
        }
        let file = configured.with_store(StoreLocation::Sqlite(configured.store()));
        let (from, to) = match self.from {
            Kind::Sqlite => (&file, configured),
            Kind::Postgres => (configured, &file),
        };
        if !from.store_location().may_exist() {
            return Err(RunError::usage(format!(
                "there is no job store {}",
                from.store_location()
            )));
        }
        let source = store::open(from)?;
        let described = |error| store::StoreError::from(error).describe(from.store_location());
        let unfinished = query::unfinished_ids(&source).map_err(described)?;
        if let Some(owned) = unfinished.iter().find(|id| session.has_owner(id)) {
            return Err(RunError::usage(format!(
                "job {owned} has an owner, which writes to the old store"
            ))
            .with_help("send SIGTERM to its process, and try again: it goes on from the new one by `recover`"));
        }
        let target = store::open(to)?;
        let shown = to.store_location().to_string();
        let copied = migration::copy(&source, &target);
        let copied = copied.map_err(|error| error.describe(&shown))?;
        let n_rows: u64 = copied.iter().map(|table| table.n_rows).sum();
        let n_jobs = copied.iter().find(|table| table.name == "jobs");
        say(&format!(
            "copied {} jobs ({n_rows} rows) to {shown}, and compared them",
            n_jobs.map_or(0, |table| table.n_rows),
        ));
        say(&next(from, self.to));
        Ok(Exit::Success)
    }
}

/// What is to be done now.
fn next(from: &Home, to: Kind) -> String {
    match to {
        Kind::Postgres => format!(
            "{} is as it was: keep it as a backup, or remove it",
            from.store_location()
        ),
        Kind::Sqlite => format!("remove {URL} from the settings: jobs are in the file then"),
    }
}
