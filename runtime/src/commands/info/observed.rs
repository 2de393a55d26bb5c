//! The states of a job's processes while no owner drives it: the store says RUNNING until an owner has checked them.

use hpdlc_core::status::ActionStatus;
use hpdlc_engine::owner::Session;
use hpdlc_launcher::{Attempt, AttemptState, ExitRecord};
use hpdlc_store::{ActionRow, JobRow};

/// Shows actions whose process has ended as DONE, Oozie's state for it, with their exit. If there is an owner, it reports that itself.
pub(super) fn observe(session: &Session, job: &JobRow, actions: &mut [ActionRow]) {
    let running = |action: &&mut ActionRow| {
        action.status == ActionStatus::Running
            && !action.is_queued()
            && !action.type_name.starts_with(':')
    };
    let mut running = actions.iter_mut().filter(running).peekable();
    if running.peek().is_none() || session.has_owner(&job.root_id) {
        return;
    }
    for action in running {
        let folder = session
            .home
            .attempt(&job.id, job.run, &action.name, action.attempt);
        let attempt = Attempt::new(folder);
        match attempt.inspect() {
            Ok(AttemptState::Exited(record)) => {
                action.status = ActionStatus::Done;
                action.ended = action.ended.or_else(|| ended(&attempt));
                action.note = Some(how(&record));
            }
            Ok(AttemptState::Lost(_)) => {
                action.note =
                    Some("its process no longer exists; how it ended is not known".to_owned());
            }
            // If it cannot be read, it is shown as in the store.
            Ok(AttemptState::Unclaimed | AttemptState::Running) | Err(_) => {}
        }
    }
}

/// When the exit was recorded, in milliseconds since 1970.
fn ended(attempt: &Attempt) -> Option<i64> {
    let modified = attempt.exit_file().metadata().ok()?.modified().ok()?;
    let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

fn how(record: &ExitRecord) -> String {
    let how = match (record.code, record.signal) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "could not be executed".to_owned(),
    };
    format!("its process {how}; the job continues from there when it is resumed or recovered")
}
