//! The cookie `hadoop.auth`, which says who a client is, and how that is known: `u=U&p=PRINCIPAL&t=simple&e=MILLISECONDS&s=SIGNATURE`.
//!
//! `AuthenticatedURL` of Hadoop keeps it and sends it again; the signature is this state folder's.

use std::collections::BTreeMap;

use chrono::DateTime;
use hmac::{Hmac, Mac};
use sha2::Sha256;

pub(crate) const NAME: &str = "hadoop.auth";
/// `oozie.authentication.token.validity`: 10 hours, in milliseconds.
const VALIDITY: i64 = 36_000_000;

/// How a user was known whom a cookie names: `simple` and `kerberos` of Hadoop. A cookie of one is no proof where the other is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Simple,
    Kerberos,
}

impl Known {
    fn name(self) -> &'static str {
        match self {
            Known::Simple => "simple",
            Known::Kerberos => "kerberos",
        }
    }
}

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
    pub(crate) fn set_cookie(&self, user: &str, principal: &str, known: Known, now: i64) -> String {
        let expires = now.saturating_add(VALIDITY);
        let token = format!("u={user}&p={principal}&t={}&e={expires}", known.name());
        let signature = hex::encode(self.mac(&token).finalize().into_bytes());
        let date = DateTime::from_timestamp_millis(expires)
            .map(|date| date.format("%a, %d-%b-%Y %H:%M:%S GMT").to_string())
            .unwrap_or_default();
        format!("{NAME}=\"{token}&s={signature}\"; Path=/; Expires={date}; HttpOnly; SameSite=Lax")
    }

    /// The user in the header `Cookie`, if the cookie is ours, has not expired, and was set for one who was known in this way.
    pub(crate) fn user(&self, header: &str, known: Known, now: i64) -> Option<String> {
        let value = header.split(';').find_map(|cookie| {
            let (name, value) = cookie.trim().split_once('=')?;
            (name == NAME).then(|| value.trim_matches('"'))
        })?;
        let (token, signature) = value.rsplit_once("&s=")?;
        self.mac(token)
            .verify_slice(&hex::decode(signature).ok()?)
            .ok()?;
        let parts: BTreeMap<&str, &str> = token
            .split('&')
            .filter_map(|part| part.split_once('='))
            .collect();
        if parts.get("t") != Some(&known.name()) {
            return None;
        }
        let expires: i64 = parts.get("e")?.parse().ok()?;
        (expires > now).then(|| parts.get("u").map(|user| (*user).to_owned()))?
    }

    /// The signature of a text in hexadecimal digits. A cookie begins with `u=`: no other text may.
    pub(crate) fn sign(&self, text: &str) -> String {
        hex::encode(self.mac(text).finalize().into_bytes())
    }

    fn mac(&self, token: &str) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.secret).expect("a key may have any length");
        mac.update(token.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_own_cookie_that_has_not_expired_names_a_user() {
        let signer = Signer::new(vec![7; 32]);
        let set = signer.set_cookie("ada", "ada@SITE", Known::Kerberos, 1_000);
        let sent = set.split(';').next().unwrap().to_owned();
        assert_eq!(
            signer.user(&sent, Known::Kerberos, 1_000).as_deref(),
            Some("ada")
        );
        let among = format!("a=b; {sent}; c=d");
        assert_eq!(
            signer.user(&among, Known::Kerberos, 1_000).as_deref(),
            Some("ada")
        );
        assert_eq!(signer.user(&sent, Known::Kerberos, 1_000 + VALIDITY), None);
        assert_eq!(signer.user(&sent, Known::Simple, 1_000), None);
        assert_eq!(
            Signer::new(vec![8; 32]).user(&sent, Known::Kerberos, 1_000),
            None
        );
        assert_eq!(
            signer.user(&sent.replace("u=ada", "u=eve"), Known::Kerberos, 1_000),
            None
        );
        for bad in [
            "",
            "hadoop.auth=",
            "hadoop.auth=\"u=a&s=\"",
            "hadoop.auth=\"&s=zz\"",
        ] {
            assert_eq!(signer.user(bad, Known::Kerberos, 0), None, "{bad}");
        }
    }
}
