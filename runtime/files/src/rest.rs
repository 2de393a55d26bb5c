//! JSON over HTTP: the REST interfaces of Hadoop's services other than file systems.

use std::io;

use reqwest::{Method, Url};
use serde_json::Value;

use crate::{
    error::Fault,
    hosts::{self, Hosts},
    webhdfs::converted,
};

/// The maximum number of bytes read of a response; the counters of a job are a few thousand.
const MAX_ANSWER: usize = 64 * 1024 * 1024;

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

/// Sends a request to `url`, with `query` added to its own.
///
/// # Errors
///
/// If there is no complete response, or the URL is invalid.
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
    hosts.wait(async move {
        let mut response = request.send().await.map_err(converted)?;
        let status = response.status().as_u16();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(converted)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_ANSWER {
                return Err(Fault::Interrupted.error("the answer does not end"));
            }
        }
        Ok(RestAnswer {
            status,
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
        })
    })
}
