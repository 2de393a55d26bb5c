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
    protection::Protection,
    wire::{self, MessageWriter},
};

/// What the server does with one call, or with a connection.
#[derive(Clone, Debug)]
pub enum ScriptedAnswer {
    /// The method that is called, and the answer.
    Reply(&'static str, Vec<u8>),
    /// The methods of the next calls, and the answers, all of which it gives to the first one.
    Together(Vec<(&'static str, Vec<u8>)>),
    /// The method; an answer whose protection is spoilt, after which it closes the connection.
    Spoil(&'static str, Spoiling),
    /// The method, and the exception.
    Refuse(&'static str, &'static str, &'static str),
    /// Closes the connection when this method is called.
    Hang(&'static str),
    /// Refuses the token of the next connection.
    RefuseToken(&'static str, &'static str),
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug)]
pub enum Spoiling {
    /// A bit of its MAC.
    Mac,
    /// It is there twice, and the second one is an answer to the next call.
    Repeated,
    /// It is an exception without protection.
    Unprotected,
}

pub fn token() -> Token {
    Token {
        kind: AMRM_TOKEN.to_owned(),
        service: String::new(),
        identifier: b"attempt".to_vec(),
        password: vec![1; 20],
    }
}

/// The protection that the server wants, as a part of its challenge.
pub const AUTH: &str = "qop=\"auth\"";
/// With tokens so short that no packet fits into one.
pub const INTEGRITY: &str = "qop=\"auth-int\",maxbuf=40";
pub const PRIVACY: &str = "qop=\"auth-conf\",cipher=\"3des,rc4,des\",maxbuf=40";
const MAX_TOKEN: usize = 40;

/// The call id of what is no call, as the server writes it.
const SASL: u64 = 4_294_967_263;

/// Starts a server that follows the script to its end; its address, and the requests that it got.
pub fn serve(script: Vec<ScriptedAnswer>) -> (String, JoinHandle<Vec<Vec<u8>>>) {
    serve_with(AUTH, script)
}

/// With this protection.
pub fn serve_with(
    protection: &'static str,
    script: Vec<ScriptedAnswer>,
) -> (String, JoinHandle<Vec<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let mut rest = script.into_iter().peekable();
        let mut requests = Vec::new();
        while rest.peek().is_some() {
            let mut peer = Peer {
                stream: listener.accept().unwrap().0,
                protection: None,
                opened: Vec::new(),
            };
            if let Some(ScriptedAnswer::RefuseToken(class, message)) =
                rest.next_if(|it| matches!(it, ScriptedAnswer::RefuseToken(..)))
            {
                peer.authenticate(protection, Some((class, message)));
                continue;
            }
            peer.authenticate(protection, None);
            while let Some(answer) =
                rest.next_if(|it| !matches!(it, ScriptedAnswer::RefuseToken(..)))
            {
                if !peer.follow(answer, &mut requests) {
                    break;
                }
            }
        }
        requests
    });
    (address, server)
}

fn ok(call: u64) -> Vec<u8> {
    MessageWriter::default()
        .number(1, call)
        .number(2, 0)
        .into_bytes()
}

fn refusal(call: u64, status: u64, class: &str, message: &str) -> Vec<u8> {
    MessageWriter::default()
        .number(1, call)
        .number(2, status)
        .text(4, class)
        .text(5, &format!("{message}\n\tat Server.java"))
        .into_bytes()
}

/// A packet with its length before it.
fn packet(messages: &[&[u8]]) -> Vec<u8> {
    let mut content = Vec::new();
    for message in messages {
        wire::put_delimited(&mut content, message);
    }
    let length = u32::try_from(content.len()).unwrap();
    [&length.to_be_bytes(), content.as_slice()].concat()
}

/// A client, as the server sees it.
struct Peer {
    stream: TcpStream,
    protection: Option<Protection>,
    opened: Vec<u8>,
}

impl Peer {
    /// Answers the next call, or several; whether the connection goes on.
    fn follow(&mut self, answer: ScriptedAnswer, requests: &mut Vec<Vec<u8>>) -> bool {
        let mut receive = |peer: &mut Peer, expected: &str| {
            let Some((call, method, request)) = peer.receive_call() else {
                panic!("the client closed the connection before {expected}");
            };
            assert_eq!(method, expected);
            requests.push(request);
            call
        };
        match answer {
            ScriptedAnswer::Reply(method, reply) => {
                let call = receive(self, method);
                self.send(&packet(&[&ok(call), &reply]));
            }
            ScriptedAnswer::Together(replies) => {
                for (at, (method, _)) in replies.iter().enumerate() {
                    let first = receive(self, method);
                    if at > 0 {
                        continue;
                    }
                    let answers = (first..).zip(&replies);
                    let answers = answers.map(|(call, (_, reply))| packet(&[&ok(call), reply]));
                    let answers: Vec<Vec<u8>> = answers.collect();
                    self.send(&answers.concat());
                }
            }
            ScriptedAnswer::Spoil(method, spoiling) => {
                let call = receive(self, method);
                let answer = packet(&[&ok(call), &[]]);
                match spoiling {
                    Spoiling::Mac => {
                        let mut token = self.seal(&answer);
                        token[answer.len()] ^= 1;
                        self.send_token(&token);
                    }
                    Spoiling::Repeated => {
                        let token = self.seal(&answer);
                        self.send_token(&token);
                        receive(self, method);
                        self.send_token(&token);
                    }
                    Spoiling::Unprotected => {
                        let class =
                            "org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException";
                        let refusal = packet(&[&refusal(call, 1, class, "no such attempt")]);
                        self.stream.write_all(&refusal).unwrap();
                    }
                }
                return false;
            }
            ScriptedAnswer::Refuse(method, class, message) => {
                let call = receive(self, method);
                self.send(&packet(&[&refusal(call, 1, class, message)]));
            }
            ScriptedAnswer::Hang(method) => {
                receive(self, method);
                return false;
            }
            ScriptedAnswer::RefuseToken(..) => unreachable!("it was left in the script"),
        }
        true
    }

    fn authenticate(&mut self, protection: &str, refused: Option<(&str, &str)>) {
        let mut hello = vec![0; HELLO.len()];
        self.stream.read_exact(&mut hello).unwrap();
        assert_eq!(hello, HELLO);
        self.receive().unwrap();
        let challenge =
            format!("realm=\"default\",nonce=\"n0\",{protection},charset=utf-8,algorithm=md5-sess");
        let offer = |method: &str| {
            MessageWriter::default()
                .text(1, method)
                .text(2, "DIGEST-MD5")
                .text(3, "")
                .text(4, "default")
                .text(5, &challenge)
        };
        let negotiate = MessageWriter::default()
            .number(2, 1)
            .message(4, offer("OTHER"))
            .message(4, offer("TOKEN"));
        self.send(&packet(&[&ok(SASL), &negotiate.into_bytes()]));
        let Some(initiate) = self.receive() else {
            return; // The client cannot answer it.
        };
        let (_, rest) = wire::take_delimited(&initiate).unwrap();
        let message = wire::take_delimited(rest).unwrap().0;
        let answer = wire::text(message, 3).unwrap();
        let chosen = wire::bytes(message, 4).unwrap().unwrap();
        assert_eq!(wire::text(chosen, 5).unwrap(), "", "without the challenge");
        if let Some((class, text)) = refused {
            self.send(&packet(&[&refusal(SASL, 2, class, text)]));
            return;
        }
        let cnonce = answer.split("cnonce=\"").nth(1).unwrap();
        let cnonce = cnonce.split('"').next().unwrap();
        let known = Challenge::parse(&challenge).unwrap().answer(&Identity {
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
        self.send(&packet(&[&ok(SASL), &success.into_bytes()]));
        self.protection = known.protection.map(Protection::of_server);
        let context = self.receive().unwrap();
        let (_, rest) = wire::take_delimited(&context).unwrap();
        let context = wire::take_delimited(rest).unwrap().0;
        assert!(wire::text(context, 3).unwrap().ends_with("ProtocolPB"));
    }

    /// The id, the method and the request of the next call.
    fn receive_call(&mut self) -> Option<(u64, String, Vec<u8>)> {
        let packet = self.receive()?;
        let (header, rest) = wire::take_delimited(&packet).unwrap();
        let call = wire::number(header, 3).unwrap().unwrap() / 2;
        let (header, rest) = wire::take_delimited(rest).unwrap();
        let request = wire::take_delimited(rest).unwrap().0;
        Some((call, wire::text(header, 1).unwrap(), request.to_vec()))
    }

    /// The next packet, of as many tokens as the client has made of it.
    fn receive(&mut self) -> Option<Vec<u8>> {
        if self.protection.is_none() {
            let length = self.read(4)?;
            return self.read(length_of(&length));
        }
        self.fill(4)?;
        let length: Vec<u8> = self.opened.drain(..4).collect();
        self.fill(length_of(&length))?;
        Some(self.opened.drain(..length_of(&length)).collect())
    }

    /// Opens tokens until there are `n` bytes.
    fn fill(&mut self, n: usize) -> Option<()> {
        while self.opened.len() < n {
            let length = self.read(4)?;
            let wrapped = self.read(length_of(&length))?;
            let (header, rest) = wire::take_delimited(&wrapped).unwrap();
            assert_eq!(wire::number(header, 3).unwrap(), Some(65), "-33");
            assert_eq!(wire::bytes(header, 4).unwrap(), Some(&[][..]));
            let message = wire::take_delimited(rest).unwrap().0;
            assert_eq!(wire::number(message, 2).unwrap(), Some(5), "WRAP");
            let token = wire::bytes(message, 3).unwrap().unwrap();
            assert!(token.len() <= MAX_TOKEN, "{}", token.len());
            let opened = self.protection.as_mut().unwrap().open(token).unwrap();
            self.opened.extend(opened);
        }
        Some(())
    }

    fn read(&mut self, n: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; n];
        self.stream.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// In two tokens, the first of which ends within a length, if it is protected.
    fn send(&mut self, packets: &[u8]) {
        if self.protection.is_none() {
            self.stream.write_all(packets).unwrap();
            return;
        }
        let (first, rest) = packets.split_at(3);
        for part in [first, rest] {
            let token = self.seal(part);
            self.send_token(&token);
        }
    }

    fn seal(&mut self, message: &[u8]) -> Vec<u8> {
        self.protection.as_mut().unwrap().seal(message)
    }

    fn send_token(&mut self, token: &[u8]) {
        let message = MessageWriter::default().number(2, 5).bytes(3, token);
        let wrapped = packet(&[&ok(SASL), &message.into_bytes()]);
        self.stream.write_all(&wrapped).unwrap();
    }
}

fn length_of(bytes: &[u8]) -> usize {
    usize::try_from(u32::from_be_bytes(bytes.try_into().unwrap())).unwrap()
}
