//! Creates jobs, which this process owns from their first transaction on.

use std::{collections::BTreeMap, fs, sync::Arc};

use hpdlc_core::status::JobStatus;
use hpdlc_host::{
    clock,
    exit::RunError,
    job_id::{self, JobKind},
    settings::Settings,
};
use hpdlc_store::{
    JobRow, applications,
    query::{self, ApplicationOrigin},
    slas,
    sql::{self, Connection},
};

use crate::{
    job::submission,
    new_job::{JobToDrive, NewJob, NewJobOptions},
    registry, scheduling,
    session::{JobLock, Ownership, Session},
    sla,
};

impl Session {
    /// Creates a job of the program's own application, PREP or RUNNING, owned by this process.
    pub fn create(
        &self,
        given: BTreeMap<String, String>,
        origin: ApplicationOrigin,
        status: JobStatus,
    ) -> Result<(JobRow, Ownership), RunError> {
        let wanted = NewJobOptions {
            origin,
            status,
            speed: None,
            key: None,
        };
        match self.create_or_find(given, wanted)? {
            JobToDrive::New(row, ownership) => Ok((row, ownership)),
            JobToDrive::There(row) => {
                Err(RunError::machine(format!("job {} already exists", row.id)))
            }
        }
    }

    /// As [`Session::create`], unless there is a job with the requested key.
    pub fn create_or_find(
        &self,
        given: BTreeMap<String, String>,
        wanted: NewJobOptions<'_>,
    ) -> Result<JobToDrive, RunError> {
        if let Some(scheduling) = scheduling::of(self.program) {
            return (scheduling.create)(self, given, wanted);
        }
        let user = hpdlc_host::user::name();
        let folder = registry::folder(&self.home, self.program);
        let app = self.program.apps[0];
        let submission = submission::complete(app, given, &folder, &user)?;
        let new = NewJob {
            kind: JobKind::Workflow,
            app: submission.app_name,
            app_path: submission.app_path,
            conf: submission.conf,
            status: wanted.status,
            slas: submission.slas,
        };
        self.insert(new, &user, wanted, &|_, _| Ok(()))
    }

    /// Writes a new job, and what `write` writes in the same transaction; looks for one with the key first.
    pub fn insert(
        &self,
        new: NewJob,
        user: &str,
        wanted: NewJobOptions<'_>,
        write: &dyn Fn(&Connection, &JobRow) -> sql::Result<()>,
    ) -> Result<JobToDrive, RunError> {
        registry::unpack(&self.home, self.program)?;
        let connection = self.store()?;
        let write_lock = self.write_lock();
        // The copy blocks other writers during the transaction, so it is made before, and found complete then.
        registry::keep_executable(&self.home, self.program)?;
        let write_lock = write_lock.wait();
        let transaction = connection
            .transaction()
            .map_err(|error| self.describe(error))?;
        self.check_accepts(&transaction)?;
        let created = clock::now();
        let number =
            query::next_number(&transaction, query::JOBS).map_err(|error| self.describe(error))?;
        let id = job_id::job(number, created, new.kind);
        // The number was written, so no other process can create a job with the key meanwhile.
        if let Some(key) = wanted.key {
            let there = query::jobs_of_key(&transaction, key, &new.app, &id[id.len() - 1..])
                .map_err(|error| self.describe(error))?;
            if let Some(row) = of_key(there) {
                return Ok(JobToDrive::There(row));
            }
        }
        let row = JobRow {
            key: wanted.key.map(str::to_owned),
            app: new.app,
            app_path: new.app_path,
            user: user.to_owned(),
            status: new.status,
            conf: serde_json::to_string(&new.conf).expect("a map of strings is JSON"),
            hash: self.program.hash.to_owned(),
            ..JobRow::new(&id, created.timestamp_millis())
        };
        registry::keep_executable(&self.home, self.program)?;
        let lock = self.make_room(&id, &transaction)?;
        let definition = registry::definition(self.program, &row.app, wanted.origin);
        let settings = Settings {
            conf: &new.conf,
            site: &self.site,
        };
        let slas = sla::registered(&id, &new.slas, settings);
        let host = self.host()?;
        let epoch = query::register_definition(&transaction, &definition)
            .and_then(|()| query::insert_job(&transaction, &row))
            .and_then(|()| {
                slas.iter()
                    .try_for_each(|sla| slas::write(&transaction, sla))
            })
            .and_then(|()| write(&transaction, &row))
            .and_then(|()| {
                query::take_ownership(&transaction, &id, std::process::id(), host.as_deref())
            })
            .and_then(|epoch| epoch.ok_or(sql::Error::NoRow))
            .and_then(|epoch| transaction.commit().map(|()| epoch))
            .map_err(|error| self.describe(error))?;
        drop(write_lock);
        let ownership = Ownership::new(id, epoch, connection, lock);
        Ok(JobToDrive::New(row, ownership))
    }

    /// Whether the program's application accepts new jobs: it was never deployed, or is ACTIVE.
    fn check_accepts(&self, connection: &Connection) -> Result<(), RunError> {
        let closed = applications::closed(connection, self.program.hash);
        let Some(closed) = closed.map_err(|error| self.describe(error))? else {
            return Ok(());
        };
        let (name, status) = (closed.name, closed.status);
        Err(RunError::usage(format!(
            "application {name} is {status} in {}: it accepts no new jobs",
            self.home.root().display()
        ))
        .with_help(format!("type: hpdl apps activate {name}")))
    }

    /// The ownership of a job that is about to be written, with the first epoch in its row.
    pub fn reserve(&self, id: &str) -> Result<Ownership, RunError> {
        let connection = self.store()?;
        let lock = self.make_room(id, &connection)?;
        Ok(Ownership::new(id.to_owned(), 1, connection, lock))
    }

    /// Creates the folder of a new job, and takes the locks of its owner.
    fn make_room(&self, id: &str, connection: &Connection) -> Result<Arc<JobLock>, RunError> {
        // No other process knows the id yet.
        let lock = match self.lock_file_briefly(id)? {
            Some(file) => self.lock_on(id, file, connection, self.keeper()?)?,
            None => None,
        };
        let lock = lock
            .ok_or_else(|| RunError::machine(format!("the new job {id} already has an owner")))?;
        let folder = self.home.work().join(id);
        fs::create_dir_all(&folder)
            .map_err(|error| RunError::machine(format!("{}: {error}", folder.display())))?;
        Ok(lock)
    }
}

/// The job of a key: the one that has not ended, or else one that succeeded.
fn of_key(jobs: Vec<JobRow>) -> Option<JobRow> {
    let unfinished = jobs.iter().find(|row| !row.status.is_terminal());
    let done = jobs.iter().find(|row| row.status == JobStatus::Succeeded);
    unfinished.or(done).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(newest_first: &[JobStatus], expected: Option<usize>) {
        let jobs = (0..).zip(newest_first).map(|(created, status)| JobRow {
            status: *status,
            ..JobRow::new("job", created)
        });
        let found = of_key(jobs.collect()).map(|row| row.created);
        assert_eq!(
            found,
            expected.map(|place| place as i64),
            "{newest_first:?}"
        );
    }

    #[test]
    fn the_job_of_a_key_is_the_one_that_goes_on_or_has_done_its_work() {
        use JobStatus::{Failed, Killed, Prep, Running, Succeeded, Suspended};
        check(&[], None);
        check(&[Killed, Failed], None);
        check(&[Killed, Succeeded], Some(1));
        check(&[Succeeded, Running], Some(1));
        for open in [Prep, Running, Suspended] {
            check(&[open, Killed], Some(0));
        }
    }
}
