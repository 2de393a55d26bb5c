//! Encrypted values: texts of columns that may contain secrets, where `hpdl.store.key` names a key.
//!
//! A sealed text is U+0001, which is in no XML and no name, `sealed1:`, the id of the key, `:`, and the nonce and the ciphertext in base64
//! (XChaCha20-Poly1305). What the database itself has to find may follow in clear, after a space. [`super::Row::get`] opens it.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use chacha20poly1305::{
    Key, KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use hpdlc_host::home::store_key::StoreKeys;
use sha2::{Digest, Sha256};

/// The first character of a sealed text.
pub(super) const MARK: char = '\u{1}';
const START: &str = "\u{1}sealed1:";

/// Bytes of a nonce: large enough to be random.
const NONCE: usize = 24;

/// Members of a job's properties that the database finds jobs by: they are no secrets.
const FOUND_BY: [&str; 2] = ["\"user.name\":\"", "\"oozie.wf.external.id\":\""];

/// The keys of a store.
pub struct Keyring {
    /// The first one seals.
    keys: Vec<(String, XChaCha20Poly1305)>,
}

impl Keyring {
    /// `None` if there are none.
    pub fn of(keys: &StoreKeys) -> Option<Keyring> {
        if keys.is_empty() {
            return None;
        }
        let keys = keys.all().iter();
        Some(Keyring {
            keys: keys
                .map(|key| {
                    let cipher = XChaCha20Poly1305::new(&Key::from(*key));
                    (id(key), cipher)
                })
                .collect(),
        })
    }

    /// The ids of its keys, as shown to the user.
    pub fn ids(&self) -> String {
        let ids: Vec<&str> = self.keys.iter().map(|(id, _)| id.as_str()).collect();
        ids.join(", ")
    }

    /// The id of the key that seals.
    pub fn current(&self) -> &str {
        &self.keys[0].0
    }

    /// # Panics
    ///
    /// The system has no random numbers.
    pub(super) fn seal(&self, text: &str) -> String {
        let (id, cipher) = &self.keys[0];
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).expect("the system has random numbers");
        let payload = Payload {
            msg: text.as_bytes(),
            aad: START.as_bytes(),
        };
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.expect("a text of the store is shorter than 256 GiB");
        let mut bytes = nonce.to_vec();
        bytes.extend(sealed);
        format!("{START}{id}:{}", BASE64_STANDARD_NO_PAD.encode(bytes))
    }

    /// As [`Keyring::seal`], for a job's properties as a JSON object.
    pub(super) fn seal_properties(&self, conf: &str) -> String {
        let mut sealed = self.seal(conf);
        for member in FOUND_BY {
            let value = conf
                .split_once(member)
                .and_then(|(_, rest)| rest.split_once('"'));
            if let Some((value, _)) = value {
                sealed.push(' ');
                sealed.push_str(member);
                sealed.push_str(value);
                sealed.push('"');
            }
        }
        sealed
    }

    /// The text that was sealed.
    ///
    /// # Errors
    ///
    /// None of the keys is the one that sealed it, or it was damaged.
    pub fn open(&self, sealed: &str) -> Result<String, SealError> {
        let rest = sealed.strip_prefix(START).ok_or(SealError::Damaged)?;
        let (id, rest) = rest.split_once(':').ok_or(SealError::Damaged)?;
        let (_, cipher) = self
            .keys
            .iter()
            .find(|(known, _)| known == id)
            .ok_or_else(|| SealError::OtherKey(id.to_owned()))?;
        let text = rest.split(' ').next().unwrap_or_default();
        let bytes = BASE64_STANDARD_NO_PAD.decode(text).ok();
        let opened = bytes.as_deref().and_then(|bytes| {
            let (nonce, sealed) = bytes.split_first_chunk::<NONCE>()?;
            let payload = Payload {
                msg: sealed,
                aad: START.as_bytes(),
            };
            cipher.decrypt(&XNonce::from(*nonce), payload).ok()
        });
        opened
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or(SealError::Damaged)
    }

    /// Whether the first key has sealed it.
    pub fn is_current(&self, sealed: &str) -> bool {
        sealed
            .strip_prefix(START)
            .and_then(|rest| rest.split_once(':'))
            .is_some_and(|(id, _)| id == self.keys[0].0)
    }
}

/// Whether a text is a sealed one.
pub fn is_sealed(text: &str) -> bool {
    text.starts_with(START)
}

/// What distinguishes a key from others, and tells nothing about it.
fn id(key: &[u8]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(b"hpdl.store.key");
    hasher.update(key);
    let digest = hasher.finalize();
    hex::encode(&digest[..4])
}

/// The keys are not shown.
impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keyring({})", self.ids())
    }
}

/// Why a sealed text was not opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealError {
    /// It was sealed with the key of this id.
    OtherKey(String),
    Damaged,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SealError::OtherKey(id) => write!(
                f,
                "it is encrypted with the key {id}, which hpdl.store.key does not name"
            ),
            SealError::Damaged => f.write_str("an encrypted value is damaged"),
        }
    }
}

impl std::error::Error for SealError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyring(keys: &[u8]) -> Keyring {
        let keys: Vec<_> = keys.iter().map(|byte| [*byte; 32]).collect();
        Keyring::of(&StoreKeys::of(&keys)).unwrap()
    }

    #[test]
    fn a_sealed_text_is_opened_by_the_key_that_sealed_it() {
        let old = keyring(&[1]);
        for text in ["", "s3cret", "\u{1}sealed1:", "ä\n\0", &"x".repeat(100_000)] {
            let sealed = old.seal(text);
            assert!(sealed.starts_with(MARK) && !sealed.contains("s3cret"));
            assert_ne!(sealed, old.seal(text), "each has a nonce of its own");
            assert_eq!(keyring(&[2, 1]).open(&sealed).as_deref(), Ok(text));
            assert!(old.is_current(&sealed) && !keyring(&[2, 1]).is_current(&sealed));
            let refused = keyring(&[2]).open(&sealed);
            assert_eq!(refused, Err(SealError::OtherKey(old.ids())));
        }
    }

    #[test]
    fn a_damaged_text_is_refused() {
        let keyring = keyring(&[1]);
        let sealed = keyring.seal("s3cret");
        let (end, other) = match sealed.ends_with('A') {
            true => (sealed.len() - 3, "BBB"),
            false => (sealed.len() - 3, "AAA"),
        };
        for damaged in [
            format!("{}{other}", &sealed[..end]),
            sealed[..end].to_owned(),
            START.to_owned(),
            format!("{START}{}:", keyring.ids()),
            format!("{START}{}:é", keyring.ids()),
            "s3cret".to_owned(),
        ] {
            assert_eq!(keyring.open(&damaged), Err(SealError::Damaged), "{damaged}");
        }
    }

    #[test]
    fn what_the_database_finds_jobs_by_stays_readable() {
        let keyring = keyring(&[1]);
        let conf = r#"{"a":"x","oozie.wf.external.id":"e-1","user.name":"ada"}"#;
        let sealed = keyring.seal_properties(conf);
        let clear = sealed.split_once(' ').map(|(_, clear)| clear);
        let expected = r#""user.name":"ada" "oozie.wf.external.id":"e-1""#;
        assert_eq!(clear, Some(expected));
        assert_eq!(keyring.open(&sealed).as_deref(), Ok(conf));
        assert!(!keyring.seal_properties("{}").contains(' '));
    }
}
