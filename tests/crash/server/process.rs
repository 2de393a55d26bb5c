//! A server that is killed and started again, at another address each time.

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::Child,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use hpdlc_tests::{hpdl, served};

use crate::harness::{kill_dash_nine, wait_for};

pub struct ServerProcess {
    home: PathBuf,
    running: Mutex<Running>,
}

struct Running {
    child: Option<Child>,
    address: String,
    /// How many have been started before.
    generation: u64,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Oozie's, of a refusal.
    pub code: String,
    pub body: String,
}

/// What became of a request.
pub enum Exchange {
    Answered(Answer),
    /// The server of this generation died before the answer was whole: it may have been carried out or not.
    Lost(u64),
}

impl ServerProcess {
    pub fn start(home: &Path) -> ServerProcess {
        let (child, address) = spawn(home);
        ServerProcess {
            home: home.to_owned(),
            running: Mutex::new(Running {
                child: Some(child),
                address,
                generation: 0,
            }),
        }
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn kill_and_restart(&self) {
        let mut running = self.running();
        if let Some(child) = running.child.take() {
            kill_dash_nine(child);
        }
        let (child, address) = spawn(&self.home);
        running.child = Some(child);
        running.address = address;
        running.generation += 1;
    }

    /// Waits until the server of a generation is dead, and another one runs.
    pub fn await_next(&self, generation: u64) {
        wait_for("the next server", || {
            (self.running().generation > generation).then_some(())
        });
    }

    pub fn ask(&self, method: &str, path: &str, body: &str) -> Exchange {
        loop {
            let (address, generation) = {
                let running = self.running();
                (running.address.clone(), running.generation)
            };
            let Ok(stream) = TcpStream::connect(&address) else {
                // Nothing was sent.
                thread::sleep(Duration::from_millis(2));
                continue;
            };
            return match exchange(stream, &address, method, path, body) {
                Some(answer) => Exchange::Answered(answer),
                None => Exchange::Lost(generation),
            };
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        if let Some(child) = self.running().child.take() {
            kill_dash_nine(child);
        }
    }
}

fn spawn(home: &Path) -> (Child, String) {
    served::serve(&hpdl(), home, "127.0.0.1:0", &[])
}

/// An answer, if it is whole.
fn exchange(
    mut stream: TcpStream,
    address: &str,
    method: &str,
    path: &str,
    body: &str,
) -> Option<Answer> {
    let request = format!(
        "{method} /oozie{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/xml\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    // The answer may be whole although the connection is reset after it.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let header = |wanted: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        lines
            .filter(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .map(|(_, value)| value.trim().to_owned())
            .next()
    };
    let answer = Answer {
        status: head.split(' ').nth(1)?.parse().ok()?,
        code: header("oozie-error-code").unwrap_or_default(),
        body: body.to_owned(),
    };
    let length: usize = header("content-length")?.parse().ok()?;
    (length == body.len()).then_some(answer)
}
