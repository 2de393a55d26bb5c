//! `token`: tokens for `hpdl serve`, which prove who calls.
//!
//! A token is `hpdl_ID_SECRET`, with a secret of 256 random bits in hexadecimal digits. It is shown once; the store has its SHA-256, for which
//! no slow hash is needed: such a secret cannot be guessed.

use std::time::Duration;

use clap::{Args, Subcommand};
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_store::tokens::{Role, TokenRow};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

pub(crate) mod list;
mod new;
mod revoke;

/// What every token begins with, so that it is recognized where it must not be.
const PREFIX: &str = "hpdl_";
/// Random bytes of the id and of the secret.
const ID_BYTES: usize = 4;
const SECRET_BYTES: usize = 32;

#[derive(Debug, Args)]
pub(super) struct Tokens {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the tokens; the default
    List(list::List),
    /// Make a token, and print it: this once
    New(new::New),
    /// Accept a token no more
    Revoke(revoke::Revoke),
}

impl Tokens {
    pub(super) fn execute(self, session: &Session) -> Result<Exit, RunError> {
        match self.command.unwrap_or(Command::List(list::List::default())) {
            Command::List(list) => list.execute(session),
            Command::New(new) => new.execute(session),
            Command::Revoke(revoke) => revoke.execute(session),
        }
    }
}

/// A new token, and its row.
///
/// # Errors
///
/// Exit 5 if the system has no random numbers.
pub(crate) fn make(
    name: &str,
    user: &str,
    role: Role,
    age: Option<Duration>,
) -> Result<(TokenRow, String), RunError> {
    let failed = |error| RunError::machine(format!("no random numbers: {error}"));
    let (mut id, mut secret) = ([0; ID_BYTES], [0; SECRET_BYTES]);
    getrandom::fill(&mut id).map_err(failed)?;
    getrandom::fill(&mut secret).map_err(failed)?;
    let id = hex::encode(id);
    let token = format!("{PREFIX}{id}_{}", hex::encode(secret));
    let created = clock::now_millis();
    let expires = age.map(|age| {
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        created.saturating_add(age)
    });
    let row = TokenRow {
        id,
        hash: hash(&token),
        user: user.to_owned(),
        role,
        name: name.to_owned(),
        created,
        expires,
        revoked: None,
        used: None,
    };
    Ok((row, token))
}

/// The id in what has the form of a token.
pub(crate) fn id_in(token: &str) -> Option<&str> {
    let (id, secret) = token.strip_prefix(PREFIX)?.split_once('_')?;
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_token = id.len() == 2 * ID_BYTES && secret.len() == 2 * SECRET_BYTES;
    (is_token && is_hex(id) && is_hex(secret)).then_some(id)
}

/// Whether a text is meant as a token, a wrong one perhaps.
pub(crate) fn is_meant(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Whether a name can stand in a cookie and in the audit: letters, digits and what user names and principals have.
pub(crate) fn is_user_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-@/+$\\".contains(c);
    !name.is_empty() && name.len() <= 255 && name.chars().all(is_part)
}

/// Whether a token is that of a row, in a time that does not depend on where they differ.
pub(crate) fn matches(row: &TokenRow, token: &str) -> bool {
    hash(token).ct_eq(row.hash.as_slice()).into()
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> (TokenRow, String) {
        make("CI", "ada", Role::Read, None).unwrap()
    }

    #[test]
    fn a_token_is_recognized_by_its_hash_alone() {
        let (row, token) = made();
        let (_, other) = made();
        assert_eq!(id_in(&token), Some(row.id.as_str()));
        let stored = format!("{row:?}");
        assert!(!stored.contains(token.rsplit('_').next().unwrap()));
        assert!(matches(&row, &token));
        assert!(!matches(&row, &other));
        assert!(!matches(&row, &token[..token.len() - 1]));
        assert!(!matches(&row, ""));
    }

    #[test]
    fn names_that_would_break_a_cookie_are_no_names() {
        for good in ["ada", "ada.l", "hue/host@REALM"] {
            assert!(is_user_name(good), "{good}");
        }
        for bad in ["", "a&p=b", "a;b", "a\"b", "a\nb", "\u{e9}"] {
            assert!(!is_user_name(bad), "{bad}");
        }
    }

    #[test]
    fn what_has_not_the_form_of_a_token_is_looked_up_nowhere() {
        let (_, token) = made();
        let secret = token.rsplit('_').next().unwrap();
        let long = format!("{token}0");
        let quoted = token.replacen(&token[5..7], "'-", 1);
        for bad in ["", "hpdl_", "hpdl_1_2", secret, &token[1..], &long, &quoted] {
            assert_eq!(id_in(bad), None, "{bad}");
        }
    }
}
