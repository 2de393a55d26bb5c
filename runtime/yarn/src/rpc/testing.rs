//! A server for tests: it speaks Hadoop RPC with whoever knows a token's password, and answers calls as a script says.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    thread::{self, JoinHandle},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{HELLO, SUCCESS};
use crate::{
    AMRM_TOKEN, Token,
    digest_md5::{Challenge, Identity},
    wire::{self, MessageWriter},
};

/// What the server does with one call, or with a connection.
#[derive(Clone, Debug)]
pub enum ScriptedAnswer {
    /// The method that is called, and the answer.
    Reply(&'static str, Vec<u8>),
    /// The method, and the exception.
    Refuse(&'static str, &'static str, &'static str),
    /// Closes the connection when this method is called.
    Hang(&'static str),
    /// Refuses the token of the next connection.
    RefuseToken(&'static str, &'static str),
}

pub fn token() -> Token {
    Token {
        kind: AMRM_TOKEN.to_owned(),
        service: String::new(),
        identifier: b"attempt".to_vec(),
        password: vec![1; 20],
    }
}

/// Starts a server that follows the script to its end; its address, and the requests that it got.
pub fn serve(script: Vec<ScriptedAnswer>) -> (String, JoinHandle<Vec<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let mut rest = script.into_iter().peekable();
        let mut requests = Vec::new();
        while rest.peek().is_some() {
            let (mut stream, _) = listener.accept().unwrap();
            if let Some(ScriptedAnswer::RefuseToken(class, message)) =
                rest.next_if(|it| matches!(it, ScriptedAnswer::RefuseToken(..)))
            {
                authenticate(&mut stream, Some((class, message)));
                continue;
            }
            authenticate(&mut stream, None);
            while let Some(answer) =
                rest.next_if(|it| !matches!(it, ScriptedAnswer::RefuseToken(..)))
            {
                let Some((call, method, request)) = receive_call(&mut stream) else {
                    panic!("the client closed the connection before {answer:?}");
                };
                requests.push(request);
                let header = MessageWriter::default().number(1, call);
                match answer {
                    ScriptedAnswer::Reply(expected, reply) => {
                        assert_eq!(method, expected);
                        let header = header.number(2, 0);
                        send(&mut stream, &[&header.into_bytes(), &reply]);
                    }
                    ScriptedAnswer::Refuse(expected, class, message) => {
                        assert_eq!(method, expected);
                        send(&mut stream, &[&refusal(header, 1, class, message)]);
                    }
                    ScriptedAnswer::Hang(expected) => {
                        assert_eq!(method, expected);
                        break;
                    }
                    ScriptedAnswer::RefuseToken(..) => unreachable!("it was left in the script"),
                }
            }
        }
        requests
    });
    (address, server)
}

fn refusal(header: MessageWriter, status: u64, class: &str, message: &str) -> Vec<u8> {
    let header = header.number(2, status).text(4, class);
    header
        .text(5, &format!("{message}\n\tat Server.java"))
        .into_bytes()
}

fn authenticate(stream: &mut TcpStream, refused: Option<(&str, &str)>) {
    let mut hello = vec![0; HELLO.len()];
    stream.read_exact(&mut hello).unwrap();
    assert_eq!(hello, HELLO);
    receive(stream).unwrap();
    let challenge = "realm=\"default\",nonce=\"n0\",qop=\"auth\",charset=utf-8,algorithm=md5-sess";
    let offer = |method: &str| {
        MessageWriter::default()
            .text(1, method)
            .text(2, "DIGEST-MD5")
            .text(3, "")
            .text(4, "default")
            .text(5, challenge)
    };
    let negotiate = MessageWriter::default()
        .number(2, 1)
        .message(4, offer("OTHER"))
        .message(4, offer("TOKEN"));
    let sasl = || MessageWriter::default().number(1, 4_294_967_263);
    send(
        stream,
        &[&sasl().number(2, 0).into_bytes(), &negotiate.into_bytes()],
    );
    let packet = receive(stream).unwrap();
    let (_, rest) = wire::take_delimited(&packet).unwrap();
    let message = wire::take_delimited(rest).unwrap().0;
    let answer = wire::text(message, 3).unwrap();
    let chosen = wire::bytes(message, 4).unwrap().unwrap();
    assert_eq!(wire::text(chosen, 5).unwrap(), "", "without the challenge");
    if let Some((class, text)) = refused {
        send(stream, &[&refusal(sasl(), 2, class, text)]);
        return;
    }
    let cnonce = answer.split("cnonce=\"").nth(1).unwrap();
    let cnonce = cnonce.split('"').next().unwrap();
    let known = Challenge::parse(challenge).unwrap().answer(&Identity {
        user: &STANDARD.encode(token().identifier),
        password: &STANDARD.encode(token().password),
        digest_uri: "/default",
        cnonce,
    });
    let known = known.unwrap();
    assert_eq!(answer, known.text);
    let success = MessageWriter::default()
        .number(2, SUCCESS)
        .text(3, &known.expected);
    send(
        stream,
        &[&sasl().number(2, 0).into_bytes(), &success.into_bytes()],
    );
    let context = receive(stream).unwrap();
    let (_, rest) = wire::take_delimited(&context).unwrap();
    let context = wire::take_delimited(rest).unwrap().0;
    assert!(wire::text(context, 3).unwrap().ends_with("ProtocolPB"));
}

/// The id, the method and the request of the next call.
fn receive_call(stream: &mut TcpStream) -> Option<(u64, String, Vec<u8>)> {
    let packet = receive(stream)?;
    let (header, rest) = wire::take_delimited(&packet).unwrap();
    let call = wire::number(header, 3).unwrap().unwrap() / 2;
    let (header, rest) = wire::take_delimited(rest).unwrap();
    let request = wire::take_delimited(rest).unwrap().0;
    Some((call, wire::text(header, 1).unwrap(), request.to_vec()))
}

fn receive(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let mut packet = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap()];
    stream.read_exact(&mut packet).ok()?;
    Some(packet)
}

fn send(stream: &mut TcpStream, messages: &[&[u8]]) {
    let mut packet = Vec::new();
    for message in messages {
        wire::put_delimited(&mut packet, message);
    }
    let length = u32::try_from(packet.len()).unwrap();
    stream.write_all(&length.to_be_bytes()).unwrap();
    stream.write_all(&packet).unwrap();
}
