//! The protection of messages after DIGEST-MD5 (RFC 2831, sections 2.3 and 2.4), for servers that want it.
//!
//! | level | a token is |
//! |---|---|
//! | integrity | message, MAC, `00 01`, sequence number |
//! | privacy | RC4 of message and MAC, `00 01`, sequence number |
//!
//! The MAC is the beginning of an HMAC-MD5 of the sequence number and the message. Each direction has keys, numbers and a cipher of its own;
//! the cipher goes on from token to token, so that one that is lost or wrong ends the connection.

use std::{fmt, io};

use hmac_md5::{Hmac, KeyInit as _, Mac as _};
use md5::{Digest as _, Md5};

use crate::{rc4::Rc4, wire::malformed};

/// The cipher, as challenges name it.
pub const CIPHER: &str = "rc4";

const MAC: usize = 10;
const TYPE: [u8; 2] = [0, 1];
const SEQUENCE: usize = 4;
/// By how much a token is longer than its message.
pub const OVERHEAD: usize = MAC + TYPE.len() + SEQUENCE;

/// What messages are protected from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// From being changed.
    Integrity,
    /// From being read, too.
    Privacy,
}

/// The protection of one connection, both ways.
pub struct Protection {
    level: Level,
    outgoing: Direction,
    incoming: Direction,
    max_message: usize,
}

/// Without the keys.
impl fmt::Debug for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Protection")
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

impl Protection {
    /// The client's, with the digest (`H(A1)`) that only those who know the password can make, and the longest token that
    /// the server takes.
    pub fn new(level: Level, digest: &[u8], max_token: usize) -> Protection {
        Protection {
            level,
            outgoing: Direction::new(level, digest, "client-to-server"),
            incoming: Direction::new(level, digest, "server-to-client"),
            max_message: max_token.saturating_sub(OVERHEAD).max(1),
        }
    }

    /// The longest message that may be sealed; what is longer goes in several.
    pub fn max_message(&self) -> usize {
        self.max_message
    }

    /// The token with a message for the other side.
    pub fn seal(&mut self, message: &[u8]) -> Vec<u8> {
        self.outgoing.seal(message)
    }

    /// The message in a token of the other side.
    ///
    /// # Errors
    ///
    /// It is not the next one, or was changed on its way. The connection must not be used again.
    pub fn open(&mut self, token: &[u8]) -> io::Result<Vec<u8>> {
        self.incoming.open(token)
    }

    /// The other side's.
    #[cfg(test)]
    pub fn of_server(mut self) -> Protection {
        std::mem::swap(&mut self.outgoing, &mut self.incoming);
        self
    }
}

struct Direction {
    /// With its key, and nothing else yet.
    mac: Hmac<Md5>,
    cipher: Option<Rc4>,
    /// Of the next token.
    sequence: u32,
}

impl Direction {
    fn new(level: Level, digest: &[u8], name: &str) -> Direction {
        let key = |words: &str| {
            Md5::new()
                .chain_update(digest)
                .chain_update(words)
                .finalize()
        };
        // An HMAC fills its key up with zeros.
        let mut mac_key = [0; 64];
        let signing = format!("Digest session key to {name} signing key magic constant");
        mac_key[..16].copy_from_slice(&key(&signing));
        Direction {
            mac: Hmac::new(&mac_key.into()),
            cipher: match level {
                Level::Integrity => None,
                Level::Privacy => {
                    let sealing = format!("Digest H(A1) to {name} sealing key magic constant");
                    Some(Rc4::new(&key(&sealing)))
                }
            },
            sequence: 0,
        }
    }

    fn seal(&mut self, message: &[u8]) -> Vec<u8> {
        let (mac, sequence) = self.next(message);
        let mut token = Vec::with_capacity(message.len() + OVERHEAD);
        token.extend(message);
        token.extend(&mac.finalize().into_bytes()[..MAC]);
        if let Some(cipher) = &mut self.cipher {
            cipher.apply(&mut token);
        }
        token.extend(TYPE);
        token.extend(sequence.to_be_bytes());
        token
    }

    fn open(&mut self, token: &[u8]) -> io::Result<Vec<u8>> {
        let (sealed, sequence) = split_end(token, SEQUENCE)?;
        let (sealed, kind) = split_end(sealed, TYPE.len())?;
        if kind != TYPE {
            return Err(malformed("a protected message is of an unknown type"));
        }
        if sequence != self.sequence.to_be_bytes() {
            return Err(malformed(&format!(
                "a protected message is repeated, lost or out of order: number {} was expected",
                self.sequence
            )));
        }
        let mut message = sealed.to_vec();
        if let Some(cipher) = &mut self.cipher {
            cipher.apply(&mut message);
        }
        let (text, found) = split_end(&message, MAC)?;
        let is_whole = self.next(text).0.verify_truncated_left(found).is_ok();
        if !is_whole {
            return Err(malformed(
                "a protected message was changed on its way: its MAC is wrong",
            ));
        }
        message.truncate(message.len() - MAC);
        Ok(message)
    }

