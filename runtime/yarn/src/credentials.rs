//! Tokens: in the file of a container (`HADOOP_TOKEN_FILE_LOCATION`), in both of its formats (`Credentials`), and in texts for URLs and requests.

use std::io;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::wire;

/// A token: who it is for, and the secret that goes with it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: String,
    /// The service that it is for; empty for the resource manager's.
    pub service: String,
    /// Opaque: only the service reads it.
    pub identifier: Vec<u8>,
    pub password: Vec<u8>,
}

/// Without the password.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Token")
            .field("kind", &self.kind)
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}

const MAGIC: &[u8] = b"HDTS";
const WRITABLE: u8 = 0;
const PROTOBUF: u8 = 1;

/// The tokens in a file's content, in its order.
///
/// # Errors
///
/// It is no such file, or of an unknown format.
pub fn tokens(content: &[u8]) -> io::Result<Vec<Token>> {
    let body = content
        .strip_prefix(MAGIC)
        .ok_or_else(|| wire::malformed("it is no file of tokens"))?;
    match body.split_first() {
        Some((&WRITABLE, body)) => Writable(body).tokens(),
        Some((&PROTOBUF, body)) => of_message(wire::take_delimited(body)?.0),
        Some((format, _)) => Err(wire::malformed(&format!(
            "a file of tokens has the unknown format {format}"
        ))),
        None => Err(wire::malformed("a file of tokens is empty")),
    }
}

impl Token {
    /// The token in a `TokenProto`.
    ///
    /// # Errors
    ///
    /// It is no message.
    pub(crate) fn of_message(message: &[u8]) -> io::Result<Token> {
        let bytes =
            |field| Ok::<_, io::Error>(wire::bytes(message, field)?.unwrap_or_default().to_vec());
        Ok(Token {
            identifier: bytes(1)?,
            password: bytes(2)?,
            kind: wire::text(message, 3)?,
            service: wire::text(message, 4)?,
        })
    }
}

impl Token {
    /// The token in a text (`Token.encodeToUrlString`); `None` if it is none.
    pub fn of_url_text(text: &str) -> Option<Token> {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()?;
        let mut parts = Writable(&bytes);
        let token = parts.token().ok()?;
        parts.0.is_empty().then_some(token)
    }

    /// The text of the token for a service, by which clients find it. It is a secret.
    pub fn url_text_for(&self, service: &str) -> String {
        let mut bytes = Vec::new();
        for part in [
            &self.identifier,
            &self.password,
            self.kind.as_bytes(),
            service.as_bytes(),
        ] {
            put_length(&mut bytes, part.len());
            bytes.extend_from_slice(part);
        }
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

/// The tokens of a `CredentialsProto`.
fn of_message(message: &[u8]) -> io::Result<Vec<Token>> {
    let entries = wire::all_bytes(message, 1)?;
    let tokens = entries.into_iter().map(|entry| {
        let token = wire::bytes(entry, 2)?.unwrap_or_default();
        Token::of_message(token)
    });
    tokens.collect()
}

/// What is left of the older format, Hadoop's `Writable`.
struct Writable<'b>(&'b [u8]);

impl<'b> Writable<'b> {
    fn tokens(mut self) -> io::Result<Vec<Token>> {
        let n_tokens = self.number()?;
        let mut tokens = Vec::new();
        for _ in 0..n_tokens {
            self.bytes()?; // The alias.
            tokens.push(self.token()?);
        }
        Ok(tokens)
    }

    fn token(&mut self) -> io::Result<Token> {
        Ok(Token {
            identifier: self.bytes()?.to_vec(),
            password: self.bytes()?.to_vec(),
            kind: self.text()?,
            service: self.text()?,
        })
    }

