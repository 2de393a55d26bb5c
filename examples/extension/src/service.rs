//! The requests to the warehouse: as much of HTTP as it speaks.

use std::{
    io::{self, Read, Write},
    net::{TcpStream, ToSocketAddrs},
    time::Duration,
};

use hpdlc_flow::{Error, Result, error, transient};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A warehouse.
pub(crate) struct Service<'a> {
    /// Host and port.
    authority: &'a str,
}

/// What it has answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl<'a> Service<'a> {
    pub(crate) fn at(address: &'a str) -> Result<Service<'a>> {
        let authority = address
            .strip_prefix("http://")
            .map(|it| it.trim_end_matches('/'));
        let authority = authority.filter(|it| it.contains(':') && !it.contains('/'));
        let authority = authority.ok_or_else(|| {
            let problem =
                format!("`{address}` is no address of a warehouse, such as `http://host:8080`");
            error("WRONG_ADDRESS", problem)
        })?;
        Ok(Service { authority })
    }

    pub(crate) fn connect(&self) -> io::Result<TcpStream> {
        let mut addresses = self.authority.to_socket_addrs()?;
        let address = addresses
            .next()
            .ok_or_else(|| io::Error::other("the host has no address"))?;
        let connection = TcpStream::connect_timeout(&address, PATIENCE)?;
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        Ok(connection)
    }

    pub(crate) fn call(&self, method: &str, path: &str, body: &str) -> io::Result<Answer> {
        self.exchange(self.connect()?, method, path, body)
    }

    pub(crate) fn exchange(
        &self,
        mut connection: TcpStream,
        method: &str,
        path: &str,
        body: &str,
    ) -> io::Result<Answer> {
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {}\r\nContent-Length: {}\r\n\r\n{body}",
            self.authority,
            body.len()
        );
        connection.write_all(request.as_bytes())?;
        let mut text = String::new();
        connection.read_to_string(&mut text)?;
        parsed(&text).ok_or_else(|| io::Error::other("the warehouse has closed the connection"))
    }
}

fn parsed(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    Some(Answer {
        status: head.split(' ').nth(1)?.parse().ok()?,
        body: body.to_owned(),
    })
}

impl Answer {
    /// What is neither a success nor a known refusal.
    pub(crate) fn error(&self) -> Error {
        let message = format!(
            "the warehouse answers {}: {}",
            self.status,
            self.body.trim()
        );
        match self.status {
            429 | 500.. => transient("WAREHOUSE_BUSY", message),
            _ => error("WAREHOUSE_REFUSED", message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_a_port() {
        for (address, is_one) in [
            ("http://warehouse:8080", true),
            ("http://warehouse:8080/", true),
            ("http://warehouse", false),
            ("http://warehouse:8080/a", false),
            ("https://warehouse:8080", false),
        ] {
            assert_eq!(Service::at(address).is_ok(), is_one, "{address}");
        }
    }

    #[test]
    fn an_answer_that_is_cut_short_is_none() {
        let answer = parsed("HTTP/1.0 201 Created\r\nA: b\r\n\r\n7");
        assert_eq!(
            answer.map(|it| (it.status, it.body)),
            Some((201, "7".to_owned()))
        );
        assert!(parsed("HTTP/1.0 201 Created\r\n").is_none());
        assert!(parsed("").is_none());
    }
}
