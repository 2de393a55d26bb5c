//! Applications that were deployed, and their life cycle (section 8 of the proposal of 2009): deployed as INACTIVE, ACTIVE while new jobs are
//! accepted, SUSPENDED while existing jobs alone go on.

use std::{collections::BTreeMap, fmt};

use crate::{
    query::{self, DefinitionRow},
    sql::{self, Connection, OptionalExtension, Row},
};

/// Whether an application accepts new jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplicationStatus {
    Inactive,
    Active,
    Suspended,
}

/// A deployed application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplicationRow {
    pub name: String,
    /// The hash of its definition.
    pub hash: String,
    pub status: ApplicationStatus,
    /// Milliseconds since 1970.
    pub deployed: i64,
    /// When it came to its state, in milliseconds since 1970.
    pub changed: i64,
}

/// A change of an application's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition {
    Activate,
    Suspend,
    Deactivate,
    Undeploy,
}

/// Why an application was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is none of this name.
    Unknown,
    /// Its state does not allow the change.
    Status(ApplicationStatus),
    /// So many of its jobs have not ended.
    Jobs(u64),
}

impl ApplicationStatus {
    pub const ALL: [ApplicationStatus; 3] = [
        ApplicationStatus::Inactive,
        ApplicationStatus::Active,
        ApplicationStatus::Suspended,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ApplicationStatus::Inactive => "INACTIVE",
            ApplicationStatus::Active => "ACTIVE",
            ApplicationStatus::Suspended => "SUSPENDED",
        }
    }

    /// A name that no version has written is taken for the state in which nothing starts.
    fn of_name(name: &str) -> ApplicationStatus {
        let known = ApplicationStatus::ALL.into_iter();
        let mut known = known.filter(|status| status.name() == name);
        known.next().unwrap_or(ApplicationStatus::Inactive)
    }
}

impl fmt::Display for ApplicationStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Transition {
    /// The states in which it is allowed.
    pub fn from(self) -> &'static [ApplicationStatus] {
        match self {
            Transition::Activate => &[ApplicationStatus::Inactive, ApplicationStatus::Suspended],
            Transition::Suspend => &[ApplicationStatus::Active],
            Transition::Deactivate => &[ApplicationStatus::Suspended],
            Transition::Undeploy => &[ApplicationStatus::Inactive],
        }
    }

    /// The state that it leads to; `None` if the application is gone then.
    fn to(self) -> Option<ApplicationStatus> {
        match self {
            Transition::Activate => Some(ApplicationStatus::Active),
            Transition::Suspend => Some(ApplicationStatus::Suspended),
            Transition::Deactivate => Some(ApplicationStatus::Inactive),
            Transition::Undeploy => None,
        }
    }
}

/// What is known of the applications of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplicationSummary {
    /// The newest definition, or the deployed one.
    pub definition: DefinitionRow,
    /// How many definitions have had this name.
    pub n_definitions: u64,
    pub deployed: Option<ApplicationRow>,
    /// The jobs of this name that no other job has started.
    pub n_jobs: u64,
    pub n_unfinished: u64,
    /// When the newest one was created, in milliseconds since 1970.
    pub last_job: Option<i64>,
}

const COLUMNS: &str = "name, hash, status, deployed, changed";

fn read(row: &Row<'_>) -> sql::Result<ApplicationRow> {
    let status: String = row.get(2)?;
    Ok(ApplicationRow {
        name: row.get(0)?,
        hash: row.get(1)?,
        status: ApplicationStatus::of_name(&status),
        deployed: row.get(3)?,
        changed: row.get(4)?,
    })
}

/// All deployed applications, by name.
pub fn list(connection: &Connection) -> sql::Result<Vec<ApplicationRow>> {
    let sql = format!("SELECT {COLUMNS} FROM applications ORDER BY name");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], read)?;
    rows.collect()
}

/// The deployed application of this name.
pub fn named(connection: &Connection, name: &str) -> sql::Result<Option<ApplicationRow>> {
    let sql = format!("SELECT {COLUMNS} FROM applications WHERE name = ?1");
    connection.query_row(&sql, [name], read).optional()
}

