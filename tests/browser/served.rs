//! `hpdl serve` on a state folder, at an address that it keeps when it is started again.

use std::{
    path::{Path, PathBuf},
    process::Child,
};

use hpdlc_tests::{hpdl, served};

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
        // Jobs of the store have no owners, and stay as they are.
        let options = ["--no-recover"];
        let (child, address) = served::serve(&hpdl(), &self.home, &self.address, &options);
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
