//! What a request proves of its caller: a token of this state folder, or with simple authentication what the caller says.

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use headers::{
    Authorization, Header,
    authorization::{Basic, Bearer},
};
use hpdlc_host::clock;
use hpdlc_store::tokens::{self, Role};

use crate::{
    serve::{failure::Failure, policy::Mode, query::Parameters, server::Server},
    token,
};

/// How it is known who calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The caller says so, or nobody asked.
    #[default]
    Simple,
    Token {
        id: String,
        role: Role,
    },
}

/// Who calls, before `doAs`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    pub(crate) user: Option<String>,
    pub(crate) proof: Proof,
}

/// A refusal, with the headers that it has beside those of every failure.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) failure: Failure,
    pub(crate) headers: Vec<(header::HeaderName, HeaderValue)>,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal {
            failure,
            headers: Vec::new(),
        }
    }
}

/// A token as it was sent, and the user that was sent with it.
struct SentToken {
    token: String,
    user: Option<String>,
}

/// Who calls, and the cookie to set. May read the store.
///
/// # Errors
///
/// 401 without a valid token where one is needed; 403 without a user where one is needed.
pub(crate) fn identify(
    server: &Server,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<(Caller, Option<String>), Refusal> {
    match (sent_token(headers), server.access.mode) {
        (Some(sent), _) => Ok((of_token(server, &sent)?, None)),
        (None, Mode::Token) => Err(challenge(
            "a token is needed: as Authorization: Bearer, or as the password of BASIC",
        )),
        (None, Mode::Simple) => simple(server, headers, uri),
    }
}

/// A token in `Authorization`. With simple authentication the client of Oozie may send passwords there that nobody asked for.
fn sent_token(headers: &HeaderMap) -> Option<SentToken> {
    let values = || headers.get_all(header::AUTHORIZATION).iter();
    let sent = match Authorization::<Bearer>::decode(&mut values()) {
        Ok(bearer) => SentToken {
            token: bearer.token().to_owned(),
            user: None,
        },
        Err(_) => {
            let basic = Authorization::<Basic>::decode(&mut values()).ok()?;
            SentToken {
                token: basic.password().to_owned(),
                user: Some(basic.username().to_owned()).filter(|user| !user.is_empty()),
            }
        }
    };
    token::is_meant(&sent.token).then_some(sent)
}

fn of_token(server: &Server, sent: &SentToken) -> Result<Caller, Refusal> {
    // One answer for all that is wrong with it, so that nobody learns which ids there are.
    let wrong = || challenge("the token is not valid: it is unknown, revoked, or has expired");
    let id = token::id_in(&sent.token).ok_or_else(wrong)?;
    let connection = server.store()?;
    let row = tokens::find(&connection, id).map_err(|error| server.failed(error))?;
    let row = row.ok_or_else(wrong)?;
    if !token::matches(&row, &sent.token) || !row.is_valid(clock::now_millis()) {
        return Err(wrong());
    }
    if let Some(user) = sent.user.as_deref().filter(|user| *user != row.user) {
        return Err(challenge(&format!(
            "token {} is not of the user {user}",
            row.id
        )));
    }
    Ok(Caller {
        user: Some(row.user),
        proof: Proof::Token {
            id: row.id,
            role: row.role,
        },
    })
}

/// 401, with what a client may answer to it.
fn challenge(why: &str) -> Refusal {
    let failure = Failure::coded("E0500", format!("Not authorized, {why}"));
    let ways = [
        "Bearer realm=\"hpdl\"",
        "Basic realm=\"hpdl\", charset=\"UTF-8\"",
    ];
    Refusal {
        failure: failure.with_status(StatusCode::UNAUTHORIZED),
        headers: ways
            .map(|way| (header::WWW_AUTHENTICATE, HeaderValue::from_static(way)))
            .into(),
    }
}

/// As `AuthFilter` of Oozie finds it: a cookie of ours, else `user.name`, for which a cookie is set.
fn simple(
    server: &Server,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<(Caller, Option<String>), Refusal> {
    let now = clock::now_millis();
    let cookies = headers.get_all(header::COOKIE).iter();
    let known = cookies
        .filter_map(|header| header.to_str().ok())
        .find_map(|header| server.signer.user(header, now));
    let parameters = Parameters::parse(uri.query());
    let (user, cookie) = match (known, parameters.get("user.name")) {
        (Some(user), _) => (Some(user), None),
        (None, None) => (None, None),
        (None, Some(name)) if token::is_user_name(name) => {
            let cookie = server.signer.set_cookie(name, "/", now);
            (Some(name.to_owned()), Some(cookie))
        }
        (None, Some(_)) => {
            let problem = "user.name is empty or contains what no user name has";
            return Err(Failure::server(problem).into());
        }
    };
    if user.is_none() && !server.access.anonymous {
        return Err(Refusal {
            failure: Failure::forbidden("Anonymous requests are disallowed"),
            headers: vec![(
                header::SET_COOKIE,
                HeaderValue::from_static(
                    "hadoop.auth=; Path=/; Expires=Thu, 01-Jan-1970 00:00:00 GMT; HttpOnly",
                ),
            )],
        });
    }
    let proof = Proof::Simple;
    Ok((Caller { user, proof }, cookie))
}
