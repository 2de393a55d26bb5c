//! The `email` action: one message by SMTP (`EmailActionExecutor`).
//!
//! If the server has answered, it is known whether it accepted the message; if the connection broke while the message was
//! being sent, that is unknown, and the action is lost. A refused recipient means that nobody receives it.

use hpdlc_files::{AccessSettings, Uri};
use hpdlc_host::{clock, comma_list, settings::Settings};
use hpdlc_launcher::TimeLimit;
use hpdlc_program::{
    failure::ActionError,
    table::{self, Template},
};
use lettre::{
    Message,
    address::AddressError,
    message::{Attachment, Mailbox, MultiPart, SinglePart, header::ContentType},
};
use serde::{Deserialize, Serialize};

use crate::{
    Evaluate, Evaluation, Executor, RunsIn, Work, file_name, time_limit,
    worker_process::{WorkContext, WorkError, WorkResult},
};

mod charset;
mod sla_mail;
mod smtp;

pub use self::sla_mail::SlaMail;
use self::smtp::SmtpServer;

/// The default sender (`oozie.email.from.address`).
const SENDER: &str = "oozie@localhost";

/// A message has no external id.
const EXTERNAL_ID: &str = "-";

/// Maximum total bytes of all attachments; no server accepts more.
const MAX_ATTACHMENTS: u64 = 64 * 1024 * 1024;

/// An email action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Email {
    pub server: SmtpServer,
    pub from: String,
    /// Separated by commas, as are `cc` and `bcc`.
    pub to: String,
    pub cc: String,
    pub bcc: String,
    pub subject: String,
    pub body: String,
    pub content_type: String,
    /// URIs of files.
    pub attachments: Vec<String>,
    /// If not set, a note in the message says that files are missing (`oozie.email.attachment.enabled`).
    pub sends_attachments: bool,
    pub access: AccessSettings,
    /// Time limit of the whole action.
    #[serde(default)]
    pub limit: Option<TimeLimit>,
}

/// Sends the message of an `email` action; `None` where the work is of another type.
pub fn carrier(work: &Work, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
    match work {
        Work::Email(email) => Some(email.send(context)),
        _ => None,
    }
}

/// [`carrier`] does the work: not every program contains the code that speaks SMTP.
impl Executor for Email {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Worker
    }

    /// `EmailActionExecutor` sets it before it does anything.
    fn external_id(&self) -> Option<&'static str> {
        Some(EXTERNAL_ID)
    }

    fn worker_limit(&self) -> Option<TimeLimit> {
        self.limit
    }
}

impl Evaluate for table::Email {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        Ok(Work::Email(Email::evaluate(cx, self)?))
    }
}

impl Email {
    pub fn evaluate(cx: &Evaluation<'_>, def: &'static table::Email) -> Result<Email, ActionError> {
        let text = |text: Option<&Template>| -> Result<String, ActionError> {
            Ok(match text {
                Some(text) => text.evaluate(cx.scope)?,
                None => String::new(),
            })
        };
        let content_type = text(def.content_type.as_ref())?;
        let attachments = text(def.attachment.as_ref())?;
        Ok(Email {
            server: SmtpServer::of(Settings {
                conf: cx.conf,
                site: cx.site,
            })?,
            from: cx
                .setting("oozie.email.from.address")
                .unwrap_or_else(|| SENDER.to_owned()),
            to: text(Some(&def.to))?,
            cc: text(def.cc.as_ref())?,
            bcc: text(def.bcc.as_ref())?,
            subject: text(Some(&def.subject))?,
            body: text(def.body.as_ref())?,
            content_type: if content_type.trim().is_empty() {
                "text/plain".to_owned()
            } else {
                content_type.trim().to_owned()
            },
            attachments: comma_list::entries(&attachments)
                .map(str::to_owned)
                .collect(),
            sends_attachments: cx
                .setting("oozie.email.attachment.enabled")
                .is_none_or(|value| value.trim() != "false"),
            access: cx.access.settings.clone(),
            limit: time_limit::time_limit(&|name| cx.setting(name))?,
        })
    }

    /// Sends the message.
    ///
    /// # Errors
    ///
    /// It was not sent, or the outcome is unknown.
    fn send(&self, context: &WorkContext<'_>) -> Result<WorkResult, WorkError> {
        let message = self.message(context)?;
        self.server.send(&context.home, &message)?;
        let mut warnings = Vec::new();
        if self.is_cut_short() {
            let warning = "the message was sent without its attachments: oozie.email.attachment.enabled=false";
            warnings.push(warning.to_owned());
        }
        Ok(WorkResult {
            external_id: Some(EXTERNAL_ID.to_owned()),
            warnings,
            ..WorkResult::default()
        })
    }

    /// Whether it has attachments that are not sent.
    fn is_cut_short(&self) -> bool {
        !self.attachments.is_empty() && !self.sends_attachments
    }

