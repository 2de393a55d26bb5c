//! SASL's DIGEST-MD5 (RFC 2831), the client's side, as Hadoop uses it for tokens: one round trip, and what the two sides agree on for
//! the messages that follow.

use std::io;

use md5::{Digest as _, Md5};

use crate::{
    protection::{CIPHER, Level, OVERHEAD, Protection},
    wire::malformed,
};

/// The mechanism's name.
pub const MECHANISM: &str = "DIGEST-MD5";

/// The longest token that either side takes, where it says nothing.
const MAX_TOKEN: usize = 65536;
/// The largest that it may say.
const MAX_MAX_TOKEN: usize = 16_777_215;

/// In place of the digest of a body, which SASL's messages do not have.
const NO_ENTITY: &str = ":00000000000000000000000000000000";

/// What the server sends.
#[derive(Debug, PartialEq, Eq)]
pub struct Challenge {
    realm: String,
    nonce: String,
    /// The levels of protection that it accepts.
    qops: Vec<String>,
    ciphers: Vec<String>,
    /// The longest token that it takes, as it says it.
    max_token: Option<String>,
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
#[derive(Debug)]
pub struct Answer {
    pub text: String,
    /// What the server, which knows the password too, says to it.
    pub expected: String,
    /// Of all that follows, once the server has said that; `None` where it does without.
    pub protection: Option<Protection>,
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
            ciphers: Vec::new(),
            max_token: None,
        };
        for (name, value) in directives(text) {
            let list = || value.split(',').map(|it| it.trim().to_owned()).collect();
            match name {
                "realm" => value.clone_into(&mut challenge.realm),
                "nonce" => value.clone_into(&mut challenge.nonce),
                "qop" => challenge.qops = list(),
                "cipher" => challenge.ciphers = list(),
                "maxbuf" => challenge.max_token = Some(value.to_owned()),
                _ => {}
            }
        }
        if challenge.nonce.is_empty() {
            return Err(malformed("a challenge has no nonce"));
        }
        Ok(challenge)
    }

    /// Answers with the least protection that the server accepts.
    ///
    /// # Errors
    ///
    /// The server wants a protection or a cipher that is not known here, or takes no messages.
    pub fn answer(&self, who: &Identity<'_>) -> io::Result<Answer> {
        let level = self.level()?;
        let (qop, cipher, a2_end) = match level {
            None => ("auth", String::new(), ""),
            Some(Level::Integrity) => ("auth-int", String::new(), NO_ENTITY),
            Some(Level::Privacy) => ("auth-conf", format!(",cipher=\"{CIPHER}\""), NO_ENTITY),
        };
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
            let a2 = hex(format!("{method}:{digest_uri}{a2_end}").as_bytes());
            hex(format!("{key}:{nonce}:00000001:{cnonce}:{qop}:{a2}").as_bytes())
        };
        let protection = match level {
            None => None,
            Some(level) => {
                let digest = Md5::digest(&a1);
                Some(Protection::new(level, &digest, self.max_token()?))
            }
        };
        Ok(Answer {
            text: format!(
                "charset=utf-8,username=\"{user}\",realm=\"{realm}\",nonce=\"{nonce}\",nc=00000001,cnonce=\"{cnonce}\",\
                 digest-uri=\"{digest_uri}\",maxbuf={MAX_TOKEN},response={},qop={qop}{cipher}",
                response("AUTHENTICATE")
            ),
            expected: format!("rspauth={}", response("")),
            protection,
        })
    }

    /// `None` where authentication is enough.
    fn level(&self) -> io::Result<Option<Level>> {
        let offers = |qop: &str| self.qops.iter().any(|it| it == qop);
        if offers("auth") {
            return Ok(None);
        }
        if offers("auth-int") {
            return Ok(Some(Level::Integrity));
        }
        if !offers("auth-conf") {
            return Err(unsupported(&format!(
                "the resource manager offers none of auth, auth-int and auth-conf, but {}",
                listed(&self.qops)
            )));
        }
        if !self.ciphers.iter().any(|it| it == CIPHER) {
            return Err(unsupported(&format!(
                "the resource manager wants messages to be encrypted (hadoop.rpc.protection is `privacy`) and offers {}: \
                 application masters of hpdl can do {CIPHER} alone",
                listed(&self.ciphers)
            )));
        }
        Ok(Some(Level::Privacy))
    }

    fn max_token(&self) -> io::Result<usize> {
        let Some(text) = &self.max_token else {
            return Ok(MAX_TOKEN);
        };
        let number = text.trim().parse();
        number
            .ok()
            .filter(|it| (OVERHEAD + 1..=MAX_MAX_TOKEN).contains(it))
            .ok_or_else(|| malformed(&format!("a challenge has the maxbuf `{text}`")))
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    }
}