    /// The MAC of the next message, before it is cut, and its number.
    fn next(&mut self, message: &[u8]) -> (Hmac<Md5>, u32) {
        let sequence = self.sequence;
        self.sequence = sequence.wrapping_add(1);
        let mac = self.mac.clone();
        let mac = mac
            .chain_update(sequence.to_be_bytes())
            .chain_update(message);
        (mac, sequence)
    }
}

/// What comes before the last `n` bytes, and these.
fn split_end(bytes: &[u8], n: usize) -> io::Result<(&[u8], &[u8])> {
    bytes
        .len()
        .checked_sub(n)
        .and_then(|at| bytes.split_at_checked(at))
        .ok_or_else(|| malformed("a protected message is too short"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: [u8; 16] = 0x936a_44fd_e9c6_50b3_4225_a379_89fc_6019_u128.to_be_bytes();
    const MESSAGES: [&[u8]; 2] = [b"first", b"second message"];

    /// Computed apart from this code: what the client and what the server make of the messages.
    const TOKENS: [(Level, [&str; 2], [&str; 2]); 2] = [
        (
            Level::Integrity,
            [
                "66697273749740721fb6cfbdf67d57000100000000",
                "7365636f6e64206d657373616765ae43021529a05fda51e7000100000001",
            ],
            [
                "666972737428f3bfcd46405dd33c38000100000000",
                "7365636f6e64206d6573736167659464e501994a08e0c47e000100000001",
            ],
        ),
        (
            Level::Privacy,
            [
                "3ef14d756540f3c5b1a0460d176e57000100000000",
                "4b6dfbc6fcfd82574c7e5f39ee45a421cd23143f5452a310000100000001",
            ],
            [
                "807452d478555b1d564b1494f4bc7f000100000000",
                "40bed1ffe0bbccda0e735bd1f642ae09bf7b0ba11e09bed5000100000001",
            ],
        ),
    ];

    fn bytes(hex: &str) -> Vec<u8> {
        let digits = hex.as_bytes().chunks(2);
        let pairs = digits.map(|pair| std::str::from_utf8(pair).unwrap());
        pairs
            .map(|pair| u8::from_str_radix(pair, 16).unwrap())
            .collect()
    }

    fn client(level: Level) -> Protection {
        Protection::new(level, &DIGEST, 65536)
    }

    #[test]
    fn tokens_are_as_the_formulas_say() {
        for (level, of_client, of_server) in TOKENS {
            let (mut client, mut server) = (client(level), client(level).of_server());
            for (at, message) in MESSAGES.into_iter().enumerate() {
                let token = client.seal(message);
                assert_eq!(token, bytes(of_client[at]), "{level:?} {at}");
                assert_eq!(token.len(), message.len() + OVERHEAD);
                assert_eq!(server.open(&token).unwrap(), message);
                assert_eq!(client.open(&bytes(of_server[at])).unwrap(), message);
            }
        }
    }

    #[test]
    fn each_changed_bit_is_noticed() {
        for (level, _, [token, _]) in TOKENS {
            let token = bytes(token);
            for at in 0..token.len() * 8 {
                let mut changed = token.clone();
                changed[at / 8] ^= 1 << (at % 8);
                assert!(client(level).open(&changed).is_err(), "{level:?} {at}");
            }
            for end in 0..token.len() {
                for part in [&token[..end], &token[end + 1..]] {
                    assert!(client(level).open(part).is_err(), "{level:?} {end}");
                }
            }
        }
    }

    #[test]
    fn repeated_lost_and_mirrored_tokens_are_refused() {
        for (level, [mirrored, _], [first, second]) in TOKENS {
            let mut repeated = client(level);
            assert!(repeated.open(&bytes(first)).is_ok());
            let problem = repeated.open(&bytes(first)).unwrap_err().to_string();
            assert!(problem.contains("number 1 was expected"), "{problem}");
            assert!(client(level).open(&bytes(second)).is_err());
            let problem = client(level).open(&bytes(mirrored)).unwrap_err();
            assert!(problem.to_string().contains("MAC"), "{problem}");
        }
    }

    #[test]
    fn the_servers_limit_is_of_whole_tokens() {
        let sealed = |max_token| {
            let mut protection = Protection::new(Level::Integrity, &DIGEST, max_token);
            let message = vec![7; protection.max_message()];
            protection.seal(&message).len()
        };
        assert_eq!(sealed(65536), 65536);
        assert_eq!(sealed(17), 17);
    }

    #[test]
    fn keys_are_not_shown() {
        assert_eq!(
            format!("{:?}", client(Level::Privacy)),
            "Protection { level: Privacy, .. }"
        );
    }
}
