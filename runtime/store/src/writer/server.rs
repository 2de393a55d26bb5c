//! Batches for PostgreSQL. A server that goes away is waited for, and a batch whose commit was cut off is written once.

use super::{Batch, Durability, Writer, check_epoch, write};
use crate::{
    StoreError,
    sql::{Connection, Error, params},
};

/// A batch that conflicts with another transaction is written again.
const CONFLICTS: [&str; 2] = ["40001", "40P01"];

pub(super) fn durability(connection: &Connection, epoch: i64) -> Durability {
    if let Some(server) = connection.server() {
        server.wait_for_ever();
    }
    Durability::Server { last: epoch << 32 }
}

impl Writer {
    pub(super) fn commit_to_server(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let Durability::Server { last } = &mut self.durability else {
            return Ok(());
        };
        *last += 1;
        let number = *last;
        loop {
            let error = match self.attempt(batch, number) {
                Err(StoreError::Database(Error::Server(error))) => error,
                Err(error) => return Err(error),
                Ok(()) => break,
            };
            if error.is_lost {
                // Whoever was replaced meanwhile must not go on, whether it is there or not: the attempt below says so.
                let sql = "SELECT 1 FROM owner_commits JOIN jobs ON jobs.id = job_id
                     WHERE job_id = ?1 AND number = ?2 AND epoch = ?3";
                let server = self.connection.server();
                let params = params![self.root, number, self.epoch];
                let answer = server.map(|it| it.was_committed(sql, params));
                if answer.transpose()?.unwrap_or_default() {
                    break;
                }
            } else if !CONFLICTS.contains(&error.code.as_str()) {
                return Err(StoreError::Database(Error::Server(error)));
            }
        }
        self.owning_session.set(self.connection.session());
        Ok(())
    }

    fn attempt(&self, batch: &Batch, number: i64) -> Result<(), StoreError> {
        let transaction = self.connection.owner_transaction()?;
        check_epoch(&transaction, &self.root, self.epoch)?;
        // Nobody reads what these return: they are sent together.
        let _deferring = self.connection.server().map(|server| server.deferring());
        write(&transaction, batch)?;
        transaction
            .prepare_cached(
                "INSERT INTO owner_commits (job_id, number) VALUES (?1, ?2)
                 ON CONFLICT (job_id) DO UPDATE SET number = excluded.number",
            )?
            .execute((&self.root, number))?;
        transaction.commit()?;
        Ok(())
    }
}
