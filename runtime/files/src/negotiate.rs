//! HTTP with a proof by Kerberos where a server asks for one (SPNEGO, RFC 4559).
//!
//! A request is sent without a proof at first. A server that wants one answers 401 and `WWW-Authenticate: Negotiate`, and the request is sent
//! again with a token for this server. Where a redirection has led to another server, that one is meant.

use std::io;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hpdlc_gssapi::Initiator;
use reqwest::{
    Client, Request, Response, Url,
    header::{AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE},
};

use crate::{error::Fault, hdfs::error::of_connection, hosts::Hosts, kerberos};

/// The parameter with the user for whom the owner of the ticket acts. Name nodes and resource managers know it.
const IMPERSONATED: &str = "doAs";

/// An answer, read to its end or to the limit.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) bytes: Vec<u8>,
}

/// One exchange.
struct Exchange {
    reply: Reply,
    /// Of the server that has answered.
    url: Url,
    /// What a server that knows Kerberos says: nothing if it asks for a proof, else its own proof.
    token: Option<Vec<u8>>,
}

/// Sends a request; returns at most `most` bytes of the answer plus one chunk.
///
/// # Errors
///
/// There is no complete answer, or the server wants a proof and gets none that it accepts.
pub(crate) fn send(
    hosts: &Hosts<'_>,
    client: &Client,
    request: Request,
    most: u64,
) -> io::Result<Reply> {
    let again = request.try_clone();
    let first = exchange(hosts, client, request, most)?;
    let (401, Some(_), Some(mut again)) = (first.reply.status, &first.token, again) else {
        return Ok(first.reply);
    };
    let host = first.url.host_str().unwrap_or_default().to_owned();
    let initiator =
        Initiator::new(&format!("HTTP@{host}")).map_err(|said| kerberos::problem(&said))?;
    *again.url_mut() = first.url;
    impersonate(hosts, &initiator, again.url_mut());
    let mut proof =
        HeaderValue::try_from(format!("Negotiate {}", STANDARD.encode(initiator.token())))
            .map_err(|error| io::Error::other(error.to_string()))?;
    proof.set_sensitive(true);
    again.headers_mut().insert(AUTHORIZATION, proof);
    let second = exchange(hosts, client, again, most)?;
    if second.reply.status == 401 {
        let principal = initiator.principal();
        return Err(Fault::Unproved.error(format!(
            "the server refuses the Kerberos ticket of {principal} (401)"
        )));
    }
    // A redirection away from the server that was asked leaves its own proof behind.
    match second.token.filter(|token| !token.is_empty()) {
        Some(answer) if second.url.host_str() == Some(&*host) => {
            initiator.finish(&answer).map_err(|said| {
                Fault::Unproved.error(format!(
                    "the server does not prove that it is {host}: {said}"
                ))
            })?;
        }
        Some(_) | None => {}
    }
    Ok(second.reply)
}

/// Names the user to act for, unless that is the owner of the ticket, who may not act for himself.
fn impersonate(hosts: &Hosts<'_>, initiator: &Initiator, url: &mut Url) {
    if let Some(user) = &hosts.settings.user
        && kerberos::user_of(initiator.principal()).ok().as_ref() != Some(user)
        && !url
            .query_pairs()
            .any(|(name, _)| name.eq_ignore_ascii_case(IMPERSONATED))
    {
        url.query_pairs_mut().append_pair(IMPERSONATED, user);
    }
}

fn exchange(
    hosts: &Hosts<'_>,
    client: &Client,
    request: Request,
    most: u64,
) -> io::Result<Exchange> {
    let client = client.clone();
    hosts.wait(async move {
        let response = client.execute(request).await.map_err(converted)?;
        read(response, most).await
    })
}

async fn read(mut response: Response, most: u64) -> io::Result<Exchange> {
    let (status, url) = (response.status().as_u16(), response.url().clone());
    let token = negotiation(response.headers());
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(converted)? {
        bytes.extend_from_slice(&chunk);
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
            break;
        }
    }
    Ok(Exchange {
        reply: Reply { status, bytes },
        url,
        token,
    })
}

/// The failure of a connection.
fn converted(error: reqwest::Error) -> io::Error {
    // The root cause is at the end of the chain.
    let mut source: Option<&dyn std::error::Error> = Some(&error);
    while let Some(cause) = source {
        if let Some(io) = cause.downcast_ref::<io::Error>() {
            return of_connection(io::Error::new(io.kind(), io.to_string()));
        }
        source = cause.source();
    }
    let fault = if error.is_connect() {
        Fault::Unreachable
    } else {
        Fault::Interrupted
    };
    fault.error(error.to_string())
}

/// The token of `WWW-Authenticate: Negotiate`, empty if there is none; `None` without such a header.
fn negotiation(headers: &HeaderMap) -> Option<Vec<u8>> {
    let values = headers.get_all(WWW_AUTHENTICATE).into_iter();
    let challenges = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    challenges.into_iter().find_map(|challenge| {
        let challenge = challenge.trim();
        let (scheme, token) = challenge.split_once(' ').unwrap_or((challenge, ""));
        let is_meant = scheme.eq_ignore_ascii_case("Negotiate");
        is_meant.then(|| STANDARD.decode(token.trim()).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_found_among_others() {
        let of = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(WWW_AUTHENTICATE, HeaderValue::from_static(value));
            }
            negotiation(&headers)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["Basic realm=\"x\""]), None);
        assert_eq!(of(&["Negotiate"]), Some(Vec::new()));
        assert_eq!(of(&["Basic realm=\"x\"", "negotiate"]), Some(Vec::new()));
        assert_eq!(of(&["Basic realm=\"x\", Negotiate"]), Some(Vec::new()));
        assert_eq!(of(&["Negotiate aGk="]), Some(b"hi".to_vec()));
    }
}
