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
    /// `null` if it is not JSON.
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
    Ok(RestAnswer {
        status: reply.status,
        body: serde_json::from_slice(&reply.bytes).unwrap_or_default(),
    })
}
