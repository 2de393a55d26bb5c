//! Callbacks: the URLs that `wf:callback` gives to actions, and the listener that answers them.
//!
//! A URL names the job, the node and an unguessable token: a keyed hash (HMAC), so that nothing has to be stored when a URL
//! is made, and any process of the state folder can verify it. A callback is only a hint to check the action's state
//! (`CallbackServlet`): it decides nothing. Local processes report their own end; the job's log shows who called. Only
//! an `http` action that waits for its callback is ended by it.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    net::{SocketAddr, TcpListener, ToSocketAddrs},
};

use hmac::{Hmac, Mac};
use hpdlc_host::{
    home::{Home, private_file, secret},
    settings,
};
use hpdlc_launcher::Attempt;
use hpdlc_store::callbacks::CallbackSubject;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq;

mod callers;
mod listener;
mod request;

pub use self::{
    listener::{ensure, take},
    request::{CallbackRequest, RequestRefusal},
};

/// The listener's default address (`hpdl.callback.listen`): loopback only, unless the site sets another.
const LOOPBACK: &str = "127.0.0.1";

const LISTEN: &str = "hpdl.callback.listen";
const BASE_URL: &str = "hpdl.callback.base.url";

/// The callbacks of a state folder.
#[derive(Clone, Debug)]
pub struct Callbacks {
    home: Home,
}

/// A received callback, for the action that waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Callback {
    /// The `status` of the URL's query.
    pub state: String,
    pub content_type: Option<String>,
    pub body: String,
}

impl Callback {
    /// The callback of an attempt, if it has arrived.
    ///
    /// # Errors
    ///
    /// The file exists and cannot be read.
    pub fn of(attempt: &Attempt) -> io::Result<Option<Callback>> {
        match fs::read(attempt.beside("callback")) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes it where the action looks for it; the first one is kept.
    fn keep(&self, attempt: &Attempt) -> io::Result<()> {
        private_file::appear(&attempt.beside("callback"), &serde_json::to_vec(self)?)
    }
}

impl From<&request::CallbackRequest> for Callback {
    fn from(request: &request::CallbackRequest) -> Callback {
        Callback {
            state: request.state.clone(),
            content_type: request.content_type.clone(),
            body: request.body.clone(),
        }
    }
}

impl Callbacks {
    pub fn new(home: &Home) -> Callbacks {
        Callbacks { home: home.clone() }
    }

    /// The callback URL of an action, with `state` in it verbatim. Starts the listener.
    ///
    /// # Errors
    ///
    /// What cannot be read, written or listened at, as a message for the user.
    pub fn url(&self, subject: CallbackSubject<'_>, state: &str) -> Result<String, String> {
        let site = settings::site(&self.home).map_err(|error| error.message)?;
        let address = self.address(&site)?;
        listener::ensure(&self.home)?;
        let base = match site.get(BASE_URL).map(|base| base.trim()) {
            Some(base) if !base.is_empty() => base.trim_end_matches('/').to_owned(),
            Some(_) | None => format!("http://{address}"),
        };
        Ok(format!(
            "{base}/callback?id={}@{}&status={state}&token={}",
            subject.job,
            subject.node,
            self.token(subject)?
        ))
    }

