//! `hpdl serve` on a state folder, at an address that it keeps when it is started again.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};

use hpdlc_tests::hpdl;

pub struct Server {
    home: PathBuf,
    child: Option<Child>,
    /// Host and port.
    address: String,
}

/// An answer as it comes over the wire.
pub struct Answer {
    pub head: String,
    pub n_bytes: usize,
}

impl Server {
    pub fn start(home: &Path) -> Server {
        let mut server = Server {
            home: home.to_owned(),
            child: None,
            address: "127.0.0.1:0".to_owned(),
        };
        server.start_again();
        server
    }

    /// Starts it where it was.
    pub fn start_again(&mut self) {
        let mut child = Command::new(hpdl())
            // Jobs of the store have no owners, and stay as they are.
            .args(["serve", "--no-recover", "--listen", &self.address])
            .env("HPDL_HOME", &self.home)
            .env_remove("HPDL_SITE")
            .env_remove("HPDL_SERVER_COMPILER")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("hpdl can be started");
        let mut messages = BufReader::new(child.stderr.take().expect("it is a pipe"));
        let mut line = String::new();
        messages
            .read_line(&mut line)
            .expect("it says where it serves");
        // Nobody reads what it says later, which must not fail.
        thread::spawn(move || std::io::copy(&mut messages, &mut std::io::sink()));
        let url = line.split("://").nth(1).unwrap_or_else(|| panic!("{line}"));
        let address = url.trim_end().trim_end_matches("/oozie");
        self.address = address.replace("localhost", "127.0.0.1");
        self.child = Some(child);
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have exited already.
            drop(child.kill());
            drop(child.wait());
        }
    }

    pub fn pid(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }

    /// The address of a page: `path` is what follows the base.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.base())
    }

    pub fn base(&self) -> String {
        format!("http://{}/oozie", self.address)
    }

    pub fn origin(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Asks for an address of this server, compressed.
    pub fn compressed(&self, address: &str) -> Answer {
        let host = format!("http://{}", self.address);
        let path = address.strip_prefix(&host).expect("it is of this server");
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n",
            self.address
        );
        stream
            .write_all(request.as_bytes())
            .expect("it reads the request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let end = answer.windows(4).position(|at| at == b"\r\n\r\n");
        let end = end.expect("a head and a body");
        Answer {
            head: String::from_utf8_lossy(&answer[..end]).into_owned(),
            n_bytes: answer.len() - end - 4,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
