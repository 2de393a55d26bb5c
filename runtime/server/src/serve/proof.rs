//! What a request proves of its caller: a token of this state folder, a ticket of Kerberos, or with simple authentication what the caller says.

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use headers::{
    Authorization, Header,
    authorization::{Basic, Bearer},
};
use hpdlc_host::clock;
use hpdlc_store::tokens::{self, Role};

use crate::{
    serve::{
        cookie::Known, failure::Failure, kerberos::NotProved, policy::Mode, query::Parameters,
        server::Server,
    },
    token,
};

/// The words of Oozie's filter where every request needs a user.
pub(crate) const ANONYMOUS: &str = "Anonymous requests are disallowed";

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
    /// A ticket, or the cookie that was set for one.
    Kerberos,
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
    pub(crate) headers: Vec<AnswerHeader>,
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

/// A header of an answer.
type AnswerHeader = (header::HeaderName, HeaderValue);

/// Who calls, and the headers of the answer that tell the caller. May read the store.
///
/// # Errors
///
/// 401 without a valid token or ticket where one is needed; 403 with a ticket that is refused, or without a user where one is needed.
pub(crate) fn identify(
    server: &Server,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<(Caller, Vec<AnswerHeader>), Refusal> {
    match (sent_token(headers), server.access.mode) {
        (Some(sent), _) => Ok((of_token(server, &sent)?, Vec::new())),
        (None, Mode::Kerberos) => of_ticket(server, headers),
        (None, Mode::Token) => Err(challenge(
            "a token is needed: in the header `Authorization` as Bearer, or as the password of BASIC",
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
    server.token_uses.note(&server.session, &row);
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

/// The user of a cookie of ours.
fn of_cookie(server: &Server, headers: &HeaderMap, known: Known) -> Option<String> {
    let now = clock::now_millis();
    let cookies = headers.get_all(header::COOKIE).iter();
    cookies
        .filter_map(|header| header.to_str().ok())
        .find_map(|header| server.signer.user(header, known, now))
}

/// As `KerberosAuthenticationHandler` of Hadoop: a cookie of ours, else a ticket, for which a cookie is set.
fn of_ticket(server: &Server, headers: &HeaderMap) -> Result<(Caller, Vec<AnswerHeader>), Refusal> {
    let caller = |user: String| Caller {
        user: Some(user),
        proof: Proof::Kerberos,
    };
    if let Some(user) = of_cookie(server, headers, Known::Kerberos) {
        return Ok((caller(user), Vec::new()));
    }
    let kerberos = server.kerberos.as_ref();
    let kerberos = kerberos.ok_or_else(|| Failure::server("Kerberos was not started"))?;
    match kerberos.accept(headers) {
        Ok(proved) => {
            let now = clock::now_millis();
            let cookie =
                server
                    .signer
                    .set_cookie(&proved.user, &proved.principal, Known::Kerberos, now);
            let answer = proved.answer.map(|it| (header::WWW_AUTHENTICATE, it));
            let cookie = HeaderValue::from_str(&cookie).ok();
            let cookie = cookie.map(|it| (header::SET_COOKIE, it));
            Ok((
                caller(proved.user),
                answer.into_iter().chain(cookie).collect(),
            ))
        }
        Err(NotProved::Missing) => {
            let failure = Failure::coded("E0500", "Not authorized, authentication required");
            Err(Refusal {
                failure: failure.with_status(StatusCode::UNAUTHORIZED),
                headers: vec![(
                    header::WWW_AUTHENTICATE,
                    HeaderValue::from_static("Negotiate"),
                )],
            })
        }
        Err(NotProved::Wrong(why)) => Err(Failure::forbidden(format!("Kerberos: {why}")).into()),
    }
}

/// As `AuthFilter` of Oozie finds it: a cookie of ours, else `user.name`, for which a cookie is set.
fn simple(
    server: &Server,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<(Caller, Vec<AnswerHeader>), Refusal> {
    let now = clock::now_millis();
    let known = of_cookie(server, headers, Known::Simple);
    let parameters = Parameters::parse(uri.query());
    let (user, cookie) = match (known, parameters.get("user.name")) {
        (Some(user), _) => (Some(user), None),
        (None, None) => (None, None),
        (None, Some(name)) if token::is_user_name(name) => {
            let cookie = server.signer.set_cookie(name, name, Known::Simple, now);
            (Some(name.to_owned()), Some(cookie))
        }
        (None, Some(name)) => {
            let problem = "user.name is empty or contains what no user name has";
            let is_hpdl = |path: &str| path.starts_with("/hpdl/") || path.starts_with("/hws/");
            let path = uri.path().strip_prefix(&server.base);
            return Err(match path {
                // As the filter of Oozie answers to an empty one.
                Some(path) if name.is_empty() && !is_hpdl(path) => Failure::server(problem),
                Some(_) | None => Failure::argument(problem),
            }
            .into());
        }
    };
    if user.is_none() && !server.access.anonymous {
        return Err(Refusal {
            failure: Failure::forbidden(ANONYMOUS),
            headers: vec![(
                header::SET_COOKIE,
                HeaderValue::from_static(
                    "hadoop.auth=; Path=/; Expires=Thu, 01-Jan-1970 00:00:00 GMT; HttpOnly",
                ),
            )],
        });
    }
    let proof = Proof::Simple;
    let cookie = cookie.and_then(|it| HeaderValue::from_str(&it).ok());
    let cookie = cookie.map(|it| (header::SET_COOKIE, it));
    Ok((Caller { user, proof }, cookie.into_iter().collect()))
}