    /// The token of an action in one run of its job: HMAC-SHA256 (RFC 2104) of job, run and node, in hexadecimal.
    fn token(&self, subject: CallbackSubject<'_>) -> Result<String, String> {
        let path = self.home.callback_key();
        let key = secret::of(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !self.home.has_callbacks() {
            let mark = self.home.callback_mark();
            File::create(&mark).map_err(|error| format!("{}: {error}", mark.display()))?;
        }
        let message = format!("{}\0{}\0{}", subject.job, subject.run, subject.node);
        let mut mac = Hmac::<Sha256>::new_from_slice(&key)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        mac.update(message.as_bytes());
        Ok(format!("{:x}", mac.finalize().into_bytes()))
    }

    /// Whether `token` is that of the action. Compares in constant time.
    fn is_token(&self, subject: CallbackSubject<'_>, token: &str) -> Result<bool, String> {
        let expected = self.token(subject)?;
        Ok(expected.as_bytes().ct_eq(token.as_bytes()).into())
    }

    /// The address to listen at. The port is chosen once per state folder and stored: URLs outlive the process that made them.
    fn address(&self, site: &BTreeMap<String, String>) -> Result<SocketAddr, String> {
        let listen = site
            .get(LISTEN)
            .map(|listen| listen.trim())
            .unwrap_or_default();
        let (host, port) = match listen.rsplit_once(':') {
            Some((host, port)) => {
                let port = port
                    .parse::<u16>()
                    .map_err(|_| format!("{LISTEN}: {listen} has no port"))?;
                (host.trim_start_matches('[').trim_end_matches(']'), port)
            }
            None if listen.is_empty() => (LOOPBACK, 0),
            None => (listen, 0),
        };
        let port = match port {
            0 => self.port(host)?,
            port => port,
        };
        let mut addresses = (host, port)
            .to_socket_addrs()
            .map_err(|error| format!("{LISTEN}: {host}: {error}"))?;
        addresses
            .next()
            .ok_or_else(|| format!("{LISTEN}: {host} has no address"))
    }

    fn port(&self, host: &str) -> Result<u16, String> {
        let path = self.home.callback_port();
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        for _ in 0..2 {
            match fs::read_to_string(&path) {
                Ok(text) => {
                    return text
                        .trim()
                        .parse()
                        .map_err(|_| format!("{} holds no port: remove it", path.display()));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(error)),
            }
            // A port that is free now; if another process takes it first, listening on it reports that.
            let port = TcpListener::bind((host, 0))
                .and_then(|listener| listener.local_addr())
                .map_err(|error| format!("{LISTEN}: {host}: {error}"))?
                .port();
            private_file::appear(&path, port.to_string().as_bytes()).map_err(failed)?;
        }
        Err(format!(
            "{} disappears after it was written",
            path.display()
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn callbacks() -> (tempfile::TempDir, Callbacks) {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        let home = Home::open_at(folder.path().to_owned()).unwrap();
        (folder, Callbacks::new(&home))
    }

    const SUBJECT: CallbackSubject<'_> = CallbackSubject {
        job: "1-W",
        run: 0,
        node: "a",
    };

    #[test]
    fn a_token_is_that_of_one_action_in_one_run_of_one_state_folder() {
        let (_folder, callbacks) = callbacks();
        let token = callbacks.token(SUBJECT).unwrap();
        assert_eq!(token.len(), 64);
        assert_eq!(callbacks.is_token(SUBJECT, &token), Ok(true));
        let others = [
            CallbackSubject {
                job: "2-W",
                ..SUBJECT
            },
            CallbackSubject { run: 1, ..SUBJECT },
            CallbackSubject {
                node: "b",
                ..SUBJECT
            },
        ];
        for other in others {
            assert_eq!(callbacks.is_token(other, &token), Ok(false), "{other:?}");
        }
        assert_eq!(callbacks.is_token(SUBJECT, &token[1..]), Ok(false));
        assert_eq!(callbacks.is_token(SUBJECT, ""), Ok(false));
        let (_other_folder, others) = self::callbacks();
        assert_eq!(others.is_token(SUBJECT, &token), Ok(false));
    }

    /// URLs that an older version has given to actions must still be accepted.
    #[test]
    fn a_token_stays_the_same() {
        let (_folder, callbacks) = callbacks();
        fs::write(callbacks.home.callback_key(), [b'k'; 32]).unwrap();
        let token = callbacks.token(SUBJECT).unwrap();
        let expected = "f916d2b8c0f34e52c1ede0d32c4b3b6c82c09a55c80e0fd74e97a539e6256c33";
        assert_eq!(token, expected);
    }

    #[test]
    fn the_port_is_chosen_once_and_the_secret_is_private() {
        let (_folder, callbacks) = callbacks();
        let none = BTreeMap::new();
        let address = callbacks.address(&none).unwrap();
        assert!(address.ip().is_loopback());
        assert_eq!(callbacks.address(&none), Ok(address));
        callbacks.token(SUBJECT).unwrap();
        let mode = fs::metadata(callbacks.home.callback_key())
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        let site = |listen: &str| BTreeMap::from([(LISTEN.to_owned(), listen.to_owned())]);
        let open = callbacks.address(&site("0.0.0.0:8123")).unwrap();
        assert_eq!(open.to_string(), "0.0.0.0:8123");
        assert!(callbacks.address(&site("0.0.0.0:many")).is_err());
    }
}
