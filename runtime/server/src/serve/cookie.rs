//! The cookie `hadoop.auth`, which says who a client said that it is: `u=U&p=U&t=simple&e=MILLISECONDS&s=SIGNATURE`.
//!
//! `AuthenticatedURL` of Hadoop keeps it and sends it again; the signature is this state folder's.

use std::{collections::BTreeMap, fmt::Write as _};

use chrono::DateTime;
use hmac::{Hmac, Mac};
use sha2::Sha256;

pub(crate) const NAME: &str = "hadoop.auth";
/// `oozie.authentication.token.validity`: 10 hours, in milliseconds.
const VALIDITY: i64 = 36_000_000;

/// Signs and checks cookies.
#[derive(Clone)]
pub(crate) struct Signer {
    secret: Vec<u8>,
}

impl Signer {
    pub(crate) fn new(secret: Vec<u8>) -> Signer {
        Signer { secret }
    }

    /// The value of `Set-Cookie` for a user, from `now` in milliseconds on.
    pub(crate) fn set_cookie(&self, user: &str, path: &str, now: i64) -> String {
        let expires = now.saturating_add(VALIDITY);
        let token = format!("u={user}&p={user}&t=simple&e={expires}");
        let signature = hex(&self.mac(&token).finalize().into_bytes());
        let date = DateTime::from_timestamp_millis(expires)
            .map(|date| date.format("%a, %d-%b-%Y %H:%M:%S GMT").to_string())
            .unwrap_or_default();
        format!(
            "{NAME}=\"{token}&s={signature}\"; Path={path}; Expires={date}; HttpOnly; SameSite=Lax"
        )
    }

    /// The user in the header `Cookie`, if the cookie is ours and has not expired.
    pub(crate) fn user(&self, header: &str, now: i64) -> Option<String> {
        let value = header.split(';').find_map(|cookie| {
            let (name, value) = cookie.trim().split_once('=')?;
            (name == NAME).then(|| value.trim_matches('"'))
        })?;
        let (token, signature) = value.rsplit_once("&s=")?;
        self.mac(token).verify_slice(&unhex(signature)?).ok()?;
        let parts: BTreeMap<&str, &str> = token
            .split('&')
            .filter_map(|part| part.split_once('='))
            .collect();
        let expires: i64 = parts.get("e")?.parse().ok()?;
        (expires > now).then(|| parts.get("u").map(|user| (*user).to_owned()))?
    }

    /// The signature of a text in hexadecimal digits. A cookie begins with `u=`: no other text may.
    pub(crate) fn sign(&self, text: &str) -> String {
        hex(&self.mac(text).finalize().into_bytes())
    }

    fn mac(&self, token: &str) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.secret).expect("a key may have any length");
        mac.update(token.as_bytes());
        mac
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len()).step_by(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_own_cookie_that_has_not_expired_names_a_user() {
        let signer = Signer::new(vec![7; 32]);
        let set = signer.set_cookie("ada", "/", 1_000);
        let sent = set.split(';').next().unwrap().to_owned();
        assert_eq!(signer.user(&sent, 1_000).as_deref(), Some("ada"));
        let among = format!("a=b; {sent}; c=d");
        assert_eq!(signer.user(&among, 1_000).as_deref(), Some("ada"));
        assert_eq!(signer.user(&sent, 1_000 + VALIDITY), None);
        assert_eq!(Signer::new(vec![8; 32]).user(&sent, 1_000), None);
        assert_eq!(signer.user(&sent.replace("u=ada", "u=eve"), 1_000), None);
        for bad in [
            "",
            "hadoop.auth=",
            "hadoop.auth=\"u=a&s=\"",
            "hadoop.auth=\"&s=zz\"",
        ] {
            assert_eq!(signer.user(bad, 0), None, "{bad}");
        }
    }
}
