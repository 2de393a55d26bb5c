//! A single GET over HTTP/1.1, directly or through a proxy, of which only the status of the response is used.
//!
//! A client library would be most of an executable that sends no notifications; this needs only a small part of HTTP. TLS is
//! available if the executable needs it for something else.

use std::{
    io::{Read, Write},
    net::{TcpStream, ToSocketAddrs},
    time::{Duration, Instant},
};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{Stream, proxy::Proxy, secure};

/// The maximum number of redirects, as in Java's client.
const MAX_REDIRECTS: usize = 20;

/// The maximum number of bytes read of a response; only its head is used.
const MAX_HEAD: usize = 64 * 1024;

/// A URL that can be requested.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Url {
    is_secure: bool,
    host: String,
    port: u16,
    /// Path and query, as sent in the request.
    target: String,
}

/// Requests `url`; only a response with status 200 is a success, after redirects. `timeout` applies to connecting, and again to
/// the response.
///
/// # Errors
///
/// A message that describes the failure.
pub fn get(url: &str, proxy: Option<&Proxy>, timeout: Duration) -> Result<(), String> {
    let mut url = Url::parse(url)?;
    for _ in 0..=MAX_REDIRECTS {
        let (status, location) = ask(&url, proxy, timeout)?;
        match (status, location) {
            (200, _) => return Ok(()),
            (301 | 302 | 303 | 307 | 308, Some(location)) => url = url.join(&location)?,
            (status, _) => return Err(format!("the answer is {status}, not 200")),
        }
    }
    Err(format!("redirected more than {MAX_REDIRECTS} times"))
}

impl Url {
    fn parse(text: &str) -> Result<Url, String> {
        let (scheme, rest) = text
            .split_once("://")
            .ok_or_else(|| "it is not a URL".to_owned())?;
        let is_secure = scheme.eq_ignore_ascii_case("https");
        if !is_secure && !scheme.eq_ignore_ascii_case("http") {
            return Err(format!("{scheme} is neither http nor https"));
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, target) = rest.split_at(end);
        let place = authority.rsplit('@').next().unwrap_or_default();
        let (host, port) = match place.strip_prefix('[') {
            Some(v6) => {
                let (host, port) = v6
                    .split_once(']')
                    .ok_or("the address has no closing bracket")?;
                (host, port.strip_prefix(':'))
            }
            None => match place.rsplit_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (place, None),
            },
        };
        let port = match port {
            None | Some("") => default_port(is_secure),
            Some(port) => port.parse().map_err(|_| format!("bad port {port}"))?,
        };
        if host.is_empty() || host.chars().any(|c| c.is_control() || c == ' ') {
            return Err("it names no host".to_owned());
        }
        Ok(Url {
            is_secure,
            host: host.to_owned(),
            port,
            target: target_of(target),
        })
    }

    /// The target of a redirect to `location`, which may be relative.
    fn join(&self, location: &str) -> Result<Url, String> {
        if location.contains("://") {
            return Url::parse(location);
        }
        if let Some(place) = location.strip_prefix("//") {
            let scheme = if self.is_secure { "https" } else { "http" };
            return Url::parse(&format!("{scheme}://{place}"));
        }
        let path = match location.starts_with('/') {
            true => location.to_owned(),
            false => {
                let own = self.target.split('?').next().unwrap_or_default();
                let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
                format!("{folder}/{location}")
            }
        };
        Ok(Url {
            target: target_of(&path),
            ..self.clone()
        })
    }

    fn authority(&self) -> String {
        let host = if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        };
        if self.port == default_port(self.is_secure) {
            host
        } else {
            format!("{host}:{}", self.port)
        }
    }
}

fn default_port(is_secure: bool) -> u16 {
    if is_secure { 443 } else { 80 }
}

/// Spaces and control characters; non-ASCII characters are always encoded.
const NOT_GRAPHIC: AsciiSet = CONTROLS.add(b' ');

/// Path and query in the form of a request line: encoding is the author's job, except for characters that would end the line.
fn target_of(text: &str) -> String {
    let text = text.split('#').next().unwrap_or_default();
    let slash = if text.starts_with('/') { "" } else { "/" };
    format!("{slash}{}", utf8_percent_encode(text, &NOT_GRAPHIC))
}

