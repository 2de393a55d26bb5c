//! A message that the runtime itself sends about a missed SLA.

use hpdlc_host::{clock, home::Home, settings::Settings};
use hpdlc_program::failure::ActionError;
use lettre::{
    Message,
    message::{Mailbox, SinglePart, header::ContentType},
};
use serde::{Deserialize, Serialize};

use super::{
    sender,
    smtp::{self, SmtpServer},
    split,
};
use crate::worker_process::WorkError;

/// A plain text message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlaMail {
    /// Addresses separated by commas.
    pub to: String,
    pub subject: String,
    pub body: String,
}

impl SlaMail {
    /// Whether a mail server is configured.
    pub fn has_server(settings: Settings<'_>) -> bool {
        settings.text(smtp::HOST).is_some()
    }

    /// Sends it to all addresses that are valid (`SLAEmailEventListener`).
    ///
    /// # Errors
    ///
    /// Why it was not sent, or may not have been.
    pub fn send(&self, settings: Settings<'_>, home: &Home) -> Result<(), String> {
        let describe = |error: ActionError| format!("{}: {}", error.code, error.message);
        let message = self.message(settings).map_err(describe)?;
        let server = SmtpServer::of(settings).map_err(describe)?;
        server
            .send(home, &message)
            .map_err(|trouble| match trouble {
                WorkError::Action(error)
                | WorkError::Ended(error, _)
                | WorkError::Known(error, _) => describe(error),
                WorkError::Lost(problem) => problem,
            })
    }

    fn message(&self, settings: Settings<'_>) -> Result<Message, ActionError> {
        let from = settings.text("oozie.email.from.address");
        let mut builder = Message::builder().from(sender(from.unwrap_or(super::SENDER))?);
        let addresses = split(&self.to).into_iter().map(str::trim);
        let mut n_good = 0;
        for mailbox in addresses.filter_map(|address| address.parse::<Mailbox>().ok()) {
            builder = builder.to(mailbox);
            n_good += 1;
        }
        if n_good == 0 {
            let problem = format!("`{}` has no address", self.to);
            return Err(ActionError::error("EM004", problem));
        }
        let subject = self.subject.replace(['\r', '\n'], " ");
        let text = SinglePart::builder()
            .header(ContentType::TEXT_PLAIN)
            .body(self.body.clone());
        builder
            .subject(subject)
            .message_id(None)
            .date(clock::for_mail())
            .singlepart(text)
            .map_err(|error| {
                let problem = format!("the message cannot be put together: {error}");
                ActionError::error("EM005", problem)
            })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn message(to: &str) -> Result<String, String> {
        let mail = SlaMail {
            to: to.to_owned(),
            subject: "one\r\nBcc: eve@x.org".to_owned(),
            body: "text\n".to_owned(),
        };
        let none = BTreeMap::new();
        let settings = Settings {
            conf: &none,
            site: &none,
        };
        let message = mail.message(settings).map_err(|error| error.code)?;
        Ok(String::from_utf8(message.formatted()).unwrap())
    }

    #[test]
    fn addresses_that_are_none_are_passed_over() {
        let text = message("nobody, ann@x.org,").unwrap();
        assert!(text.contains("To: ann@x.org\r\n"), "{text}");
        assert!(text.contains("From: oozie@localhost\r\n"), "{text}");
        assert!(text.contains("Subject: one  Bcc: eve@x.org\r\n"), "{text}");
        assert_eq!(message("nobody"), Err("EM004".to_owned()));
    }
}
