//! Clients that send requests over connections of their own, one after the other, and what that took.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

/// A connection that is kept.
pub struct Connection {
    reader: BufReader<TcpStream>,
    address: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

impl Connection {
    pub fn open(address: &str) -> Connection {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_nodelay(true).expect("an option of TCP");
        Connection {
            reader: BufReader::new(stream),
            address: address.to_owned(),
        }
    }

    pub fn ask(&mut self, method: &str, path: &str, body: &str) -> Answer {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/xml\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let stream = self.reader.get_mut();
        stream
            .write_all(request.as_bytes())
            .expect("it reads the request");
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("it answers");
        let status = line.split(' ').nth(1).and_then(|it| it.parse().ok());
        let status = status.unwrap_or_else(|| panic!("{method} {path}: {line:?}"));
        let mut length = 0;
        loop {
            line.clear();
            self.reader.read_line(&mut line).expect("a header");
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().expect("a number");
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).expect("a body");
        Answer {
            status,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    /// As [`Connection::ask`], with how long it took.
    pub fn timed(&mut self, method: &str, path: &str, body: &str) -> (Answer, Duration) {
        let began = Instant::now();
        let answer = self.ask(method, path, body);
        (answer, began.elapsed())
    }
}

/// How long requests took.
#[derive(Debug)]
pub struct Load {
    sorted: Vec<Duration>,
    /// Of the server's process, for one request.
    pub processor: Duration,
}

impl Load {
    pub fn of(mut times: Vec<Duration>) -> Load {
        times.sort_unstable();
        Load {
            sorted: times,
            processor: Duration::ZERO,
        }
    }

    /// 99 of 100 took at most this.
    pub fn p99(&self) -> Duration {
        self.sorted[(self.sorted.len() * 99 / 100).min(self.sorted.len() - 1)]
    }
}

/// Sends `n` requests by each of `n_clients`; `path` makes the path of a request from the client's number and its own.
pub fn get(
    address: &str,
    server: u32,
    n_clients: usize,
    n: usize,
    path: &(dyn Fn(usize, usize) -> String + Sync),
) -> Load {
    let before = processor_time(server);
    let times: Vec<Duration> = thread::scope(|scope| {
        let clients: Vec<_> = (0..n_clients)
            .map(|client| {
                scope.spawn(move || {
                    let mut connection = Connection::open(address);
                    let timed = (0..n).map(|number| {
                        let path = path(client, number);
                        let (answer, time) = connection.timed("GET", &path, "");
                        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
                        time
                    });
                    timed.collect::<Vec<_>>()
                })
            })
            .collect();
        clients
            .into_iter()
            .flat_map(|client| client.join().expect("a client ends"))
            .collect()
    });
    let count = u32::try_from(times.len()).expect("few");
    let mut load = Load::of(times);
    load.processor = processor_time(server).saturating_sub(before) / count;
    load
}

/// What a process has used of the processor, in user and system mode, to a hundredth of a second.
pub fn processor_time(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = match stat.rsplit_once(") ") {
        Some((_, fields)) => fields.split(' ').collect(),
        None => return Duration::ZERO,
    };
    let ticks = |index: usize| -> u64 {
        let field = fields.get(index).and_then(|it| it.parse().ok());
        field.unwrap_or_default()
    };
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}

/// The floor: answers every request with the same bytes, a thread for each connection. Returns its address.
pub fn answer_always(body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = answer.clone();
            thread::spawn(move || {
                let _ = stream.set_nodelay(true);
                let mut reader = BufReader::new(stream);
                let mut line = String::new();
                // An empty line ends a request without a body.
                while matches!(reader.read_line(&mut line), Ok(n) if n > 0) {
                    if line == "\r\n" && reader.get_mut().write_all(answer.as_bytes()).is_err() {
                        return;
                    }
                    line.clear();
                }
            });
        }
    });
    address
}
