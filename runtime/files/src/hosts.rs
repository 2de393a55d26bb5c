//! Common parts of remote file systems: Hadoop's configuration files, a time limit, and a thread for their connections.
//!
//! The callers are synchronous, the clients are not. Calls run on a small async runtime and are waited for by the calling thread,
//! so that a missing response blocks no caller longer than the time limit, and a killed job not even that long.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    env,
    future::Future,
    io,
    path::{Path, PathBuf},
    sync::{
        Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use hpdlc_core::substitute;
use hpdlc_host::secret_values;
use reqwest::Client;
use tokio::runtime::{Handle, Runtime};

use crate::{access_settings::AccessSettings, clusters, error::Fault, kerberos};

/// How often a waiting thread checks whether it was canceled.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The default time limit of one request.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Parameters of requests to a remote file system.
#[derive(Clone, Debug)]
pub struct Hosts<'a> {
    pub settings: &'a AccessSettings,
    is_canceled: &'a AtomicBool,
}

impl<'a> Hosts<'a> {
    pub fn new(settings: &'a AccessSettings, is_canceled: &'a AtomicBool) -> Hosts<'a> {
        Hosts {
            settings,
            is_canceled,
        }
    }

    /// Hadoop's properties: `core-site.xml` and `hdfs-site.xml` of the folder that `HADOOP_CONF_DIR` names, or that belongs to
    /// `HADOOP_HOME`, overridden by the site, the job and the action.
    ///
    /// # Errors
    ///
    /// If an existing file cannot be read, or a secret that a property refers to.
    pub fn properties(&self) -> io::Result<BTreeMap<String, String>> {
        let mut properties = clusters::site_properties(&["core-site.xml", "hdfs-site.xml"])?;
        properties.extend(self.settings.properties.clone());
        // Values with a cyclic reference are left unchanged.
        let mut properties = substitute::resolve_all(&properties).unwrap_or(properties);
        for value in properties.values_mut() {
            let secret = secret_values::resolved(value).map_err(io::Error::other)?;
            if let Cow::Owned(secret) = secret {
                *value = secret;
            }
        }
        Ok(properties)
    }

    /// Whether the caller has canceled the operation.
    pub fn is_canceled(&self) -> bool {
        self.is_canceled.load(Ordering::Relaxed)
    }

    /// The user that the servers see: the proxied one, otherwise that of the ticket where one is asked for, otherwise `HADOOP_USER_NAME`,
    /// otherwise the user that runs the program. Without a ticket the servers see nobody, and say so.
    pub fn user(&self) -> String {
        let proved = || {
            let is_asked = kerberos::is_asked_by(self.settings);
            is_asked.then(kerberos::user).and_then(Result::ok)
        };
        let named = || {
            env::var("HADOOP_USER_NAME")
                .ok()
                .filter(|name| !name.is_empty())
        };
        self.settings
            .user
            .clone()
            .or_else(proved)
            .or_else(named)
            .unwrap_or_else(hpdlc_host::user::name)
    }

    /// Runs `call` on the connection thread and waits for its result.
    ///
    /// # Errors
    ///
    /// Those of the call; [`Fault::Interrupted`] after the time limit, and [`Fault::Canceled`] soon after the flag is set.
    pub fn wait<T: Send + 'static>(
        &self,
        call: impl Future<Output = io::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let limit = self
            .settings
            .timeout
            .map_or(TIME_LIMIT, Duration::from_secs);
        let task = handle()?.spawn(async move {
            // The receiver is gone if the caller has given up.
            let _ = sender.send(call.await);
        });
        let begun = Instant::now();
        loop {
            match receiver.recv_timeout(LOOK_AGAIN) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => {
                    let message = "the client broke off, as if the answer made no sense to it";
                    return Err(Fault::Interrupted.error(message));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.is_canceled.load(Ordering::Relaxed) {
                task.abort();
                return Err(Fault::Canceled.error("the request was canceled"));
            }
            if begun.elapsed() > limit {
                task.abort();
                let message = format!("no answer within {} s (hpdl.fs.timeout)", limit.as_secs());
                return Err(Fault::Interrupted.error(message));
            }
        }
    }
}