    /// A number of `WritableUtils.writeVInt`.
    fn number(&mut self) -> io::Result<i64> {
        let (&first, rest) = self.0.split_first().ok_or_else(cut_short)?;
        self.0 = rest;
        let first = i64::from(first.cast_signed());
        let (n_bytes, is_complement) = match first {
            -112.. => return Ok(first),
            -120..=-113 => (-(first + 112), false),
            _ => (-(first + 120), true),
        };
        let bytes = self.take(n_bytes)?;
        let value = bytes
            .iter()
            .fold(0_i64, |value, byte| value << 8 | i64::from(*byte));
        Ok(if is_complement { !value } else { value })
    }

    fn bytes(&mut self) -> io::Result<&'b [u8]> {
        let length = self.number()?;
        self.take(length)
    }

    fn text(&mut self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    fn take(&mut self, length: i64) -> io::Result<&'b [u8]> {
        let length = usize::try_from(length).map_err(|_| cut_short())?;
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(cut_short)?;
        self.0 = rest;
        Ok(taken)
    }
}

/// A length as `WritableUtils.writeVInt` writes it.
fn put_length(bytes: &mut Vec<u8>, length: usize) {
    if let Ok(small @ 0..=127) = u8::try_from(length) {
        bytes.push(small);
        return;
    }
    let digits = length.to_be_bytes();
    let digits = &digits[digits.iter().take_while(|digit| **digit == 0).count()..];
    let n_digits = i8::try_from(digits.len()).unwrap_or_default();
    bytes.push((-112 - n_digits).cast_unsigned());
    bytes.extend_from_slice(digits);
}

fn cut_short() -> io::Error {
    wire::malformed("a file of tokens ends too early")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::MessageWriter;

    fn expected(identifier: &[u8]) -> Vec<Token> {
        vec![Token {
            kind: "K".to_owned(),
            service: String::new(),
            identifier: identifier.to_vec(),
            password: vec![9; 20],
        }]
    }

    #[test]
    fn the_older_format_has_lengths_of_one_or_several_bytes() {
        let identifier = vec![7; 200];
        let mut file = b"HDTS\0\x01\0".to_vec();
        // 200 is more than fits into one byte: -113 says that one follows.
        file.extend([(-113_i8).cast_unsigned(), 200]);
        file.extend(&identifier);
        file.push(20);
        file.extend([9; 20]);
        file.extend(b"\x01K\0");
        file.push(0);
        assert_eq!(tokens(&file).unwrap(), expected(&identifier));
        for end in 0..file.len() - 1 {
            assert!(tokens(&file[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn the_newer_format_is_a_message() {
        let token = MessageWriter::default()
            .bytes(1, b"id")
            .bytes(2, &[9; 20])
            .text(3, "K")
            .text(4, "");
        let entry = MessageWriter::default().text(1, "alias").message(2, token);
        let all = MessageWriter::default().message(1, entry).into_bytes();
        let mut file = b"HDTS\x01".to_vec();
        wire::put_delimited(&mut file, &all);
        assert_eq!(tokens(&file).unwrap(), expected(b"id"));
    }

    #[test]
    fn a_token_is_for_a_service() {
        for length in [0, 5, 127, 128, 300, 70_000] {
            let token = expected(&vec![7; length]).remove(0);
            let again = Token::of_url_text(&token.url_text_for("127.0.0.1:1")).unwrap();
            let service = "127.0.0.1:1".to_owned();
            assert_eq!(again, Token { service, ..token }, "{length}");
        }
        // Identifier `a`, password `b`, kind `c`, service empty.
        assert!(Token::of_url_text("AWEBYgFjAA").is_some());
        for wrong in ["", "AWEBYgFj", "AWEBYgFjAAA", "!", "AWEBYgFjBQ"] {
            assert!(Token::of_url_text(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        for file in [&b""[..], b"HDTS", b"HDTS\x07", b"\x7fELF", b"HDTS\0\x88"] {
            assert!(tokens(file).is_err(), "{file:?}");
        }
    }

    #[test]
    fn a_token_is_shown_without_its_password() {
        let shown = format!("{:?}", expected(b"id"));
        assert!(shown.contains("\"K\"") && !shown.contains('9'), "{shown}");
    }
}
