//! What an answer of the resource manager or of the history server means: only what is certainly an answer to the question is one.
//!
//! Errors have a body of JSON too, that of the web server if the service has not been reached: taken for an answer, it would say that there
//! are no applications.

use std::io;

use hpdlc_files::{error::Fault, rest::RestAnswer};
use serde_json::Value;

/// An answer to the question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// `null` if the service had nothing to say.
    Known(Value),
    /// The service does not know what it was asked about.
    Unknown,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The service itself refuses the request.
    Refused { status: u16, message: String },
    /// The service has not seen the request, or cannot answer now.
    Unavailable(io::Error),
}

/// The answer of the service at `base`.
///
/// # Errors
///
/// There is none.
pub(super) fn judge(base: &str, answer: RestAnswer) -> Result<Answer, NoAnswer> {
    let exception = &answer.body["RemoteException"];
    let is_standby = exception["exception"] == "StandbyException";
    let is_own = exception.is_object() && !is_standby;
    let message = format!("{base} answers {}{}", answer.status, said(&answer.body));
    match answer.status {
        202 => Ok(Answer::Known(answer.body)),
        200..300 if !answer.body.is_null() => Ok(Answer::Known(answer.body)),
        404 if is_own => Ok(Answer::Unknown),
        400..500 if is_own && answer.status != 401 => Err(NoAnswer::Refused {
            status: answer.status,
            message,
        }),
        401 | 403 if !is_standby => Err(NoAnswer::Unavailable(io::Error::new(
            io::ErrorKind::PermissionDenied,
            message,
        ))),
        // A standby answers with a page, and a proxy with anything.
        _ => Err(NoAnswer::Unavailable(Fault::Unreachable.error(message))),
    }
}

/// `: ` and the message of an error, of the service or of its web server; empty if there is none.
fn said(body: &Value) -> String {
    let own = body["RemoteException"]["message"].as_str();
    let message = own.or_else(|| body["message"].as_str());
    let message = message.or_else(|| body.as_str()).unwrap_or_default();
    match message.trim().lines().next() {
        Some(line) => format!(": {}", without_classes(line)),
        None => String::new(),
    }
}

/// A message without the names of Java's exceptions that it begins with: `java.lang.Exception: x.y.AccessControlException: no` is `no`.
fn without_classes(message: &str) -> &str {
    let is_class = |word: &str| {
        let is_exception = word.ends_with("Exception") || word.ends_with("Error");
        is_exception && word.contains('.') && !word.contains(char::is_whitespace)
    };
    match message.split_once(": ") {
        Some((first, rest)) if is_class(first) && !rest.is_empty() => without_classes(rest),
        _ => message,
    }
}

impl From<NoAnswer> for io::Error {
    fn from(problem: NoAnswer) -> io::Error {
        match problem {
            NoAnswer::Unavailable(error) => error,
            NoAnswer::Refused {
                status: 403,
                message,
            } => io::Error::new(io::ErrorKind::PermissionDenied, message),
            NoAnswer::Refused { message, .. } => io::Error::other(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(status: u16, body: Value) -> Result<Answer, NoAnswer> {
        judge("http://rm:8088", RestAnswer { status, body })
    }

    #[test]
    fn what_a_web_server_says_about_an_error_is_no_answer() {
        // As Jetty writes it where a ticket is needed.
        let page = |status: &str, message: &str| json!({ "servlet": "x", "status": status, "message": message });
        for (status, message) in [
            (401, "Authentication required"),
            (403, "GSSException: Request is a replay"),
            (404, "Not Found"),
            (500, "Server Error"),
            (503, "Service Unavailable"),
        ] {
            let error = io::Error::from(of(status, page("x", message)).unwrap_err());
            let expected = format!("http://rm:8088 answers {status}: {message}");
            assert_eq!(error.to_string(), expected);
            let is_permission = error.kind() == io::ErrorKind::PermissionDenied;
            assert_eq!(is_permission, status < 404, "{status}");
        }
        for status in [200, 307, 404, 500] {
            let problem = of(status, Value::Null).unwrap_err();
            assert!(matches!(problem, NoAnswer::Unavailable(_)), "{status}");
        }
    }

    #[test]
    fn a_refusal_is_said_without_javas_classes() {
        for (message, expected) in [
            (
                "java.lang.Exception: org.apache.hadoop.security.AccessControlException: User ada does not have permission",
                "User ada does not have permission",
            ),
            (
                "Unauthorized attempt: x.YException",
                "Unauthorized attempt: x.YException",
            ),
            ("java.lang.Exception: ", "java.lang.Exception: "),
            ("label: x", "label: x"),
        ] {
            assert_eq!(without_classes(message), expected);
        }
        // So is one that is no JSON.
        let text = json!("Unauthorized attempt to kill application_1_1 by remote user eve");
        let error = io::Error::from(of(403, text).unwrap_err());
        assert!(error.to_string().ends_with("by remote user eve"), "{error}");
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn what_the_service_says_is_an_answer_or_a_refusal() {
        let body = json!({ "apps": null });
        assert_eq!(of(200, body.clone()).unwrap(), Answer::Known(body));
        let submitted = Answer::Known(Value::Null);
        assert_eq!(of(202, Value::Null).unwrap(), submitted);
        let exception =
            |message: &str| json!({ "RemoteException": { "exception": "X", "message": message } });
        let missing = of(404, exception("app with id: x not found"));
        assert_eq!(missing.unwrap(), Answer::Unknown);
        for (status, kind) in [
            (400, io::ErrorKind::Other),
            (403, io::ErrorKind::PermissionDenied),
        ] {
            let problem = of(status, exception("too much\n\tat x")).unwrap_err();
            assert!(matches!(problem, NoAnswer::Refused { .. }), "{problem:?}");
            let error = io::Error::from(problem);
            assert_eq!(error.kind(), kind);
            let expected = format!("http://rm:8088 answers {status}: too much");
            assert_eq!(error.to_string(), expected);
        }
        let standby = json!({ "RemoteException": { "exception": "StandbyException" } });
        let problem = io::Error::from(of(403, standby).unwrap_err());
        assert_eq!(Fault::of(&problem), Some(&Fault::Unreachable));
    }
}