    fn message(&self, context: &WorkContext<'_>) -> Result<Message, ActionError> {
        let to = addresses("to", &self.to)?;
        if to.is_empty() {
            let problem = "the message has no recipient: `to` is empty";
            return Err(ActionError::error("EM001", problem));
        }
        let mut builder = Message::builder().from(sender(&self.from)?);
        for mailbox in to {
            builder = builder.to(mailbox);
        }
        for mailbox in addresses("cc", &self.cc)? {
            builder = builder.cc(mailbox);
        }
        for mailbox in addresses("bcc", &self.bcc)? {
            builder = builder.bcc(mailbox);
        }
        // A header is one line.
        let subject = self.subject.replace(['\r', '\n'], " ");
        builder = builder
            .subject(subject.trim())
            .message_id(None)
            .date(clock::for_mail());
        let text = self.text()?;
        let built = if self.attachments.is_empty() || !self.sends_attachments {
            builder.singlepart(text)
        } else {
            let mut parts = MultiPart::mixed().singlepart(text);
            for part in self.parts(context)? {
                parts = parts.singlepart(part);
            }
            builder.multipart(parts)
        };
        built.map_err(|error| {
            ActionError::error(
                "EM005",
                format!("the message cannot be put together: {error}"),
            )
        })
    }

    fn text(&self) -> Result<SinglePart, ActionError> {
        let mut body = self.body.clone();
        if self.is_cut_short() {
            body.push_str(
                "\n\nNote: this message was to have attachments. They were left out, because this site does not send any.",
            );
        }
        let content_type = charset::with_charset(&self.content_type, &body);
        let parsed = ContentType::parse(&content_type).map_err(|error| {
            let problem = format!("content_type `{}`: {error}", self.content_type);
            ActionError::error("EM005", problem)
        })?;
        Ok(SinglePart::builder().header(parsed).body(body))
    }

    fn parts(&self, context: &WorkContext<'_>) -> Result<Vec<SinglePart>, ActionError> {
        let mut left = MAX_ATTACHMENTS;
        let parts = self.attachments.iter().map(|uri| {
            let bytes = self.read(context, uri, left)?;
            left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
            let name = file_name::base_name(uri).to_owned();
            let kind = ContentType::parse("application/octet-stream")
                .map_err(|error| ActionError::error("EM008", format!("{uri}: {error}")))?;
            Ok(Attachment::new(name).body(bytes, kind))
        });
        parts.collect()
    }

    fn read(&self, context: &WorkContext<'_>, uri: &str, max: u64) -> Result<Vec<u8>, ActionError> {
        let failed =
            |problem: String| ActionError::error("EM008", format!("attachment {uri}: {problem}"));
        let parsed = Uri::parse(uri);
        if !parsed.is_absolute() && parsed.scheme.is_none() {
            // One of the application's own files.
            let path = context
                .place
                .find_file(uri)
                .map_err(|error| failed(error.message))?;
            let access = context.access(&self.access);
            let system = access
                .system(&Uri::parse("file:///"))
                .map_err(|error| failed(error.to_string()))?;
            return system
                .read(&path, max)
                .map_err(|error| failed(error.to_string()));
        }
        let access = context.access(&self.access);
        let located = access
            .locate(&parsed)
            .map_err(|error| failed(error.to_string()))?;
        located
            .system
            .read(&located.path(), max)
            .map_err(|error| failed(error.to_string()))
    }
}

fn sender(address: &str) -> Result<Mailbox, ActionError> {
    mailbox(address.trim()).map_err(|error| {
        let problem = format!("oozie.email.from.address: `{address}` is no address: {error}");
        ActionError::error("EM002", problem)
    })
}

/// An address; a name alone is a local part on the mail server's own host.
fn mailbox(address: &str) -> Result<Mailbox, AddressError> {
    let is_name = !address.is_empty()
        && address
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte));
    if is_name {
        format!("{address}@localhost").parse()
    } else {
        address.parse()
    }
}

/// The addresses of a list separated by commas; a comma in quotes is no separator. As in Java's `split`, a trailing comma
/// adds no address.
fn addresses(element: &str, list: &str) -> Result<Vec<Mailbox>, ActionError> {
    let mut parts: Vec<&str> = split(list).into_iter().map(str::trim).collect();
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    let wrong = |problem: String| ActionError::error("EM004", format!("{element}: {problem}"));
    parts
        .into_iter()
        .map(|address| match address {
            "" => Err(wrong(format!("nothing before a comma in `{list}`"))),
            _ => mailbox(address)
                .map_err(|error| wrong(format!("`{address}` is no address: {error}"))),
        })
        .collect()
}

fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut begin, mut is_quoted) = (0, false);
    for (at, character) in list.char_indices() {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                parts.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_divided_at_commas_outside_of_quotes() {
        let shown = |list| {
            addresses("to", list).map(|mailboxes| {
                mailboxes
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
            })
        };
        let many = shown("a@x.org, b@y.org , \"Doe, Ann\" <ann@z.org>, ,").unwrap();
        assert_eq!(many, ["a@x.org", "b@y.org", "\"Doe, Ann\" <ann@z.org>"]);
        assert_eq!(shown(" ").unwrap(), Vec::<String>::new());
        assert_eq!(shown(" , ").unwrap(), Vec::<String>::new());
        assert_eq!(
            shown("root,a.b").unwrap(),
            ["root@localhost", "a.b@localhost"]
        );
        assert_eq!(shown("a@x.org,,b@x.org").unwrap_err().code, "EM004");
        assert_eq!(shown(",a@x.org").unwrap_err().code, "EM004");
        assert_eq!(shown("a@x.org;b@y.org").unwrap_err().code, "EM004");
        assert_eq!(shown("no body").unwrap_err().code, "EM004");
    }
}