/// The application that was deployed with this definition and accepts no new jobs.
pub fn closed(connection: &Connection, hash: &str) -> sql::Result<Option<ApplicationRow>> {
    let sql = format!("SELECT {COLUMNS} FROM applications WHERE hash = ?1 AND status <> 'ACTIVE'");
    connection.query_row(&sql, [hash], read).optional()
}

/// Every name that an executable was registered, deployed or has had jobs under, in alphabetical order; `name` selects one.
pub fn summaries(
    connection: &Connection,
    name: Option<&str>,
) -> sql::Result<Vec<ApplicationSummary>> {
    let mut jobs = connection.prepare(
        "SELECT app, count(*), 
             sum(CASE WHEN status IN ('SUCCEEDED', 'KILLED', 'FAILED') THEN 0 ELSE 1 END), max(created)
         FROM jobs WHERE parent_id IS NULL AND (CAST(?1 AS TEXT) IS NULL OR app = ?1) GROUP BY app",
    )?;
    let jobs = jobs.query_map([name], |row| {
        Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?)))
    })?;
    let jobs: BTreeMap<String, (i64, i64, i64)> = jobs.collect::<sql::Result<_>>()?;
    let mut names = connection.prepare(
        "SELECT app, (SELECT hash FROM definitions AS newest WHERE newest.app = definitions.app ORDER BY created DESC, hash LIMIT 1),
             max(created), count(*)
         FROM definitions WHERE CAST(?1 AS TEXT) IS NULL OR app = ?1 GROUP BY app ORDER BY app",
    )?;
    let mut rows = names.query([name])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let (app, newest): (String, String) = (row.get(0)?, row.get(1)?);
        let deployed = named(connection, &app)?;
        let hash = deployed.as_ref().map_or(&newest, |it| &it.hash);
        let Some(definition) = query::definition(connection, hash)? else {
            continue;
        };
        let of_name = jobs.get(&app);
        all.push(ApplicationSummary {
            definition,
            n_definitions: count(row.get(3)?),
            deployed,
            n_jobs: of_name.map_or(0, |(all, ..)| count(*all)),
            n_unfinished: of_name.map_or(0, |(_, unfinished, _)| count(*unfinished)),
            last_job: of_name.map(|(.., last)| *last),
        });
    }
    Ok(all)
}

fn count(n: i64) -> u64 {
    u64::try_from(n).unwrap_or_default()
}

/// Adds an application as INACTIVE; returns the one of this name if it exists already.
pub fn deploy(
    connection: &Connection,
    definition: &DefinitionRow,
) -> sql::Result<Option<ApplicationRow>> {
    let existing = named(connection, &definition.app)?;
    if existing.is_none() {
        query::register_definition(connection, definition)?;
        connection.execute(
            "INSERT INTO applications (name, hash, status, deployed, changed) VALUES (?1, ?2, ?3, ?4, ?4)",
            (
                &definition.app,
                &definition.hash,
                ApplicationStatus::Inactive.name(),
                definition.created,
            ),
        )?;
    }
    Ok(existing)
}

/// Changes the state of an application at `now`; returns it as it was before, or why it was not changed.
pub fn change(
    connection: &Connection,
    name: &str,
    transition: Transition,
    now: i64,
) -> sql::Result<Result<ApplicationRow, Refusal>> {
    let Some(application) = named(connection, name)? else {
        return Ok(Err(Refusal::Unknown));
    };
    if !transition.from().contains(&application.status) {
        return Ok(Err(Refusal::Status(application.status)));
    }
    let n_jobs = match transition {
        Transition::Deactivate => n_unfinished(connection, &application.hash)?,
        Transition::Activate | Transition::Suspend | Transition::Undeploy => 0,
    };
    if n_jobs > 0 {
        return Ok(Err(Refusal::Jobs(n_jobs)));
    }
    match transition.to() {
        Some(status) => connection.execute(
            "UPDATE applications SET status = ?2, changed = ?3 WHERE name = ?1",
            (name, status.name(), now),
        )?,
        None => connection.execute("DELETE FROM applications WHERE name = ?1", [name])?,
    };
    Ok(Ok(application))
}

