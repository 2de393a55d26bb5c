//! Writes rows.

use crate::{
    rows::{ActionRow, JobRow, LogRow, SkipMark},
    sql::{self, Connection},
};

impl JobRow {
    /// Writes it; the columns of its owner are not changed once it exists.
    pub fn write(&self, connection: &Connection) -> sql::Result<()> {
        connection
            .prepare_cached(
                "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, started, ended, conf, hash,
                     app_index, root_id, parent_id, parent_node, parent_attempt, depth, last_error_node, error_code,
                     error_message, epoch, owner_pid, parent_run, key, owner_host)
                 VALUES (?1, ?25, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
                     ?21, ?22, ?23, ?24, ?26)
                 ON CONFLICT (id) DO UPDATE SET status = excluded.status, run = excluded.run, started = excluded.started,
                     ended = excluded.ended, last_error_node = excluded.last_error_node,
                     error_code = excluded.error_code, error_message = excluded.error_message",
            )?
            .execute(sql::params![
                self.id,
                self.app,
                self.app_path,
                self.user,
                self.status.name(),
                self.run,
                self.created,
                self.started,
                self.ended,
                connection.sealed_properties(&self.conf),
                self.hash,
                self.app_index,
                self.root_id,
                self.parent_id,
                self.parent_node,
                self.parent_attempt,
                self.depth,
                self.last_error_node,
                self.error_code,
                connection.sealed_if_any(self.error_message.as_ref()),
                self.epoch,
                self.owner_pid,
                self.parent_run,
                self.key,
                // The last letter of its id.
                self.id.get(self.id.len().saturating_sub(1)..).unwrap_or_default(),
                self.owner_host,
            ])?;
        Ok(())
    }
}

impl ActionRow {
    pub(crate) fn write(&self, connection: &Connection) -> sql::Result<()> {
        connection
            .prepare_cached(
                "INSERT INTO actions (job_id, name, type, status, transition, external_id, external_status, error_code,
                     error_message, retries, data, note, started, ended, attempt, user_retries, transient_retries, strand,
                     live_strands, outcome, canceling, due, work, boot_id, run, skip, retry_wait, ahead)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                     ?22, ?23, ?24, ?25, ?26, ?27, ?28)
                 ON CONFLICT (job_id, name) DO UPDATE SET status = excluded.status, transition = excluded.transition,
                     external_id = excluded.external_id, external_status = excluded.external_status,
                     error_code = excluded.error_code, error_message = excluded.error_message,
                     retries = excluded.retries, data = excluded.data, note = excluded.note,
                     started = excluded.started, ended = excluded.ended, attempt = excluded.attempt,
                     user_retries = excluded.user_retries, transient_retries = excluded.transient_retries,
                     strand = excluded.strand, live_strands = excluded.live_strands, outcome = excluded.outcome,
                     canceling = excluded.canceling, due = excluded.due, work = excluded.work,
                     boot_id = excluded.boot_id, run = excluded.run, skip = excluded.skip,
                     retry_wait = excluded.retry_wait, ahead = excluded.ahead",
            )?
            .execute(sql::params![
                self.job_id,
                self.name,
                self.type_name,
                self.status.name(),
                self.transition,
                self.external_id,
                self.external_status,
                self.error_code,
                connection.sealed_if_any(self.error_message.as_ref()),
                self.retries,
                connection.sealed_if_any(self.data.as_ref()),
                connection.sealed_if_any(self.note.as_ref()),
                self.started,
                self.ended,
                self.attempt,
                self.user_retries,
                self.transient_retries,
                self.strand,
                self.live_strands,
                self.outcome,
                self.is_canceling,
                self.due,
                connection.sealed_if_any(self.work.as_ref()),
                self.boot_id,
                self.run,
                self.skip.map(SkipMark::name),
                self.retry_wait,
                self.ahead,
            ])?;
        Ok(())
    }
}

impl LogRow {
    /// Adds it to its job's log.
    pub fn write(&self, connection: &Connection) -> sql::Result<()> {
        connection
            .prepare_cached(
                "INSERT INTO log (job_id, time, node, event, message) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute((
                &self.job_id,
                self.time,
                &self.node,
                &self.event,
                connection.sealed_if_any(self.message.as_ref()),
            ))?;
        Ok(())
    }
}
