//! What is answered when a request fails, in the form that Oozie's clients read.

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use hpdlc_host::exit::{Exit, RunError};
use hyper::ext::ReasonPhrase;
use serde_json::json;

/// The content type of all JSON bodies, quoted as Oozie writes it.
pub(crate) const JSON: &str = "application/json; charset=\"UTF-8\"";
/// The header with the code of a failure.
pub(crate) const ERROR_CODE: HeaderName = HeaderName::from_static("oozie-error-code");
const ERROR_MESSAGE: HeaderName = HeaderName::from_static("oozie-error-message");

/// A refused or failed request: `XServletException` of Oozie with a code, an error page of its server without one.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) code: Option<String>,
    pub(crate) message: String,
}

impl Failure {
    /// 400 with Oozie's code, which the message begins with.
    pub(crate) fn coded(code: &str, message: impl AsRef<str>) -> Failure {
        Failure::plain(code, format!("{code}: {}", message.as_ref()))
    }

    /// 400 with Oozie's code, which is not in the message.
    pub(crate) fn plain(code: &str, message: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::BAD_REQUEST,
            code: Some(code.to_owned()),
            message: message.into(),
        }
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Failure {
        Failure { status, ..self }
    }

    /// E1603 as Oozie answers to an illegal argument.
    pub(crate) fn argument(message: impl Into<String>) -> Failure {
        Failure::plain("E1603", message)
    }

    /// E0301: nothing is there, or not by this method.
    pub(crate) fn resource(name: &str) -> Failure {
        Failure::coded("E0301", format!("Invalid resource [{name}]"))
    }

    /// E0302, for what does not exist in a version, or is not built.
    pub(crate) fn parameter(what: &str) -> Failure {
        Failure::coded("E0302", format!("Invalid parameter [{what}]"))
    }

    /// E0303.
    pub(crate) fn value(name: &str, value: &str) -> Failure {
        Failure::coded(
            "E0303",
            format!("Invalid parameter value, [{name}] = [{value}]"),
        )
    }

    /// E0305.
    pub(crate) fn missing(name: &str) -> Failure {
        Failure::coded("E0305", format!("Missing parameter [{name}]"))
    }

    /// E0604.
    pub(crate) fn no_job(id: &str) -> Failure {
        Failure::coded("E0604", format!("Job does not exist [{id}]"))
    }

    /// E0605.
    pub(crate) fn no_action(id: &str) -> Failure {
        Failure::coded("E0605", format!("Action does not exist [{id}]"))
    }

    /// E0307 around another message.
    pub(crate) fn runtime(message: &str) -> Failure {
        Failure::coded("E0307", format!("Runtime error [{message}]"))
    }