/// How many jobs of a definition have not ended.
fn n_unfinished(connection: &Connection, hash: &str) -> sql::Result<u64> {
    connection.query_row(
        "SELECT count(*) FROM jobs WHERE hash = ?1 AND status NOT IN ('SUCCEEDED', 'KILLED', 'FAILED')",
        [hash],
        |row| row.get(0).map(count),
    )
}

#[cfg(test)]
mod tests {
    use super::{ApplicationStatus::*, *};
    use crate::{JobRow, query::ApplicationOrigin};
    use hpdlc_core::status::JobStatus;

    fn store() -> Connection {
        let connection = crate::testing::store();
        let definition = DefinitionRow {
            hash: "aa".to_owned(),
            app: "load".to_owned(),
            hpdlc_version: String::new(),
            created: 5,
            origin: ApplicationOrigin::Program,
            program: String::new(),
            secrets: None,
        };
        assert_eq!(deploy(&connection, &definition).unwrap(), None);
        let existing = deploy(&connection, &definition).unwrap().unwrap();
        assert_eq!((existing.status, existing.deployed), (Inactive, 5));
        connection
    }

    #[test]
    fn states_change_as_the_proposal_allows() {
        use Transition::{Activate, Deactivate, Suspend, Undeploy};
        let all = [Activate, Suspend, Deactivate, Undeploy];
        for (status, allowed) in [
            (Inactive, &[Activate, Undeploy][..]),
            (Active, &[Suspend]),
            (Suspended, &[Activate, Deactivate]),
        ] {
            for transition in all {
                let connection = store();
                connection
                    .execute("UPDATE applications SET status = ?1", [status.name()])
                    .unwrap();
                let changed = change(&connection, "load", transition, 9).unwrap();
                let is_allowed = allowed.contains(&transition);
                assert_eq!(changed.is_ok(), is_allowed, "{status} {transition:?}");
                let now = named(&connection, "load").unwrap();
                let expected = if is_allowed {
                    transition.to()
                } else {
                    Some(status)
                };
                assert_eq!(now.map(|it| it.status), expected, "{status} {transition:?}");
            }
        }
        let unknown = change(&store(), "unload", Activate, 9).unwrap();
        assert_eq!(unknown, Err(Refusal::Unknown));
    }

    #[test]
    fn an_application_is_deactivated_once_its_jobs_have_ended() {
        let connection = store();
        for transition in [Transition::Activate, Transition::Suspend] {
            assert!(change(&connection, "load", transition, 9).unwrap().is_ok());
        }
        for (id, status, hash) in [
            ("1-W", JobStatus::Running, "aa"),
            ("2-W", JobStatus::Suspended, "aa"),
            ("3-W", JobStatus::Succeeded, "aa"),
            ("4-W", JobStatus::Running, "bb"),
        ] {
            let job = JobRow {
                status,
                hash: hash.to_owned(),
                ..JobRow::new(id, 0)
            };
            query::insert_job(&connection, &job).unwrap();
        }
        let deactivate = || change(&connection, "load", Transition::Deactivate, 9).unwrap();
        assert_eq!(deactivate(), Err(Refusal::Jobs(2)));
        connection
            .execute("UPDATE jobs SET status = 'KILLED' WHERE hash = 'aa'", [])
            .unwrap();
        assert!(deactivate().is_ok());
    }

    #[test]
    fn what_is_not_active_accepts_no_jobs() {
        let connection = store();
        let closed_now = || closed(&connection, "aa").unwrap().map(|it| it.status);
        assert_eq!(closed_now(), Some(Inactive));
        assert!(
            change(&connection, "load", Transition::Activate, 9)
                .unwrap()
                .is_ok()
        );
        assert_eq!(closed_now(), None);
        assert_eq!(closed(&connection, "bb").unwrap(), None);
    }
}
