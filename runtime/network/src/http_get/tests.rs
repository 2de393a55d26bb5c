use std::{net::TcpListener, thread};

use super::*;

fn url(host: &str, port: u16, target: &str) -> Result<Url, String> {
    Ok(Url {
        is_secure: false,
        host: host.to_owned(),
        port,
        target: target.to_owned(),
    })
}

#[test]
fn urls_are_taken_apart() {
    for (text, expected) in [
        ("http://a", url("a", 80, "/")),
        ("HTTP://a:81?x=$y", url("a", 81, "/?x=$y")),
        ("http://u:p@a/b c#d", url("a", 80, "/b%20c")),
        ("http://[::1]:9/é", url("::1", 9, "/%C3%A9")),
        ("http://a/x\r\nEvil: 1", url("a", 80, "/x%0D%0AEvil:%201")),
    ] {
        assert_eq!(Url::parse(text), expected, "{text}");
    }
    let secure = Url::parse("https://a/b").unwrap();
    assert!(secure.is_secure && secure.port == 443, "{secure:?}");
    assert_eq!(secure.authority(), "a");
    assert!(secure.join("//c/d").unwrap().is_secure);
    for refused in ["a", "ftp://a", "http://", "http://a:x/"] {
        assert!(Url::parse(refused).is_err(), "{refused}");
    }
}

#[test]
fn redirects_may_be_relative() {
    let own = Url::parse("http://a:81/b/c?d").unwrap();
    for (location, expected) in [
        ("/x", url("a", 81, "/x")),
        ("x?y", url("a", 81, "/b/x?y")),
        ("//e/x", url("e", 80, "/x")),
        ("http://f/", url("f", 80, "/")),
    ] {
        assert_eq!(own.join(location), expected, "{location}");
    }
}

/// A server that answers each request with the next of `answers`; returns its address, and the requests.
fn serve(answers: &[&'static str]) -> (String, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let answers = answers.to_vec();
    let thread = thread::spawn(move || {
        answers
            .into_iter()
            .map(|answer| {
                let (mut stream, _) = listener.accept().unwrap();
                let asked = asked(&mut stream);
                stream.write_all(answer.as_bytes()).unwrap();
                asked
            })
            .collect()
    });
    (address, thread)
}

const LONG: Duration = Duration::from_secs(9);

/// Reads a client's request.
fn asked(stream: &mut TcpStream) -> String {
    let socket = stream.try_clone().unwrap();
    let asked = head(stream, &socket, Instant::now() + LONG).unwrap();
    String::from_utf8(asked).unwrap()
}

#[test]
fn only_200_counts_and_redirects_are_followed() {
    let (address, thread) = serve(&[
        "HTTP/1.1 302 Found\r\nlocation: /there?x\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "SMTP ready\r\n\r\n",
    ]);
    let here = format!("http://{address}/here");
    assert_eq!(get(&here, None, LONG), Ok(()));
    let refused = get(&here, None, LONG).unwrap_err();
    assert!(refused.contains("204"), "{refused}");
    assert_eq!(
        get(&here, None, LONG).unwrap_err(),
        "the answer is not HTTP"
    );
    let asked = thread.join().unwrap();
    assert!(asked[0].starts_with("GET /here HTTP/1.1\r\n"), "{asked:?}");
    assert!(
        asked[0].contains(&format!("\r\nHost: {address}\r\n")),
        "{asked:?}"
    );
    assert!(
        asked[1].starts_with("GET /there?x HTTP/1.1\r\n"),
        "{asked:?}"
    );
}

#[test]
fn a_proxy_is_told_the_whole_url() {
    let (address, thread) = serve(&["HTTP/1.1 200 OK\r\n\r\n"]);
    let proxy = Proxy::parse(&address).unwrap();
    assert_eq!(get("http://far:82/x", Some(&proxy), LONG), Ok(()));
    let asked = thread.join().unwrap();
    assert!(
        asked[0].starts_with("GET http://far:82/x HTTP/1.1\r\nHost: far:82\r\n"),
        "{asked:?}"
    );
}

#[test]
fn a_proxy_is_asked_for_a_tunnel_before_tls() {
    let (address, thread) = serve(&["HTTP/1.1 403 Forbidden\r\n\r\n"]);
    let proxy = Proxy::parse(&address).unwrap();
    let problem = get("https://far/x?token", Some(&proxy), LONG).unwrap_err();
    assert_eq!(problem, "the HTTP proxy answers 403 to CONNECT far:443");
    let asked = thread.join().unwrap();
    assert!(
        asked[0].starts_with("CONNECT far:443 HTTP/1.1\r\nHost: far:443\r\n"),
        "{asked:?}"
    );
}

#[test]
fn a_socks_proxy_connects_by_name() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut greeting = [0; 3];
        stream.read_exact(&mut greeting).unwrap();
        stream.write_all(&[5, 0]).unwrap();
        let mut request = [0; 10];
        stream.read_exact(&mut request).unwrap();
        stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
        let asked = asked(&mut stream);
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        (request, asked)
    });
    let proxy = Proxy::Socks("127.0.0.1".to_owned(), port);
    assert_eq!(get("http://far/x", Some(&proxy), LONG), Ok(()));
    let (request, asked) = thread.join().unwrap();
    assert_eq!(&request, b"\x05\x01\x00\x03\x03far\x00\x50");
    assert!(
        asked.starts_with("GET /x HTTP/1.1\r\nHost: far\r\n"),
        "{asked}"
    );
}

#[test]
fn a_server_that_does_not_answer_is_left_after_the_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let problem = get(
        &format!("http://{address}/"),
        None,
        Duration::from_millis(50),
    );
    assert!(problem.unwrap_err().starts_with("answer: "));
    drop(listener);
    let problem = get(&format!("http://{address}/"), None, LONG).unwrap_err();
    assert!(problem.contains("refused"), "{problem}");
}
