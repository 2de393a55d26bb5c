//! The SMTP server.

use std::{collections::BTreeMap, io, time::Duration};

use hpdlc_core::secrets::MASK;
use hpdlc_host::{
    home::Home,
    secret_values,
    settings::{self, Settings},
};
use hpdlc_program::failure::ActionError;
use lettre::{
    Message,
    transport::smtp::{
        Error as SmtpError,
        authentication::{Credentials, Mechanism},
        client::{SmtpConnection, TlsParameters},
        extension::ClientId,
    },
};
use serde::{Deserialize, Serialize};

use crate::worker_process::WorkError;

/// The server's name.
pub const HOST: &str = "oozie.email.smtp.host";

const PASSWORD: &str = "oozie.email.smtp.password";

/// Timeout for connecting, and for each answer, in milliseconds (`oozie.email.smtp.socket.timeout.ms`).
const TIMEOUT: u64 = 10_000;

/// Connection settings of the server (`oozie.email.smtp.*`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmtpServer {
    pub host: String,
    pub port: u16,
    /// The user to log in as, if the server requires it (`oozie.email.smtp.auth`).
    pub user: Option<String>,
    /// A password from the job's properties. That of the site is read when the message is sent, and stored with no job.
    pub password: Option<String>,
    pub encryption: Encryption,
    /// Timeout in milliseconds.
    pub timeout: u64,
}

/// When TLS starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encryption {
    None,
    /// After the greeting (`oozie.email.smtp.starttls.enable`).
    StartTls,
    /// Immediately after connecting (`hpdl.email.smtp.ssl.enable`).
    Tls,
}

impl SmtpServer {
    pub(super) fn of(settings: Settings<'_>) -> Result<SmtpServer, ActionError> {
        let text = |name: &str| settings.text(name);
        let is_set = |name: &str| text(name) == Some("true");
        let port = text("oozie.email.smtp.port").unwrap_or("25");
        let port = port.parse().map_err(|_| {
            ActionError::error(
                "EM006",
                format!("oozie.email.smtp.port: `{port}` is no port"),
            )
        })?;
        let user = text("oozie.email.smtp.username").filter(|_| is_set("oozie.email.smtp.auth"));
        let millis = text("oozie.email.smtp.socket.timeout.ms").and_then(|ms| ms.parse().ok());
        if is_set("oozie.email.smtp.auth") && user.is_none() {
            let problem = "oozie.email.smtp.auth=true, and oozie.email.smtp.username is missing";
            return Err(ActionError::error("EM006", problem));
        }
        Ok(SmtpServer {
            host: text(HOST).unwrap_or("localhost").to_owned(),
            port,
            user: user.map(str::to_owned),
            password: settings.conf.get(PASSWORD).cloned(),
            encryption: if is_set("hpdl.email.smtp.ssl.enable") {
                Encryption::Tls
            } else if is_set("oozie.email.smtp.starttls.enable") {
                Encryption::StartTls
            } else {
                Encryption::None
            },
            timeout: millis.unwrap_or(TIMEOUT),
        })
    }

    /// Hands the message over.
    pub(super) fn send(&self, home: &Home, message: &Message) -> Result<(), WorkError> {
        let mut connection = self.connect(home)?;
        let sent = connection.send(message.envelope(), &message.formatted());
        match sent {
            Ok(_) => {
                // The message has been accepted, even if closing the connection fails.
                let _ = connection.quit();
                Ok(())
            }
            Err(error) if is_answer(&error) => {
                connection.abort();
                Err(self.failed("EM007", &error).into())
            }
            Err(error) => Err(WorkError::Lost(format!(
                "the connection to the mail server {}:{} broke while the message was sent, and it is not known whether the server accepted it: {}",
                self.host,
                self.port,
                causes(&error)
            ))),
        }
    }

    fn connect(&self, home: &Home) -> Result<SmtpConnection, ActionError> {
        let failed = |error: SmtpError| self.failed("EM007", &error);
        let hello = ClientId::default();
        let timeout = Some(Duration::from_millis(self.timeout.max(1)));
        let tls = match self.encryption {
            Encryption::None => None,
            Encryption::StartTls | Encryption::Tls => Some(
                TlsParameters::new(self.host.clone())
                    .map_err(|error| self.failed("EM006", &error))?,
            ),
        };
        let at_once = tls.as_ref().filter(|_| self.encryption == Encryption::Tls);
        let server = (self.host.as_str(), self.port);
        let mut connection =
            SmtpConnection::connect(server, timeout, &hello, at_once, None).map_err(failed)?;
        if let (Encryption::StartTls, Some(tls)) = (self.encryption, &tls) {
            if !connection.can_starttls() {
                connection.abort();
                let problem = format!(
                    "the mail server {}:{} offers no STARTTLS, which oozie.email.smtp.starttls.enable=true asks for",
                    self.host, self.port
                );
                return Err(ActionError::error("EM007", problem));
            }
            connection.starttls(tls, &hello).map_err(failed)?;
        }
        if let Some(user) = &self.user {
            let password = self.password(home)?;
            let credentials = Credentials::new(user.clone(), password.clone());
            let mechanisms = [Mechanism::Plain, Mechanism::Login];
            connection
                .auth(&mechanisms, &credentials)
                .map_err(|error| {
                    // The server's answer may repeat the password.
                    let mut error = failed(error);
                    error.message = error.message.replace(&password, MASK);
                    error
                })?;
        }
        Ok(connection)
    }

    fn password(&self, home: &Home) -> Result<String, ActionError> {
        let mut site = BTreeMap::new();
        if self.password.is_none() {
            site =
                settings::site(home).map_err(|error| ActionError::error("EM006", error.message))?;
        }
        let password = self.password.as_ref().or_else(|| site.get(PASSWORD));
        let password = password.ok_or_else(|| {
            let problem = format!("oozie.email.smtp.auth=true, and {PASSWORD} is missing");
            ActionError::error("EM006", problem)
        })?;
        let password = secret_values::resolved(password)
            .map_err(|error| ActionError::error("EM006", format!("{PASSWORD}: {error}")))?;
        Ok(password.into_owned())
    }

    fn failed(&self, code: &str, error: &SmtpError) -> ActionError {
        let problem = format!("mail server {}:{}: {}", self.host, self.port, causes(error));
        ActionError::error(code, problem)
    }
}

/// Whether the server answered, and so did not accept the message.
fn is_answer(error: &SmtpError) -> bool {
    error.is_permanent() || error.is_transient() || error.is_client()
}

/// The error with its causes: the library's own message says only where it happened.
fn causes(error: &SmtpError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        if let Some(io) = error.downcast_ref::<io::Error>()
            && io.kind() == io::ErrorKind::WouldBlock
        {
            text.push_str(" (no answer in time: oozie.email.smtp.socket.timeout.ms)");
        }
        source = error.source();
    }
    text
}