/// The status of the response, and the target of a redirect.
fn ask(
    url: &Url,
    proxy: Option<&Proxy>,
    timeout: Duration,
) -> Result<(u16, Option<String>), String> {
    let by = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
    let deadline = Instant::now() + timeout;
    let mut target = url.target.clone();
    let stream = match proxy {
        None => connect(&url.host, url.port, timeout)?,
        Some(Proxy::Http(host, port)) => {
            let mut stream = connect(host, *port, timeout)?;
            if url.is_secure {
                tunnel(&mut stream, url, deadline)?;
            } else {
                // A proxy needs the absolute URL.
                target = format!("http://{}{target}", url.authority());
            }
            stream
        }
        Some(Proxy::Socks(host, port)) => {
            let mut stream = connect(host, *port, timeout)?;
            socks(&mut stream, &url.host, url.port, timeout)?;
            stream
        }
    };
    // A second handle for setting timeouts, whatever protocol is used on the stream.
    let socket = stream.try_clone().map_err(|error| by("sending", &error))?;
    socket
        .set_write_timeout(Some(timeout))
        .and_then(|()| socket.set_read_timeout(Some(timeout)))
        .map_err(|error| by("sending", &error))?;
    let mut stream: Box<dyn Stream> = if url.is_secure {
        let secure = secure().ok_or_else(|| {
            "https: this executable has no TLS; build it with `hpdlc build --full`, or notify an http:// address"
                .to_owned()
        })?;
        secure(stream, &url.host)?
    } else {
        Box::new(stream)
    };
    let request = format!(
        "GET {target} HTTP/1.1\r\nHost: {}\r\nUser-Agent: hpdlc\r\nAccept: */*\r\nConnection: close\r\n\r\n",
        url.authority()
    );
    stream
        .write_all(request.as_bytes())
        .and_then(|()| stream.flush())
        .map_err(|error| by("sending", &error))?;
    let deadline = Instant::now() + timeout;
    let head = head(stream.as_mut(), &socket, deadline).map_err(|error| by("answer", &error))?;
    parse(&head)
}

/// Makes an HTTP proxy open a tunnel to the server, for TLS (RFC 9110, section 9.3.6).
fn tunnel(stream: &mut TcpStream, url: &Url, deadline: Instant) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("HTTP proxy: {error}");
    let host = &url.host;
    let place = match host.contains(':') {
        true => format!("[{host}]:{}", url.port),
        false => format!("{host}:{}", url.port),
    };
    let request = format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\nUser-Agent: hpdlc\r\n\r\n");
    let socket = stream.try_clone().map_err(failed)?;
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let head = head(stream, &socket, deadline).map_err(failed)?;
    match parse(&head)? {
        (200..=299, _) => Ok(()),
        (status, _) => Err(format!(
            "the HTTP proxy answers {status} to CONNECT {place}"
        )),
    }
}

fn connect(host: &str, port: u16, timeout: Duration) -> Result<TcpStream, String> {
    let addresses = (host, port)
        .to_socket_addrs()
        .map_err(|error| format!("{host}: {error}"))?;
    let mut problem = format!("{host} has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, timeout) {
            Ok(stream) => return Ok(stream),
            Err(error) => problem = format!("{host}:{port}: {error}"),
        }
    }
    Err(problem)
}

/// Reads until the head of the response is complete, or the stream ends; `socket` is the connection under `stream`.
fn head(
    stream: &mut dyn Stream,
    socket: &TcpStream,
    deadline: Instant,
) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    // Reading past the head of a proxy's response loses nothing: the server sends nothing before the client does.
    let mut piece = [0; 4096];
    while head.len() < MAX_HEAD && !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let rest = deadline.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        socket.set_read_timeout(Some(rest))?;
        match stream.read(&mut piece)? {
            0 => break,
            n => head.extend_from_slice(&piece[..n]),
        }
    }
    Ok(head)
}

fn parse(head: &[u8]) -> Result<(u16, Option<String>), String> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let status = first
        .strip_prefix("HTTP/")
        .and_then(|rest| rest.split(' ').nth(1))
        .and_then(|status| status.parse().ok())
        .ok_or_else(|| "the answer is not HTTP".to_owned())?;
    let location = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("location"))
        .map(|(_, value)| value.trim().to_owned());
    Ok((status, location))
}

/// Connects through a SOCKS 5 proxy (RFC 1928), without authentication; the proxy resolves the host name.
fn socks(stream: &mut TcpStream, host: &str, port: u16, timeout: Duration) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("SOCKS proxy: {error}");
    stream.set_read_timeout(Some(timeout)).map_err(failed)?;
    stream.set_write_timeout(Some(timeout)).map_err(failed)?;
    let length = u8::try_from(host.len()).map_err(|_| "the host's name is too long".to_owned())?;
    stream.write_all(&[5, 1, 0]).map_err(failed)?;
    let mut answer = [0; 2];
    stream.read_exact(&mut answer).map_err(failed)?;
    if answer != [5, 0] {
        return Err("the SOCKS proxy requires a password, or is not a SOCKS proxy".to_owned());
    }
    let mut request = vec![5, 1, 0, 3, length];
    request.extend_from_slice(host.as_bytes());
    request.extend_from_slice(&port.to_be_bytes());
    stream.write_all(&request).map_err(failed)?;
    let mut answer = [0; 4];
    stream.read_exact(&mut answer).map_err(failed)?;
    if answer[1] != 0 {
        return Err(format!(
            "the SOCKS proxy cannot connect (code {})",
            answer[1]
        ));
    }
    // The bound address: ignored, but it must be read.
    let n_address = match answer[3] {
        1 => 4,
        4 => 16,
        3 => {
            let mut length = [0; 1];
            stream.read_exact(&mut length).map_err(failed)?;
            usize::from(length[0])
        }
        other => return Err(format!("the SOCKS proxy answers with address type {other}")),
    };
    let mut address = vec![0; n_address + 2];
    stream.read_exact(&mut address).map_err(failed)
}

#[cfg(test)]
mod tests;
