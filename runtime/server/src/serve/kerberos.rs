//! Kerberos by SPNEGO (RFC 4559): a client proves who it is by `Authorization: Negotiate`, as the client of Oozie with `-auth KERBEROS`,
//! browsers and `curl --negotiate` do.

use std::{collections::BTreeMap, path::PathBuf};

use axum::http::{HeaderMap, HeaderValue, header};
use base64::{Engine, engine::general_purpose::STANDARD};
use hpdlc_gssapi::{Acceptor, LIBRARY};
use hpdlc_host::exit::RunError;

use self::rules::Rules;

mod rules;

/// The file with the key of the service.
const KEYTAB: &str = "oozie.authentication.kerberos.keytab";
/// The name of the service: `HTTP/host@REALM`.
const PRINCIPAL: &str = "oozie.authentication.kerberos.principal";
/// How principals become names of users; the second one is Hadoop's.
const NAME_RULES: &str = "oozie.authentication.kerberos.name.rules";
const AUTH_TO_LOCAL: &str = "hadoop.security.auth_to_local";

/// A larger token is not one: those with the groups of Active Directory have 64 KiB, which no header has room for.
const MOST_BYTES: usize = 48 << 10;

/// What accepts clients.
#[derive(Debug)]
pub(crate) struct Kerberos {
    acceptor: Acceptor,
    rules: Rules,
}

/// Who has proved who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proved {
    pub(crate) user: String,
    pub(crate) principal: String,
    /// What proves to the client who the server is, if it has asked.
    pub(crate) answer: Option<HeaderValue>,
}

/// Why a token is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotProved {
    /// There is none.
    Missing,
    Wrong(String),
}

impl Kerberos {
    /// By the settings of a site.
    ///
    /// # Errors
    ///
    /// Exit 2 if a setting is missing or wrong, exit 5 if there is no GSSAPI or the keytab has no key of the service.
    pub(crate) fn of(site: &BTreeMap<String, String>) -> Result<Kerberos, RunError> {
        let setting = |name: &str| {
            let text = site.get(name).map(|text| text.trim());
            text.filter(|text| !text.is_empty())
        };
        let needed = |name: &str, such_as: &str| {
            setting(name).ok_or_else(|| {
                RunError::usage(format!("authentication by Kerberos needs {name}"))
                    .with_help(format!("set it in the site's file, such as {such_as}"))
            })
        };
        let keytab = PathBuf::from(needed(KEYTAB, "/etc/oozie/http.keytab")?);
        let principal = needed(PRINCIPAL, "HTTP/etl.example@EXAMPLE")?;
        let Some((_, realm)) = principal.rsplit_once('@').filter(|(name, realm)| {
            !name.is_empty() && !realm.is_empty() && !principal.contains('*')
        }) else {
            return Err(
                RunError::usage(format!("{PRINCIPAL} is `{principal}`")).with_help(
                    "write the whole name of the service with its realm: HTTP/etl.example@EXAMPLE",
                ),
            );
        };
        let (name, text) = match (setting(NAME_RULES), setting(AUTH_TO_LOCAL)) {
            (Some(text), _) => (NAME_RULES, text),
            (None, Some(text)) => (AUTH_TO_LOCAL, text),
            (None, None) => (NAME_RULES, "DEFAULT"),
        };
        let rules = Rules::parse(text, realm)
            .map_err(|error| RunError::usage(format!("{name}: {error}")))?;
        let acceptor = Acceptor::new(&keytab, principal).map_err(|error| {
            RunError::machine(format!(
                "authentication by Kerberos cannot accept clients as {principal} by {}: {error}",
                keytab.display()
            ))
            .with_help(format!(
                "it needs {LIBRARY} (Debian: apt-get install libgssapi-krb5-2) and a keytab with a key of that name (klist -k); or use tokens: --auth token"
            ))
        })?;
        Ok(Kerberos { acceptor, rules })
    }

    /// Who sent a request, by its header `Authorization`.
    ///
    /// # Errors
    ///
    /// That there is no token of Negotiate, that GSSAPI refuses it, or that no rule gives its principal a name.
    pub(crate) fn accept(&self, headers: &HeaderMap) -> Result<Proved, NotProved> {
        let token = token(headers)?;
        let accepted = self.acceptor.accept(&token).map_err(NotProved::Wrong)?;
        let user = self
            .rules
            .user(&accepted.client)
            .map_err(NotProved::Wrong)?;
        let answer = match accepted.answer.as_slice() {
            [] => None,
            answer => HeaderValue::from_str(&format!("Negotiate {}", STANDARD.encode(answer))).ok(),
        };
        Ok(Proved {
            user,
            principal: accepted.client,
            answer,
        })
    }
}

/// The token of Negotiate.
fn token(headers: &HeaderMap) -> Result<Vec<u8>, NotProved> {
    let sent = headers.get_all(header::AUTHORIZATION).iter();
    let words = sent.filter_map(|sent| sent.to_str().ok()?.trim().split_once(' '));
    let mut tokens = words.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("negotiate"));
    let (_, text) = tokens.next().ok_or(NotProved::Missing)?;
    let text = text.trim();
    if text.len() > MOST_BYTES {
        return Err(NotProved::Wrong("the token is too long".to_owned()));
    }
    let decoded = STANDARD.decode(text);
    decoded.map_err(|_| NotProved::Wrong("the token is not in base 64".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_at_the_start() {
        let site = |settings: &[(&str, &str)]| -> BTreeMap<String, String> {
            let settings = settings.iter();
            settings
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let keytab = (KEYTAB, "/nowhere/http.keytab");
        for (settings, part) in [
            (vec![], KEYTAB),
            (vec![keytab], PRINCIPAL),
            (
                vec![keytab, (PRINCIPAL, "HTTP/localhost")],
                "with its realm",
            ),
            (vec![keytab, (PRINCIPAL, "*")], "with its realm"),
            (
                vec![
                    keytab,
                    (PRINCIPAL, "HTTP/localhost@SITE"),
                    (AUTH_TO_LOCAL, "RULE:["),
                ],
                AUTH_TO_LOCAL,
            ),
            (
                vec![keytab, (PRINCIPAL, "HTTP/localhost@SITE")],
                "/nowhere/http.keytab",
            ),
        ] {
            let error = Kerberos::of(&site(&settings)).map(drop).unwrap_err();
            assert!(error.to_string().contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn a_token_is_that_of_negotiate() {
        let sent = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
            token(&headers)
        };
        assert_eq!(sent("Negotiate YWJj"), Ok(b"abc".to_vec()));
        assert_eq!(sent("negotiate  YWJj"), Ok(b"abc".to_vec()));
        assert_eq!(sent("Basic YWJj"), Err(NotProved::Missing));
        assert_eq!(sent("Negotiate"), Err(NotProved::Missing));
        assert!(matches!(sent("Negotiate %%"), Err(NotProved::Wrong(_))));
        assert!(matches!(
            sent(&format!("Negotiate {}", "A".repeat(60 << 10))),
            Err(NotProved::Wrong(_))
        ));
    }
}
