//! `http` actions: requests, answers and callbacks.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    thread,
};

use serde_json::Value;

use crate::harness::{World, node, text};

/// A document in the dialect of 2009.
fn world(http: &str) -> World {
    let document = format!(
        r#"<hadoop-workflow name="case"><start to="a"/><http name="a">{http}
<transition name="OK" to="end"/><transition name="ERROR" to="bad"/></http>
<fail name="bad"><message>bad</message></fail><end name="end"/></hadoop-workflow>"#
    );
    World::of(&[("workflow.xml", &document)])
}

struct SeenRequest {
    head: String,
    body: String,
}

/// A server that accepts one request and gives one answer; returns its address.
fn serve(
    answer: impl FnOnce(&SeenRequest) -> String + Send + 'static,
) -> (String, mpsc::Receiver<SeenRequest>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a caller");
        let asked = read(&stream);
        let answer = answer(&asked);
        (&stream).write_all(answer.as_bytes()).expect("it listens");
        drop(stream);
        let _ = sender.send(asked);
    });
    (address, receiver)
}

fn read(stream: &TcpStream) -> SeenRequest {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    SeenRequest {
        head,
        body: String::from_utf8(body).expect("text"),
    }
}

fn answer(status: &str, content_type: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

const PROPERTIES: &str = "x-application/java-properties";

fn info(world: &World) -> Value {
    world.info(&text(&world.jobs()[0]["id"]))
}

#[test]
fn the_answer_is_captured() {
    let world = world(
        "<url>http://${at}/a?b=${urlEncode('c d')}</url><mode>CONTINUE</mode><capture-output/>",
    );
    let (at, asked) = serve(|_| answer("200 OK", PROPERTIES, "n=1\nm=two\n"));
    world.run(&[&format!("-Dat={at}")]).expect(0);
    let head = asked.recv().expect("it was asked").head;
    assert!(head.starts_with("GET /a?b=c+d HTTP/1.1"), "{head}");
    let info = info(&world);
    assert_eq!(
        node(&info, "a")["data"],
        serde_json::json!({"n": "1", "m": "two"})
    );
}

#[test]
fn a_post_has_its_body_and_waits_for_its_callback() {
    let world = world(
        "<url>http://${at}/</url><post content-type=\"text/plain\">${wf:callback('%EXITSTATE%')}</post><mode>${mode}</mode><capture-output/>",
    );
    for (state, exit) in [("OK", 0), ("ERROR", 3)] {
        let (at, _asked) = serve(move |asked| {
            assert!(asked.head.starts_with("POST / HTTP/1.1"), "{}", asked.head);
            let url = asked.body.replace("%EXITSTATE%", state);
            let rest = url.strip_prefix("http://").expect("a URL");
            let (authority, target) = rest.split_once('/').expect("a path");
            let mut back = TcpStream::connect(authority).expect("somebody listens");
            let body = "who=you";
            write!(
                back,
                "POST /{target} HTTP/1.1\r\nHost: {authority}\r\nContent-Type: {PROPERTIES}\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            )
            .expect("it listens");
            let mut said = String::new();
            back.read_to_string(&mut said).expect("an answer");
            assert!(said.starts_with("HTTP/1.1 200"), "{said}");
            answer("202 Accepted", "text/plain", "later")
        });
        world
            .run(&[&format!("-Dat={at}"), "-Dmode=WAIT"])
            .expect(exit);
        let info = info(&world);
        let action = node(&info, "a");
        if exit == 0 {
            assert_eq!(action["data"]["who"], "you", "{info:#}");
        } else {
            assert_eq!(action["error_code"], "HTTP005", "{info:#}");
        }
    }
}

#[test]
fn failures_are_told_apart() {
    let simple = world("<url>${url}</url><mode>${mode}</mode><capture-output/>");
    let check = |url: &str, more: &[&str], exit: i32, code: &str, words: &str| {
        let url = format!("-Durl={url}");
        let mut given = vec![url.as_str(), "-Doozie.action.retries.max=0"];
        given.extend(more);
        if !more.iter().any(|given| given.starts_with("-Dmode")) {
            given.push("-Dmode=CONTINUE");
        }
        simple.run(&given).expect(exit);
        let info = info(&simple);
        let failed = node(&info, "a");
        assert_eq!(failed["error_code"], code, "{info:#}");
        let message = text(&failed["error_message"]);
        assert!(message.contains(words), "{message}");
        assert!(!message.contains("hunter22"), "{message}");
    };
    check(
        "http://nowhere.invalid/",
        &[],
        4,
        "HTTP001",
        "nowhere.invalid",
    );
    let (free, _) = (
        TcpListener::bind("127.0.0.1:0")
            .expect("a port")
            .local_addr()
            .expect("one"),
        (),
    );
    check(
        &format!("http://me:hunter22@{free}/"),
        &[],
        4,
        "HTTP002",
        "refused",
    );
    let (at, _asked) = serve(|_| answer("503 Busy", "text/plain", ""));
    check(&format!("http://{at}/x"), &[], 3, "HTTP003", "503");
    let (at, _asked) = serve(|_| answer("200 OK", "text/html", "<p>"));
    check(&format!("http://{at}/x"), &[], 3, "HTTP004", "text/html");
    let (at, _asked) = serve(|_| answer("200 OK", "text/plain", ""));
    let soon = ["-Dmode=WAIT", "-Dhpdl.http.callback.timeout=0"];
    check(
        &format!("http://{at}/x"),
        &soon,
        3,
        "HTTP006",
        "did not come",
    );
    check("gopher://host/", &[], 3, "HTTP007", "gopher");
    check("http://host/", &["-Dmode=SOON"], 3, "HTTP007", "SOON");
    let (at, _asked) = serve(|_| String::new());
    check(
        &format!("http://{at}/x"),
        &[],
        4,
        "HPDL_LOST",
        "is not known",
    );
}

#[test]
fn an_answer_over_the_limit_of_captured_output_is_an_error_and_is_not_cut() {
    let world = world("<url>http://${at}/</url><mode>CONTINUE</mode><capture-output/>");
    let body = "n=12345678";
    for (limit, exit) in [(body.len(), 0), (body.len() - 1, 3)] {
        let (at, _asked) = serve(|_| answer("200 OK", PROPERTIES, body));
        let limit = format!("-Doozie.action.max.output.data={limit}");
        world.run(&[&format!("-Dat={at}"), &limit]).expect(exit);
        let info = info(&world);
        let action = node(&info, "a");
        if exit == 0 {
            assert_eq!(action["data"]["n"], "12345678", "{info:#}");
        } else {
            assert_eq!(action["error_code"], "JA018", "{info:#}");
            assert_eq!(action["data"], serde_json::json!({}), "{info:#}");
        }
    }
}