/// The trash of the user with this home folder, if Hadoop's trash interval is set.
///
/// # Errors
///
/// If there is none.
pub fn trash_of(properties: &BTreeMap<String, String>, home: &Path) -> io::Result<PathBuf> {
    let interval = properties
        .get("fs.trash.interval")
        .and_then(|minutes| minutes.trim().parse::<f64>().ok());
    if interval.is_some_and(|minutes| minutes > 0.0) {
        return Ok(home.join(".Trash"));
    }
    Err(io::Error::other(
        "there is no trash, because fs.trash.interval is 0 in core-site.xml",
    ))
}

/// The async runtime of all connections in this process.
pub fn handle() -> io::Result<Handle> {
    static RUNTIME: Mutex<Option<Runtime>> = Mutex::new(None);
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = &*runtime {
        return Ok(runtime.handle().clone());
    }
    let made = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("hpdl-files")
        .enable_all()
        .build()?;
    let handle = made.handle().clone();
    *runtime = Some(made);
    Ok(handle)
}

/// Makes ring the TLS provider. Must be called before any client is created.
pub fn install_tls() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Other code in the program may have chosen one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// The HTTP client for Hadoop's services. It connects to them directly, whatever proxies are configured for other URLs.
///
/// # Errors
///
/// If the client cannot be created on this machine.
pub fn http_client() -> io::Result<Client> {
    static CLIENT: Mutex<Option<Client>> = Mutex::new(None);
    let mut client = CLIENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(client) = &*client {
        return Ok(client.clone());
    }
    install_tls();
    let made = Client::builder()
        .no_proxy()
        .build()
        .map_err(|error| io::Error::other(error.to_string()))?;
    *client = Some(made.clone());
    Ok(made)
}

/// A cache of clients by the parameters that they were created with.
pub(crate) struct Clients<C> {
    made: Mutex<Vec<(ClientKey, C)>>,
}

/// Everything that a client depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientKey {
    pub uri: String,
    pub user: String,
    pub properties: BTreeMap<String, String>,
}

impl<C: Clone> Clients<C> {
    pub const fn new() -> Clients<C> {
        Clients {
            made: Mutex::new(Vec::new()),
        }
    }

    /// The client for `key`, created by `make` the first time.
    pub fn get(&self, key: &ClientKey, make: impl FnOnce() -> io::Result<C>) -> io::Result<C> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, client)) = made.iter().find(|(known, _)| known == key) {
            return Ok(client.clone());
        }
        let client = make()?;
        // Settings rarely differ within a process; if they do, the oldest client is evicted.
        if made.len() >= MAX_CLIENTS {
            made.remove(0);
        }
        made.push((key.clone(), client.clone()));
        Ok(client)
    }
}

const MAX_CLIENTS: usize = 32;

#[cfg(test)]
mod tests {
    use std::{future, sync::atomic::AtomicBool, time::Duration};

    use super::*;

    fn settings(timeout: u64) -> AccessSettings {
        AccessSettings {
            timeout: Some(timeout),
            ..AccessSettings::default()
        }
    }

    #[test]
    fn an_answer_that_never_comes_is_a_transient_failure() {
        let settings = settings(0);
        let running = AtomicBool::new(false);
        let hosts = Hosts::new(&settings, &running);
        let error = hosts
            .wait(future::pending::<io::Result<()>>())
            .expect_err("no answer");
        assert_eq!(Fault::of(&error), Some(&Fault::Interrupted));
        assert_eq!(error.to_string(), "no answer within 0 s (hpdl.fs.timeout)");
    }

    #[test]
    fn a_killed_job_waits_for_no_answer() {
        let settings = settings(600);
        let canceled = AtomicBool::new(false);
        let hosts = Hosts::new(&settings, &canceled);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                canceled.store(true, Ordering::Relaxed);
            });
            let error = hosts
                .wait(future::pending::<io::Result<()>>())
                .expect_err("canceled");
            assert_eq!(Fault::of(&error), Some(&Fault::Canceled));
        });
    }

    #[test]
    fn a_client_that_panics_is_a_failure_of_that_call() {
        let settings = settings(600);
        let running = AtomicBool::new(false);
        let hosts = Hosts::new(&settings, &running);
        let error = hosts
            .wait(async {
                if settings_are_odd() {
                    panic!("the server has said something odd");
                }
                Ok(())
            })
            .expect_err("a panic");
        assert_eq!(Fault::of(&error), Some(&Fault::Interrupted));
        hosts.wait(async { Ok(1) }).expect("the next call works");
    }

    fn settings_are_odd() -> bool {
        true
    }
}
