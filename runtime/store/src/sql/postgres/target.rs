//! The server, the database and the schema that a URL names.

use std::{str::FromStr, sync::Arc, time::Duration};

use percent_encoding::percent_decode_str;
use tokio_postgres::{
    Client, Config, NoTls,
    config::{SslMode, TargetSessionAttrs},
};

use super::{
    errors::described,
    notices::{NoticeCell, receive},
    password,
    tls::{TlsFiles, TlsMode, variable},
};
use crate::sql::ServerError;

/// The name of sessions of a URL without one.
const PROGRAM: &str = "hpdl";

/// The schema of a URL without one.
const SCHEMA: &str = "hpdl";

/// What a server has to answer in.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A peer that is silent for about this long is gone.
const KEEPALIVE: Duration = Duration::from_secs(20);

/// Where to connect to, and how.
#[derive(Clone, Debug)]
pub struct Target {
    config: Config,
    schema: String,
    tls: TlsMode,
    files: TlsFiles,
}

impl Target {
    /// A URL as libpq has it, with `schema` in addition; PGPASSWORD, PGSSLMODE, PGSSLROOTCERT and the password file count for what it leaves
    /// open.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn parse(url: &str) -> Result<Target, String> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let mut schema = SCHEMA.to_owned();
        let mut files = TlsFiles::of_variables();
        let mut mode = variable("PGSSLMODE");
        let mut passfile = None;
        let mut others = Vec::new();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
            match name {
                "schema" => schema = value,
                "sslmode" => mode = Some(value),
                "sslrootcert" => files.root = Some(value),
                "sslcert" => files.certificate = Some(value),
                "sslkey" => files.key = Some(value),
                "passfile" => passfile = Some(value),
                _ => others.push(part),
            }
        }
        if schema.is_empty() || schema.len() > 63 || schema.contains(['"', '\0']) {
            return Err(format!("`{schema}` is no name of a schema"));
        }
        let tls = TlsMode::parse(mode.as_deref().unwrap_or("prefer"))?;
        let url = match others.is_empty() {
            true => base.to_owned(),
            false => format!("{base}?{}", others.join("&")),
        };
        let mut config = Config::from_str(&url).map_err(|error| {
            let cause = std::error::Error::source(&error);
            cause.map_or_else(|| error.to_string(), ToString::to_string)
        })?;
        if config.get_hosts().is_empty() {
            config.host_path("/var/run/postgresql");
        }
        if config.get_user().is_none() {
            config.user(hpdlc_host::user::name());
        }
        if config.get_application_name().is_none() {
            config.application_name(PROGRAM);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        // Of several servers only one writes.
        let is_given = others
            .iter()
            .any(|part| part.starts_with("target_session_attrs="));
        if config.get_hosts().len() > 1 && !is_given {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        config.keepalives_idle(KEEPALIVE);
        config.tcp_user_timeout(KEEPALIVE);
        config.ssl_mode(match tls {
            TlsMode::Disable => SslMode::Disable,
            TlsMode::Prefer => SslMode::Prefer,
            TlsMode::Require | TlsMode::VerifyCa | TlsMode::VerifyFull => SslMode::Require,
        });
        if config.get_password().is_none()
            && let Some(password) = password::find(&config, passfile.as_deref())
        {
            config.password(password);
        }
        Ok(Target {
            config,
            schema,
            tls,
            files,
        })
    }

    /// Limits how long a server may take to accept a connection.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Target {
        self.config.connect_timeout(limit);
        self
    }

    /// Limits how long a server may be silent.
    #[must_use]
    pub fn silent_for(mut self, limit: Duration) -> Target {
        self.config.tcp_user_timeout(limit);
        // In whole seconds.
        self.config
            .keepalives_idle(limit.max(Duration::from_secs(1)));
        self.within(limit)
    }

    /// Names its sessions by their host: the name ends with the host's id.
    #[must_use]
    pub fn of_host(mut self, id: &str) -> Target {
        // PostgreSQL keeps 63 bytes.
        let name = self.config.get_application_name().unwrap_or(PROGRAM);
        let name: String = name.chars().filter(char::is_ascii).take(30).collect();
        self.config.application_name(format!("{name} {id}"));
        self
    }

    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// The key of the locks of transactions: stores of two schemas do not wait for each other.
    pub(super) fn lock_key(&self) -> i32 {
        // FNV-1a: the same in every version.
        let hash = self.schema.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        hash.cast_signed()
    }

    pub(super) async fn connect(
        &self,
        further: &str,
        notice: &NoticeCell,
    ) -> Result<Client, ServerError> {
        let failed = |error: tokio_postgres::Error| described(&error);
        let client = match self.tls {
            TlsMode::Disable => {
                let (client, connection) = self.config.connect(NoTls).await.map_err(failed)?;
                tokio::spawn(receive(connection, Arc::clone(notice)));
                client
            }
            mode => {
                let connector = self.files.connector(mode);
                let connector = connector.map_err(ServerError::of_client)?;
                let (client, connection) = self.config.connect(connector).await.map_err(failed)?;
                tokio::spawn(receive(connection, Arc::clone(notice)));
                client
            }
        };
        // A session that holds a lock and is silent blocks the others: its host may be gone.
        let settings = format!(
            "SET search_path TO \"{}\"; SET lock_timeout TO '{}s'; SET idle_in_transaction_session_timeout TO '60s'; \
             SET tcp_keepalives_idle TO 20; SET tcp_keepalives_interval TO 5; SET tcp_keepalives_count TO 3; \
             SET tcp_user_timeout TO '30s'; \
             SET client_min_messages TO warning; SET default_transaction_isolation TO 'read committed'{further}",
            self.schema,
            crate::BUSY_TIMEOUT.as_secs(),
        );
        client.batch_execute(&settings).await.map_err(failed)?;
        Ok(client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_the_parameters_of_libpq_and_a_schema() {
        let url =
            "postgres://ada@db:5433/jobs?sslmode=verify-full&schema=team%20a&connect_timeout=3";
        let target = Target::parse(url).unwrap();
        assert_eq!(target.schema, "team a");
        assert_eq!(target.tls, TlsMode::VerifyFull);
        assert_eq!(target.config.get_ports(), [5433]);
        assert_eq!(target.config.get_dbname(), Some("jobs"));
        let timeout = target.config.get_connect_timeout();
        assert_eq!(timeout, Some(&Duration::from_secs(3)));
        let plain = Target::parse("postgres:///jobs").unwrap();
        for (url, wanted) in [
            ("postgres://a/jobs", TargetSessionAttrs::Any),
            ("postgres://a,b/jobs", TargetSessionAttrs::ReadWrite),
            (
                "postgres://a,b/jobs?target_session_attrs=any",
                TargetSessionAttrs::Any,
            ),
        ] {
            let target = Target::parse(url).unwrap();
            assert_eq!(target.config.get_target_session_attrs(), wanted, "{url}");
        }
        assert_eq!(plain.schema, "hpdl");
        assert_ne!(plain.lock_key(), target.lock_key());
        for (url, problem) in [
            ("postgres://db/jobs?sslmode=maybe", "sslmode"),
            ("postgres://db/jobs?schema=", "schema"),
            ("postgres://db/jobs?colour=red", "colour"),
            ("postgres://db:port/jobs", "port"),
        ] {
            let refused = Target::parse(url).unwrap_err();
            assert!(refused.contains(problem), "{url}: {refused}");
        }
    }
}
