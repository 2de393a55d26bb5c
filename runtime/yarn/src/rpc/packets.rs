//! Packets: a length of four bytes, and messages with their lengths before them: a header, and what it announces.
//!
//! On a protected connection the stream of packets, lengths included, is cut into tokens, and each token is in a packet of its own that
//! is not protected. A token may end anywhere in a packet.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
};

use crate::{
    protection::Protection,
    wire::{self, MessageWriter},
};

/// The longest packet that is read. Hadoop's servers put an answer into one token, however short a token the client wants.
const MAX_PACKET: usize = 64 * 1024 * 1024;
/// Of the length before it.
const LENGTH: usize = 4;

/// The call id of authentication and of tokens.
pub const SASL: i32 = -33;

/// The states of what has this call id.
pub const SUCCESS: u64 = 0;
const WRAP: u64 = 5;

/// The packets of a connection.
#[derive(Debug)]
pub struct Packets {
    stream: TcpStream,
    protection: Option<Protection>,
    /// What tokens had in them, and nobody has asked for yet.
    opened: Vec<u8>,
}

impl Packets {
    pub fn new(stream: TcpStream) -> Packets {
        Packets {
            stream,
            protection: None,
            opened: Vec::new(),
        }
    }

    /// From now on, both ways.
    pub fn protect(&mut self, protection: Protection) {
        self.protection = Some(protection);
    }

    /// Sends a packet, with its length before it.
    ///
    /// # Errors
    ///
    /// The connection broke.
    pub fn send(&mut self, packet: &[u8]) -> io::Result<()> {
        let Some(protection) = &mut self.protection else {
            return self.stream.write_all(packet);
        };
        for part in packet.chunks(protection.max_message()) {
            let message = MessageWriter::default()
                .number(2, WRAP)
                .bytes(3, &protection.seal(part));
            let wrapped = request(SASL, &[], &[&message.into_bytes()])?;
            self.stream.write_all(&wrapped)?;
        }
        Ok(())
    }

    /// The next packet, without its length.
    ///
    /// # Errors
    ///
    /// The connection broke, or what comes is not what the server has sent. It must not be used again.
    pub fn receive(&mut self) -> io::Result<Vec<u8>> {
        let Some(protection) = &mut self.protection else {
            return read(&mut self.stream);
        };
        loop {
            if let Some(packet) = take(&mut self.opened)? {
                return Ok(packet);
            }
            let wrapped = read(&mut self.stream)?;
            self.opened.extend(protection.open(token(&wrapped)?)?);
        }
    }
}

/// A packet of the client, with its length before it.
///
/// # Errors
///
/// It is too long.
pub fn request(call: i32, client_id: &[u8], messages: &[&[u8]]) -> io::Result<Vec<u8>> {
    let header = MessageWriter::default()
        .number(1, 2)
        .number(2, 0)
        .sint32(3, call)
        .bytes(4, client_id)
        .sint32(5, if call < 0 { -1 } else { 0 });
    let mut packet = vec![0; LENGTH];
    wire::put_delimited(&mut packet, &header.into_bytes());
    for message in messages {
        wire::put_delimited(&mut packet, message);
    }
    let length = u32::try_from(packet.len() - LENGTH)
        .map_err(|_| wire::malformed("a request is too long"))?;
    packet[..LENGTH].copy_from_slice(&length.to_be_bytes());
    Ok(packet)
}

fn read(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut length = [0; LENGTH];
    stream.read_exact(&mut length)?;
    let mut packet = vec![0; length_of(length)?];
    stream.read_exact(&mut packet)?;
    Ok(packet)
}

fn length_of(bytes: [u8; LENGTH]) -> io::Result<usize> {
    let length = usize::try_from(u32::from_be_bytes(bytes)).unwrap_or(usize::MAX);
    if length > MAX_PACKET {
        let problem = "an answer is too long: this is no Hadoop RPC";
        return Err(wire::malformed(problem));
    }
    Ok(length)
}

/// The packet at the beginning of `stream`, once all of it is there.
fn take(stream: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    let Some((length, rest)) = stream.split_first_chunk::<LENGTH>() else {
        return Ok(None);
    };
    let length = length_of(*length)?;
    let Some(packet) = rest.get(..length) else {
        return Ok(None);
    };
    let packet = packet.to_vec();
    stream.drain(..LENGTH + length);
    Ok(Some(packet))
}

/// The token in a packet.
fn token(packet: &[u8]) -> io::Result<&[u8]> {
    let (header, rest) = wire::take_delimited(packet)?;
    if wire::number(header, 2)?.unwrap_or_default() != 0 {
        // Who says so is unknown: nothing may be concluded from it.
        let said = wire::text(header, 5)?;
        let said = said.lines().next().unwrap_or_default();
        return Err(unprotected(&format!(" ({said})")));
    }
    let message = wire::take_delimited(rest)?.0;
    match (wire::number(message, 2)?, wire::bytes(message, 3)?) {
        (Some(WRAP), Some(token)) => Ok(token),
        _ => Err(unprotected("")),
    }
}

fn unprotected(said: &str) -> io::Error {
    let problem = format!("an answer has no protection, which was agreed on{said}");
    wire::malformed(&problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_taken_once_they_are_whole() {
        let mut stream = Vec::new();
        let whole = [0, 0, 0, 2, b'a', b'b', 0, 0, 0, 0, 0, 0, 0, 1, b'c'];
        let mut taken = Vec::new();
        for byte in whole {
            stream.push(byte);
            taken.extend(take(&mut stream).unwrap());
        }
        assert_eq!(taken, [&b"ab"[..], b"", b"c"]);
        // Several at once.
        stream.extend(whole);
        for packet in taken {
            assert_eq!(take(&mut stream).unwrap(), Some(packet));
        }
        assert_eq!(take(&mut stream).unwrap(), None);
        stream.extend([b'H', b'T', b'T', b'P']);
        assert!(take(&mut stream).is_err(), "too long");
    }

    #[test]
    fn what_has_no_token_is_refused() {
        let packet = |header: MessageWriter, message: MessageWriter| {
            let mut packet = Vec::new();
            wire::put_delimited(&mut packet, &header.into_bytes());
            wire::put_delimited(&mut packet, &message.into_bytes());
            packet
        };
        let empty = MessageWriter::default;
        let problem_of = |packet: &[u8]| token(packet).unwrap_err().to_string();
        let refusal = packet(empty().number(2, 2).text(5, "Gone\n\tat"), empty());
        assert!(problem_of(&refusal).ends_with("agreed on (Gone)"));
        let answer = packet(empty().number(1, 1), empty().number(2, 7));
        assert!(problem_of(&answer).ends_with("agreed on"));
        let wrapped = packet(empty(), empty().number(2, WRAP).bytes(3, b"token"));
        assert_eq!(token(&wrapped).unwrap(), b"token");
        for end in 0..wrapped.len() {
            assert!(token(&wrapped[..end]).is_err(), "{end}");
        }
    }
}
