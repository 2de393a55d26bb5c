//! SASL's DIGEST-MD5 (RFC 2831), the client's side, as Hadoop uses it for tokens: authentication alone, one round trip.

use std::{fmt::Write as _, io};

use md5::{Digest as _, Md5};

use crate::wire::malformed;

/// The mechanism's name.
pub const MECHANISM: &str = "DIGEST-MD5";

/// What the server sends.
#[derive(Debug, PartialEq, Eq)]
pub struct Challenge {
    realm: String,
    nonce: String,
    /// The levels of protection that it accepts.
    qops: Vec<String>,
}

/// Who answers it.
pub struct Identity<'i> {
    pub user: &'i str,
    pub password: &'i str,
    /// The protocol, a slash, and the server's name.
    pub digest_uri: &'i str,
    /// Chosen at random for each answer.
    pub cnonce: &'i str,
}

/// The answer to a challenge.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub text: String,
    /// What the server, which knows the password too, says to it.
    pub expected: String,
}

impl Challenge {
    /// # Errors
    ///
    /// It has no nonce.
    pub fn parse(text: &str) -> io::Result<Challenge> {
        let mut challenge = Challenge {
            realm: String::new(),
            nonce: String::new(),
            // Where it says nothing.
            qops: vec!["auth".to_owned()],
        };
        for (name, value) in directives(text) {
            match name {
                "realm" => value.clone_into(&mut challenge.realm),
                "nonce" => value.clone_into(&mut challenge.nonce),
                "qop" => {
                    let qops = value.split(',').map(|qop| qop.trim().to_owned());
                    challenge.qops = qops.collect();
                }
                _ => {}
            }
        }
        if challenge.nonce.is_empty() {
            return Err(malformed("a challenge has no nonce"));
        }
        Ok(challenge)
    }

    /// # Errors
    ///
    /// The server wants every message signed or encrypted.
    pub fn answer(&self, who: &Identity<'_>) -> io::Result<Answer> {
        if !self.qops.iter().any(|qop| qop == "auth") {
            let problem = format!(
                "the resource manager wants messages to be protected ({}: hadoop.rpc.protection has no `authentication`), \
                 which application masters of hpdl cannot do yet",
                self.qops.join(", ")
            );
            return Err(io::Error::new(io::ErrorKind::Unsupported, problem));
        }
        let Identity {
            user,
            password,
            digest_uri,
            cnonce,
        } = who;
        let (realm, nonce) = (&self.realm, &self.nonce);
        let mut a1 = Md5::digest(format!("{user}:{realm}:{password}")).to_vec();
        a1.extend(format!(":{nonce}:{cnonce}").bytes());
        let key = hex(&a1);
        let response = |method: &str| {
            let a2 = hex(format!("{method}:{digest_uri}").as_bytes());
            hex(format!("{key}:{nonce}:00000001:{cnonce}:auth:{a2}").as_bytes())
        };
        Ok(Answer {
            text: format!(
                "charset=utf-8,username=\"{user}\",realm=\"{realm}\",nonce=\"{nonce}\",nc=00000001,cnonce=\"{cnonce}\",\
                 digest-uri=\"{digest_uri}\",maxbuf=65536,response={},qop=auth",
                response("AUTHENTICATE")
            ),
            expected: format!("rspauth={}", response("")),
        })
    }
}

/// `name=value,name="value"`: a comma may be in quotes.
fn directives(mut text: &str) -> Vec<(&str, &str)> {
    let mut all = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let (value, rest) = match rest.strip_prefix('"') {
            Some(rest) => {
                let (value, rest) = rest.split_once('"').unwrap_or((rest, ""));
                (value, rest.strip_prefix(',').unwrap_or(rest))
            }
            None => rest.split_once(',').unwrap_or((rest, "")),
        };
        all.push((name.trim(), value));
        text = rest;
    }
    all
}

/// The digest of `bytes` in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    Md5::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 2831, section 4.
    #[test]
    fn the_standards_example_is_answered_as_it_says() {
        let challenge = Challenge::parse(
            "realm=\"elwood.innosoft.com\",nonce=\"OA6MG9tEQGm2hh\",qop=\"auth\",algorithm=md5-sess,charset=utf-8",
        );
        let answer = challenge.unwrap().answer(&Identity {
            user: "chris",
            password: "secret",
            digest_uri: "imap/elwood.innosoft.com",
            cnonce: "OA6MHXh6VqTrRk",
        });
        let answer = answer.unwrap();
        let response = "response=d388dad90d4bbd760a152321f2143af7,";
        assert!(answer.text.contains(response), "{}", answer.text);
        assert_eq!(answer.expected, "rspauth=ea40f60335c427b5527b84dbabcdfffd");
    }

    #[test]
    fn a_server_that_wants_protection_is_told_apart() {
        let of = |qop: &str| {
            let text = format!("realm=\"default\",nonce=\"n\"{qop},charset=utf-8");
            let answer = Challenge::parse(&text).unwrap().answer(&Identity {
                user: "u",
                password: "p",
                digest_uri: "/default",
                cnonce: "c",
            });
            answer.map_err(|error| error.to_string())
        };
        assert!(of("").is_ok() && of(",qop=auth").is_ok());
        assert!(of(",qop=\"auth-conf,auth\"").is_ok());
        let refused = of(",qop=\"auth-int,auth-conf\"").unwrap_err();
        assert!(refused.contains("auth-int, auth-conf"), "{refused}");
        assert!(Challenge::parse("realm=\"default\"").is_err());
    }
}
