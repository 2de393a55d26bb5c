//! A warehouse on a port of this machine. It counts what it starts, and can stop in the middle of a request.

use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// Far longer than anything here takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Where a request is when the warehouse stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// It is asked whether the statement is there.
    Finding,
    /// The statement has arrived, and will be dropped.
    Refused,
    /// The statement has arrived, and will be started.
    Starting,
    /// The statement runs, and its id is not answered.
    Started,
    /// It is asked for the state.
    Checking,
}

impl Moment {
    pub const ALL: [Moment; 5] = [
        Moment::Finding,
        Moment::Refused,
        Moment::Starting,
        Moment::Started,
        Moment::Checking,
    ];
}

pub struct Warehouse {
    shared: Arc<Shared>,
    port: u16,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The statements by their tags, with the numbers that are their ids.
    by_tag: BTreeMap<String, u32>,
    n_starts: u32,
    n_kills: u32,
    n_checks: u32,
    /// How many checks find a statement running.
    n_running: u32,
    order: String,
    stops_at: Option<Moment>,
    is_stopped: bool,
}

impl Warehouse {
    pub fn open() -> Warehouse {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let shared = Arc::new(Shared::default());
        shared.lock().n_running = 1;
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                thread::spawn(move || shared.serve(connection));
            }
        });
        Warehouse { shared, port }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// How many checks find a statement running.
    pub fn take_checks(&self, n: u32) {
        self.shared.lock().n_running = n;
    }

    /// The next request that comes to this moment waits there.
    pub fn stop_at(&self, moment: Moment) {
        self.shared.lock().stops_at = Some(moment);
    }

    #[track_caller]
    pub fn await_stop(&self, what: &str) {
        let state = self.shared.lock();
        let waited = self
            .shared
            .changed
            .wait_timeout_while(state, PATIENCE, |state| !state.is_stopped);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(state.is_stopped, "never came there: {what}");
    }

    pub fn go_on(&self) {
        self.shared.lock().is_stopped = false;
        self.shared.changed.notify_all();
    }

    pub fn n_starts(&self) -> u32 {
        self.shared.lock().n_starts
    }

    pub fn n_kills(&self) -> u32 {
        self.shared.lock().n_kills
    }

    /// The text of the last start.
    pub fn order(&self) -> String {
        self.shared.lock().order.clone()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits here if the warehouse is to stop at this moment, and says whether it has.
    fn reach(&self, moment: Moment) -> bool {
        let mut state = self.lock();
        if state.stops_at != Some(moment) {
            return false;
        }
        state.stops_at = None;
        state.is_stopped = true;
        self.changed.notify_all();
        drop(self.changed.wait_while(state, |state| state.is_stopped));
        true
    }

    fn serve(&self, mut connection: TcpStream) {
        let Ok((line, body)) = request(&mut connection) else {
            return;
        };
        if let Some((status, text)) = self.answer(&line, body) {
            // The process that asked may be dead.
            let _ = connection.write_all(format!("HTTP/1.0 {status} .\r\n\r\n{text}").as_bytes());
        }
    }

    /// The answer to a request; without one the connection ends.
    fn answer(&self, line: &str, body: String) -> Option<(u16, String)> {
        let mut words = line.split(' ');
        let (method, path) = (words.next()?, words.next()?);
        let tag = path.strip_prefix("/queries?tag=");
        let id = path.strip_prefix("/queries/");
        match (method, tag, id) {
            ("GET", Some(tag), None) => {
                self.reach(Moment::Finding);
                let found = self.lock().by_tag.get(tag).map(u32::to_string);
                Some(found.map_or((404, String::new()), |id| (200, id)))
            }
            ("POST", Some(tag), None) => {
                if self.reach(Moment::Refused) {
                    return None;
                }
                self.reach(Moment::Starting);
                let id = {
                    let mut state = self.lock();
                    state.n_starts += 1;
                    state.order = body;
                    let id = state.n_starts;
                    state.by_tag.insert(tag.to_owned(), id);
                    id
                };
                self.reach(Moment::Started);
                Some((201, id.to_string()))
            }
            ("GET", None, Some(_)) => {
                self.reach(Moment::Checking);
                let mut state = self.lock();
                state.n_checks += 1;
                let is_running = state.n_checks <= state.n_running;
                let text = if is_running { "RUNNING" } else { "DONE 12" };
                Some((200, text.to_owned()))
            }
            ("DELETE", None, Some(_)) => {
                self.lock().n_kills += 1;
                Some((200, String::new()))
            }
            _ => Some((400, line.to_owned())),
        }
    }
}

/// The first line of a request, and its body.
fn request(connection: &mut TcpStream) -> io::Result<(String, String)> {
    let mut text = String::new();
    let mut buffer = [0; 1024];
    loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.split("Content-Length: ").nth(1).unwrap_or("0");
            let length: usize = length.lines().next().unwrap_or("0").parse().unwrap_or(0);
            if body.len() >= length {
                let line = head.lines().next().unwrap_or_default();
                return Ok((line.to_owned(), body.to_owned()));
            }
        }
        match connection.read(&mut buffer)? {
            0 => return Err(io::Error::other("cut short")),
            n => text.push_str(&String::from_utf8_lossy(&buffer[..n])),
        }
    }
}
