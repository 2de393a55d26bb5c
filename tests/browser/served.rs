//! `hpdl serve` on a state folder, at an address that it keeps when it is started again.

use std::{
    io::{BufRead, BufReader},
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
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
