//! Hadoop RPC, version 9, on one connection that a token authenticates.

use std::{
    fmt,
    io::{self, Write},
    net::{TcpStream, ToSocketAddrs},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{
    credentials::Token,
    digest_md5::{Challenge, Identity, MECHANISM},
    wire::{self, MessageWriter},
};

mod packets;

use self::packets::{Packets, SASL, SUCCESS};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(60);

/// Magic, version, service class, and that SASL authenticates.
const HELLO: &[u8] = b"hrpc\x09\x00\xdf";

/// The call id of the message that says which protocol is spoken.
const CONTEXT: i32 = -3;

/// The states of a SASL exchange.
const NEGOTIATE: u64 = 1;
const INITIATE: u64 = 2;

/// Why there is no answer.
#[derive(Debug)]
pub enum RpcError {
    /// No connection, or it broke. Whether a call was carried out is unknown.
    Connection(io::Error),
    /// The server refused, with the name of its exception and the first line of its message.
    Refused { class: String, message: String },
}

impl From<io::Error> for RpcError {
    fn from(error: io::Error) -> RpcError {
        RpcError::Connection(error)
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RpcError::Connection(error) => error.fmt(f),
            RpcError::Refused { class, message } => {
                write!(
                    f,
                    "{}: {message}",
                    class.rsplit('.').next().unwrap_or(class)
                )
            }
        }
    }
}

/// An authenticated connection.
#[derive(Debug)]
pub struct Connection {
    packets: Packets,
    protocol: &'static str,
    client_id: [u8; 16],
    next_call: i32,
}

impl Connection {
    /// Connects to `address`, a host and a port, for calls of `protocol`.
    ///
    /// # Errors
    ///
    /// Nobody answers, the token is refused, or the server wants another mechanism.
    pub fn open(
        address: &str,
        token: &Token,
        protocol: &'static str,
    ) -> Result<Connection, RpcError> {
        let mut problem = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for socket in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&socket, CONNECT) {
                Ok(stream) => return Connection::on(stream, token, protocol),
                Err(error) => problem = error,
            }
        }
        Err(problem.into())
    }

    fn on(
        mut stream: TcpStream,
        token: &Token,
        protocol: &'static str,
    ) -> Result<Connection, RpcError> {
        stream.set_read_timeout(Some(ANSWER))?;
        stream.set_write_timeout(Some(ANSWER))?;
        stream.set_nodelay(true)?;
        stream.write_all(HELLO)?;
        let mut connection = Connection {
            packets: Packets::new(stream),
            protocol,
            client_id: random()?,
            next_call: 1,
        };
        connection.authenticate(token)?;
        let context = MessageWriter::default().text(3, protocol);
        connection.send(CONTEXT, &[&context.into_bytes()])?;
        Ok(connection)
    }

    fn authenticate(&mut self, token: &Token) -> Result<(), RpcError> {
        let sasl = |state: u64| MessageWriter::default().number(2, state);
        self.send(SASL, &[&sasl(NEGOTIATE).into_bytes()])?;
        let offer = self.receive_sasl(NEGOTIATE)?;
        let offers = wire::all_bytes(&offer, 4)?;
        let mut names = Vec::new();
        for offered in &offers {
            let (method, mechanism) = (wire::text(offered, 1)?, wire::text(offered, 2)?);
            if method == "TOKEN" && mechanism == MECHANISM {
                return self.answer(offered, token);
            }
            names.push(format!("{method} {mechanism}"));
        }
        let problem = format!(
            "the server offers no {MECHANISM} for tokens, but {}",
            names.join(", ")
        );
        Err(io::Error::new(io::ErrorKind::Unsupported, problem).into())
    }

    fn answer(&mut self, offered: &[u8], token: &Token) -> Result<(), RpcError> {
        let (protocol, server) = (wire::text(offered, 3)?, wire::text(offered, 4)?);
        let challenge = Challenge::parse(&wire::text(offered, 5)?)?;
        let answer = challenge.answer(&Identity {
            user: &STANDARD.encode(&token.identifier),
            password: &STANDARD.encode(&token.password),
            digest_uri: &format!("{protocol}/{server}"),
            cnonce: &STANDARD.encode(random::<24>()?),
        })?;
        // As it was offered, but for the challenge.
        let chosen = MessageWriter::default()
            .text(1, "TOKEN")
            .text(2, MECHANISM)
            .text(3, &protocol)
            .text(4, &server);
        let message = MessageWriter::default()
            .number(2, INITIATE)
            .text(3, &answer.text)
            .message(4, chosen);
        self.send(SASL, &[&message.into_bytes()])?;
        let said = wire::text(&self.receive_sasl(SUCCESS)?, 3)?;
        if said != answer.expected {
            let problem = "the server does not know the token's password";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, problem).into());
        }
        if let Some(protection) = answer.protection {
            self.packets.protect(protection);
        }
        Ok(())
    }

    /// Calls a method, and returns the message of its answer.
    ///
    /// # Errors
    ///
    /// The connection broke, and must not be used again; or the server refused.
    pub fn call(&mut self, method: &str, request: &[u8]) -> Result<Vec<u8>, RpcError> {
        let call = self.next_call;
        self.next_call = call.checked_add(1).unwrap_or(1);
        let header = MessageWriter::default()
            .text(1, method)
            .text(2, self.protocol)
            .number(3, 1);
        self.send(call, &[&header.into_bytes(), request])?;
        let (answered, packet) = self.receive()?;
        if answered != call {
            return Err(wire::malformed("an answer to another call").into());
        }
        Ok(wire::take_delimited(&packet)?.0.to_vec())
    }

    fn send(&mut self, call: i32, messages: &[&[u8]]) -> io::Result<()> {
        let client_id: &[u8] = if call == SASL { &[] } else { &self.client_id };
        let packet = packets::request(call, client_id, messages)?;
        self.packets.send(&packet)
    }

    /// The id of an answered call, and what follows the header of its answer.
    fn receive(&mut self) -> Result<(i32, Vec<u8>), RpcError> {
        let packet = self.packets.receive()?;
        let (header, rest) = wire::take_delimited(&packet)?;
        if wire::number(header, 2)?.unwrap_or_default() != 0 {
            let message = wire::text(header, 5)?;
            return Err(RpcError::Refused {
                class: wire::text(header, 4)?,
                message: message.lines().next().unwrap_or_default().to_owned(),
            });
        }
        // Written as an unsigned number.
        let call = wire::number(header, 1)?.unwrap_or_default();
        let call = u32::try_from(call & u64::from(u32::MAX)).unwrap_or_default();
        Ok((call.cast_signed(), rest.to_vec()))
    }

    fn receive_sasl(&mut self, state: u64) -> Result<Vec<u8>, RpcError> {
        let (_, packet) = self.receive()?;
        let message = wire::take_delimited(&packet)?.0;
        match wire::number(message, 2)? {
            Some(found) if found == state => Ok(message.to_vec()),
            found => Err(wire::malformed(&format!(
                "authentication is in the state {found:?}, and {state} was expected"
            ))
            .into()),
        }
    }
}

fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
pub(crate) mod testing;
