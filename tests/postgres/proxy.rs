//! A way to a server that is slow, or ends in the middle of what it carries.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// Accepts connections for a server until it is dropped.
pub struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// How long every packet takes, in milliseconds.
    delay: AtomicU64,
    /// How many packets of the server arrive before its connection is cut and the next one is lost; 0 for all.
    n_packets: AtomicU64,
    n_cut: AtomicU64,
    is_over: AtomicBool,
}

impl Proxy {
    pub fn to(server: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("it is bound").port();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if shared.is_over.load(Ordering::Relaxed) {
                    return;
                }
                // A server that is away refuses, and the client sees that its connection ends.
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                forward(&client, &server, &shared, false);
                forward(&server, &client, &shared, true);
            }
        });
        Proxy { port, state }
    }

    /// The URL of the database, by this way.
    pub fn url(&self) -> String {
        format!("postgres://hpdl@127.0.0.1:{}/postgres", self.port)
    }

    pub fn delay(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).expect("a short time");
        self.state.delay.store(millis, Ordering::Relaxed);
    }

    /// Cuts connections after so many answers of the server. What it has done then, the client is not told.
    pub fn cut_after(&self, n_packets: u64) {
        self.state.n_packets.store(n_packets, Ordering::Relaxed);
    }

    /// How many connections were cut.
    pub fn n_cut(&self) -> u64 {
        self.state.n_cut.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn forward(from: &TcpStream, to: &TcpStream, state: &Arc<State>, is_of_server: bool) {
    let (mut from, mut to) = (
        from.try_clone().expect("a second handle"),
        to.try_clone().expect("a second handle"),
    );
    let state = Arc::clone(state);
    thread::spawn(move || {
        let mut packet = vec![0; 1 << 16];
        let mut n = 0;
        while let Ok(length @ 1..) = from.read(&mut packet) {
            n += 1;
            let most = state.n_packets.load(Ordering::Relaxed);
            if is_of_server && most > 0 && n > most {
                state.n_cut.fetch_add(1, Ordering::Relaxed);
                break;
            }
            thread::sleep(Duration::from_millis(state.delay.load(Ordering::Relaxed)));
            if to.write_all(&packet[..length]).is_err() {
                break;
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    });
}