fn unsupported(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, problem)
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
    hex::encode(Md5::digest(bytes))
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

    fn answered(directives: &str) -> io::Result<Answer> {
        let text = format!("realm=\"default\",nonce=\"n0\"{directives},charset=utf-8");
        Challenge::parse(&text)?.answer(&Identity {
            user: "YXR0ZW1wdA==",
            password: "AQEBAQEBAQEBAQEBAQEBAQEBAQE=",
            digest_uri: "/default",
            cnonce: "c0",
        })
    }

    /// Computed apart from this code: what the client and what the server says.
    #[test]
    fn the_protection_is_part_of_what_is_said() {
        let conf = ",qop=\"auth-conf\",cipher=\"3des,rc4,des\"";
        for (directives, end, response, expected) in [
            (
                ",qop=\"auth\"",
                ",qop=auth",
                "e249ca00a12709bae43f99621aa47410",
                "9b9ba75b91349045b3c529af45099d5d",
            ),
            (
                ",qop=\"auth-int\"",
                ",qop=auth-int",
                "0d1f64150580b3c278a6aabcb6c92ecf",
                "5348b590f5400677cb3bfecdbcfa0982",
            ),
            (
                conf,
                ",qop=auth-conf,cipher=\"rc4\"",
                "dee24a9f98747aa45c6bb6a3935c3a7e",
                "5b8271c2ce5ea0865f4c2d8d8da7994d",
            ),
        ] {
            let answer = answered(directives).unwrap();
            let end = format!("maxbuf=65536,response={response}{end}");
            assert!(answer.text.ends_with(&end), "{}", answer.text);
            assert_eq!(answer.expected, format!("rspauth={expected}"));
        }
        // Of the same digest as the vectors of `protection`.
        let token = answered(conf).unwrap().protection.unwrap().seal(b"first");
        assert_eq!(token[..4], [0x3e, 0xf1, 0x4d, 0x75]);
    }

    #[test]
    fn the_least_protection_is_chosen() {
        for (directives, chosen) in [
            ("", "auth"),
            (",qop=auth", "auth"),
            (",qop=\"auth-conf,auth\"", "auth"),
            (",qop=\"auth-conf, auth-int\"", "auth-int"),
            (",qop=auth-conf,cipher=rc4", "auth-conf,cipher=\"rc4\""),
        ] {
            let answer = answered(directives).unwrap();
            let end = format!(",qop={chosen}");
            assert!(answer.text.ends_with(&end), "{directives}: {}", answer.text);
            assert_eq!(answer.protection.is_some(), chosen != "auth");
        }
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let refused = |directives| answered(directives).unwrap_err();
        let problem = refused(",qop=\"auth-conf\",cipher=\"3des,des\"");
        assert_eq!(problem.kind(), io::ErrorKind::Unsupported);
        let problem = problem.to_string();
        assert!(problem.contains("3des, des"), "{problem}");
        assert!(problem.contains("hadoop.rpc.protection"), "{problem}");
        let problem = refused(",qop=auth-conf").to_string();
        assert!(problem.contains("offers nothing"), "{problem}");
        let problem = refused(",qop=\"auth-new\"");
        assert_eq!(problem.kind(), io::ErrorKind::Unsupported);
        assert!(problem.to_string().contains("auth-new"), "{problem}");
        assert!(Challenge::parse("realm=\"default\"").is_err());
    }

    #[test]
    fn the_longest_token_of_the_server_counts_where_messages_are_protected() {
        let max_message = |directives| {
            let protection = answered(directives).unwrap().protection;
            protection.map(|it| it.max_message())
        };
        assert_eq!(max_message(",qop=auth-int"), Some(65520));
        assert_eq!(max_message(",qop=auth-int,maxbuf=100"), Some(84));
        assert_eq!(max_message(",qop=auth,maxbuf=0"), None);
        for wrong in ["16", "0", "-1", "16777216", "x", ""] {
            let problem = answered(&format!(",qop=auth-int,maxbuf={wrong}")).unwrap_err();
            assert!(problem.to_string().contains("maxbuf"), "{problem}");
        }
    }
}