    /// 403 without a code: the filters of Oozie say no more, and the reason phrase is the message.
    pub(crate) fn forbidden(message: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::FORBIDDEN,
            code: None,
            message: message.into(),
        }
    }

    /// A path that leads nowhere: 404 without a code.
    pub(crate) fn not_found() -> Failure {
        Failure {
            status: StatusCode::NOT_FOUND,
            code: None,
            message: "Not Found".to_owned(),
        }
    }

    /// 500 without a code.
    pub(crate) fn server(message: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            code: None,
            message: message.into(),
        }
    }

    /// The message without what follows an empty line: a report for people, which is in the body alone.
    fn headline(&self) -> &str {
        let headline = self.message.split("\n\n").next();
        headline.unwrap_or(&self.message)
    }

    /// The reason phrase: the message where there is a code or a filter refuses, else the words of the server that Oozie runs in.
    fn reason(&self) -> String {
        match self.code {
            Some(_) => escaped(self.headline()),
            None if self.status == StatusCode::FORBIDDEN => escaped(self.headline()),
            None if self.status == StatusCode::INTERNAL_SERVER_ERROR => "Server Error".to_owned(),
            None => self.status.canonical_reason().unwrap_or("").to_owned(),
        }
    }

    /// The answer to a request by `method`: only GET, HEAD and POST have a body.
    pub(crate) fn answer(&self, method: &Method) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        if let Ok(reason) = ReasonPhrase::try_from(one_line(&self.reason()).into_bytes()) {
            response.extensions_mut().insert(reason);
        }
        if matches!(*method, Method::GET | Method::HEAD | Method::POST) {
            let body = json!({
                "errorMessage": escaped(&self.message),
                "httpStatusCode": self.status.as_u16(),
            });
            *response.body_mut() = Body::from(body.to_string());
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
        }
        let headers = response.headers_mut();
        if let Some(code) = &self.code {
            for (name, text) in [
                (ERROR_CODE, code.as_str()),
                (ERROR_MESSAGE, self.headline()),
            ] {
                if let Ok(value) = HeaderValue::from_bytes(one_line(text).as_bytes()) {
                    headers.insert(name, value);
                }
            }
        } else if self.status == StatusCode::INTERNAL_SERVER_ERROR {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

impl IntoResponse for Failure {
    /// The outermost layer, which knows the method, writes it.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<RunError> for Failure {
    /// A message that ends in `(E0801)` has that code; what the machine fails at is 500.
    fn from(error: RunError) -> Failure {
        let message = match &error.help {
            Some(help) => format!("{}; {help}", error.message),
            None => error.message.clone(),
        };
        match code_in(&error.message) {
            // It begins with the code then.
            Some(code) => {
                let message = message.replace(&format!(" ({code})"), "");
                let words = TEMPLATES.iter().find(|(known, _)| *known == code);
                let words = words.map_or("", |(_, words)| *words);
                Failure::coded(code, format!("{words}{message}"))
            }
            None if error.exit == Exit::Machine => {
                Failure::runtime(&message).with_status(StatusCode::INTERNAL_SERVER_ERROR)
            }
            None => Failure::runtime(&message),
        }
    }
}

/// What Oozie's messages with a code begin with (`ErrorCode`), where ours do not say it.
const TEMPLATES: &[(&str, &str)] = &[
    ("E1003", "Invalid coordinator application attributes, "),
    ("E1004", "Expression language evaluation error, "),
];

/// The last code of Oozie in a message: `(E0805)`.
pub(crate) fn code_in(message: &str) -> Option<&str> {
    let start = message.rfind("(E")? + 1;
    let code = message.get(start..start + 5)?;
    let is_code = code[1..].bytes().all(|byte| byte.is_ascii_digit());
    (is_code && message[start + 5..].starts_with(')')).then_some(code)
}

/// A header has no line ends and no other control characters.
fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// As in HTML: a message may quote what a stranger sent.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_a_message_is_the_last_in_parentheses() {
        assert_eq!(code_in("job 1 is KILLED (E0805)"), Some("E0805"));
        assert_eq!(code_in("a (E0701)\nb (E0727); more"), Some("E0727"));
        for none in ["", "(E08", "(Exxxx)", "E0805", "(E08055)", "(é0805)"] {
            assert_eq!(code_in(none), None, "{none}");
        }
    }

    #[test]
    fn what_others_sent_breaks_neither_the_headers_nor_the_page() {
        let failure = Failure::no_job("<a>\r\nSet-Cookie: x=1");
        let answer = failure.answer(&Method::GET);
        let message = answer.headers()[ERROR_MESSAGE].to_str().unwrap();
        assert_eq!(message, "E0604: Job does not exist [<a>  Set-Cookie: x=1]");
        let reason = answer.extensions().get::<ReasonPhrase>().unwrap();
        assert!(
            reason
                .as_bytes()
                .starts_with(b"E0604: Job does not exist [&lt;a&gt;  Set")
        );
        let put = failure.answer(&Method::PUT);
        assert!(put.headers().get(header::CONTENT_TYPE).is_none());
        let refused = Failure::from(RunError::usage("job 1 is KILLED (E0805)"));
        assert_eq!(refused.message, "E0805: job 1 is KILLED");
    }
}
