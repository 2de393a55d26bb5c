//! The bell of an owner: a port on which the process that waits for a container listens, so that it asks the cluster at once when the program
//! has ended.
//!
//! Its address and a secret are the name of an empty file in the staging folder, which only the user can read. It wakes and decides nothing:
//! where the nodes cannot connect to the owner, the end is seen by the next request for the application's state.

use std::{
    io::{self, Read, Write},
    net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use hpdlc_files::{Access, Uri};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use subtle::ConstantTimeEq;

use super::{NEVER_CANCELED, order::ContainerOrder, staging::Staging};

/// Precedes the secret, the port and the address in the name of the file: `bell.SECRET.PORT.ADDRESS`, with `_` for `:`, which HDFS refuses.
const START: &str = "bell.";

/// How long an owner that does not answer is tried.
const CONNECT: Duration = Duration::from_secs(1);

/// How long who connects has to say the secret.
const SAY: Duration = Duration::from_millis(200);

/// More owners than that are not woken: all but the last have ended.
const MAX_BELLS: usize = 16;

pub(super) struct Bell {
    listener: TcpListener,
    address: SocketAddr,
    secret: String,
}

impl Bell {
    /// Listens where this machine is reached by that of the resource manager, such as `http://host:8088`.
    ///
    /// # Errors
    ///
    /// It is not reached, or cannot listen.
    pub fn listen(manager: &str) -> io::Result<Bell> {
        let manager = Uri::parse(manager).authority.unwrap_or(manager);
        let manager = manager
            .to_socket_addrs()?
            .next()
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let any: IpAddr = match manager {
            SocketAddr::V4(_) => [0; 4].into(),
            SocketAddr::V6(_) => [0; 16].into(),
        };
        // Nothing is sent: the system only chooses a way there.
        let route = UdpSocket::bind((any, 0))?;
        route.connect(manager)?;
        let listener = TcpListener::bind((route.local_addr()?.ip(), 0))?;
        listener.set_nonblocking(true)?;
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).map_err(io::Error::other)?;
        Ok(Bell {
            address: listener.local_addr()?,
            listener,
            secret: hex::encode(secret),
        })
    }

    /// The name by which it is found.
    pub fn name(&self) -> String {
        let ip = self.address.ip().to_string().replace(':', "_");
        format!("{START}{}.{}.{ip}", self.secret, self.address.port())
    }

    /// Waits until it is rung, or for that time; whether it was rung.
    pub fn wait(&self, time: Duration) -> bool {
        let begun = Instant::now();
        loop {
            let left = time.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return false;
            }
            let left = Timespec::try_from(left).ok();
            let mut listener = [PollFd::new(&self.listener, PollFlags::IN)];
            match poll(&mut listener, left.as_ref()) {
                Ok(0) => return false,
                Ok(_) if self.is_rung() => return true,
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => {
                    thread::sleep(time.saturating_sub(begun.elapsed()));
                    return false;
                }
            }
        }
    }

    /// Whether who has connected knows the secret.
    fn is_rung(&self) -> bool {
        let said = || {
            let (mut stream, _) = self.listener.accept()?;
            stream.set_nonblocking(false)?;
            stream.set_read_timeout(Some(SAY))?;
            let mut said = [0; 32];
            stream.read_exact(&mut said)?;
            Ok::<_, io::Error>(said)
        };
        said().is_ok_and(|said| said.ct_eq(self.secret.as_bytes()).into())
    }
}

/// The address and the secret in a name; `None` if it is not that of a bell.
fn parse(name: &str) -> Option<(SocketAddr, &str)> {
    let mut parts = name.strip_prefix(START)?.splitn(3, '.');
    let (secret, port, ip) = (parts.next()?, parts.next()?, parts.next()?);
    let ip: IpAddr = ip.replace('_', ":").parse().ok()?;
    Some((SocketAddr::new(ip, port.parse().ok()?), secret))
}

/// Rings the bell with this name, if it is one.
fn ring(name: &str) -> io::Result<()> {
    let Some((address, secret)) = parse(name) else {
        return Ok(());
    };
    let mut stream = TcpStream::connect_timeout(&address, CONNECT)?;
    stream.set_write_timeout(Some(CONNECT))?;
    stream.write_all(secret.as_bytes())
}

/// Rings all bells in the staging folder, on a thread of its own. The receiver is disconnected when that is done.
pub(super) fn ring_all(order: &ContainerOrder) -> mpsc::Receiver<()> {
    let (done, receiver) = mpsc::channel();
    let (uri, access) = (order.staging.clone(), order.access.clone());
    let ring_all = move || {
        let _done = done;
        let access = Access::new(&access, &NEVER_CANCELED);
        let names = Staging::at(&access, &uri).map(|staging| staging.all());
        let names = names.ok().and_then(Result::ok).unwrap_or_default();
        let bells = names.iter().filter(|name| parse(name).is_some());
        thread::scope(|scope| {
            for bell in bells.take(MAX_BELLS) {
                scope.spawn(|| ring(bell));
            }
        });
    };
    // Without a thread the owner sees the end a little later.
    let _ = thread::Builder::new()
        .name("bell".to_owned())
        .spawn(ring_all);
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bell_is_rung_by_who_knows_its_name() {
        let bell = Bell::listen("http://127.0.0.1:8088").unwrap();
        let name = bell.name();
        assert!(!name.contains(':'), "{name}");
        assert!(!bell.wait(Duration::from_millis(10)));
        let (address, secret) = parse(&name).unwrap();
        let wrong = name.replace(secret, &"0".repeat(32));
        // Who says nothing, or something else, does not ring it.
        let silent = TcpStream::connect(address).unwrap();
        ring(&wrong).unwrap();
        assert!(!bell.wait(Duration::from_millis(300)));
        drop(silent);
        ring(&name).unwrap();
        assert!(bell.wait(Duration::from_secs(60)));
        assert!(!bell.wait(Duration::from_millis(10)));
        drop(bell);
        assert!(ring(&name).is_err());
    }

    #[test]
    fn names_have_addresses_of_both_kinds() {
        for (name, expected) in [
            ("bell.ab.80.10.0.0.1", Some("10.0.0.1:80")),
            ("bell.ab.80.fe80__1", Some("[fe80::1]:80")),
            ("bell.ab.80", None),
            ("bell.ab.x.10.0.0.1", None),
            ("stdout", None),
        ] {
            let address = parse(name).map(|(address, _)| address.to_string());
            assert_eq!(address.as_deref(), expected, "{name}");
        }
    }
}
