//! JSON over HTTP: the REST interfaces of Hadoop's services other than file systems.

use std::io;

use reqwest::{Method, Url};
use serde_json::Value;

use crate::{
    error::Fault,
    hosts::{self, Hosts},
    negotiate,
};

/// The maximum number of bytes read of a response; the counters of a job are a few thousand.
const MAX_ANSWER: u64 = 64 * 1024 * 1024;

/// The response of a service.
#[derive(Clone, Debug, PartialEq)]
pub struct RestAnswer {
    pub status: u16,
    /// `null` if it is not JSON; of an error that is said in plain words, these.
    pub body: Value,
}

/// What is asked of a service.
#[derive(Clone, Copy, Debug)]
pub enum RestRequest<'b> {
    Get,
    Put(&'b Value),
    /// Without a body if that is `None`.
    Post(Option<&'b Value>),
}

/// Sends a request to `url`, with `query` added to its own. A server that asks for a proof by Kerberos gets one, with the user of `hosts` as the
/// one to act for, if there is one.
///
/// # Errors
///
/// If there is no complete response, the URL is invalid, or there is no ticket that the server accepts.
pub fn ask(
    hosts: &Hosts<'_>,
    url: &str,
    query: &[(&str, &str)],
    what: RestRequest<'_>,
) -> io::Result<RestAnswer> {
    let invalid = |error: String| io::Error::new(io::ErrorKind::InvalidInput, error);
    let mut url = Url::parse(url).map_err(|error| invalid(format!("{url}: {error}")))?;
    url.query_pairs_mut().extend_pairs(query);
    let client = hosts::http_client()?;
    let (method, body) = match what {
        RestRequest::Get => (Method::GET, None),
        RestRequest::Put(body) => (Method::PUT, Some(body)),
        RestRequest::Post(body) => (Method::POST, body),
    };
    let mut request = client.request(method, url);
    request = request.header("Accept", "application/json");
    if let Some(body) = body {
        request = request
            .header("Content-Type", "application/json")
            .body(body.to_string());
    }
    let request = request
        .build()
        .map_err(|error| invalid(error.to_string()))?;
    let reply = negotiate::send(hosts, &client, request, MAX_ANSWER)?;
    if u64::try_from(reply.bytes.len()).unwrap_or(u64::MAX) > MAX_ANSWER {
        return Err(Fault::Interrupted.error("the answer does not end"));
    }
    let body = serde_json::from_slice(&reply.bytes);
    Ok(RestAnswer {
        status: reply.status,
        body: body.unwrap_or_else(|_| words(reply.status, &reply.bytes)),
    })
}

/// The beginning of an error's text, unless it is a page; else `null`.
fn words(status: u16, bytes: &[u8]) -> Value {
    const MOST: usize = 500;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]);
    let text = text.trim();
    match status >= 400 && !text.is_empty() && !text.starts_with('<') {
        true => Value::from(text),
        false => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_error_are_kept() {
        for (status, text, expected) in [
            (403, "no\n", Value::from("no")),
            (403, "<html>no</html>", Value::Null),
            (404, "", Value::Null),
            (200, "This is standby RM", Value::Null),
            (307, "There is no active RM", Value::Null),
        ] {
            assert_eq!(words(status, text.as_bytes()), expected, "{status} {text}");
        }
    }
}
