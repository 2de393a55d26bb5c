//! The options of `serve`: those of the command line, then the site's, then the defaults.

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf};

use hpdlc_host::exit::RunError;
use tracing::level_filters::LevelFilter;

use crate::serve::{Serve, logging::Format, policy::Mode, tls};

/// `simple`, `token`, `kerberos`.
const AUTH: &str = "hpdl.server.auth";
/// Files in PEM.
const TLS_CERT: &str = "hpdl.server.tls.cert";
const TLS_KEY: &str = "hpdl.server.tls.key";
const LOG_LEVEL: &str = "hpdl.server.log.level";
const LOG_FORMAT: &str = "hpdl.server.log.format";
/// Open connections at once.
const CONNECTIONS: &str = "hpdl.server.connections.max";
const DEFAULT_CONNECTIONS: usize = 512;

/// How a server runs.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) listen: SocketAddr,
    pub(super) base: String,
    pub(super) mode: Mode,
    pub(super) tls: Option<tls::Files>,
    pub(super) recovers: bool,
    pub(super) log_level: LevelFilter,
    pub(super) log_format: Format,
    pub(super) most_connections: usize,
}

/// # Errors
///
/// Exit 2 if an option has no meaning, or if strangers could do everything and nobody has said that they may.
pub(super) fn of(given: &Serve, site: &BTreeMap<String, String>) -> Result<Options, RunError> {
    let setting = |name: &str| {
        let text = site.get(name).map(|text| text.trim());
        text.filter(|text| !text.is_empty())
    };
    let auth = given.auth.as_deref().or_else(|| setting(AUTH));
    let mode = mode(auth, given.listen, given.insecure)?;
    let file = |option: &Option<PathBuf>, name: &str| {
        let setting = || setting(name).map(PathBuf::from);
        option.clone().or_else(setting)
    };
    let tls = match (
        file(&given.tls_cert, TLS_CERT),
        file(&given.tls_key, TLS_KEY),
    ) {
        (None, None) => None,
        (Some(certificate), Some(key)) => Some(tls::Files { certificate, key }),
        (Some(_), None) => return Err(RunError::usage(format!("{TLS_CERT} needs {TLS_KEY}"))),
        (None, Some(_)) => return Err(RunError::usage(format!("{TLS_KEY} needs {TLS_CERT}"))),
    };
    let word = given.log_level.as_deref().or_else(|| setting(LOG_LEVEL));
    let log_level = match word.unwrap_or("info") {
        "error" => LevelFilter::ERROR,
        "warn" => LevelFilter::WARN,
        "info" => LevelFilter::INFO,
        "debug" => LevelFilter::DEBUG,
        other => return Err(wrong(LOG_LEVEL, other, "error, warn, info, debug")),
    };
    let word = given.log_format.as_deref().or_else(|| setting(LOG_FORMAT));
    let log_format = match word.unwrap_or("text") {
        "text" => Format::Text,
        "json" => Format::Json,
        other => return Err(wrong(LOG_FORMAT, other, "text, json")),
    };
    let most_connections = match setting(CONNECTIONS).map(|text| (text, text.parse())) {
        None => DEFAULT_CONNECTIONS,
        Some((_, Ok(n))) if n > 0 => n,
        Some((text, _)) => return Err(wrong(CONNECTIONS, text, "a number from 1 on")),
    };
    Ok(Options {
        listen: given.listen,
        base: given.base.clone(),
        mode,
        tls,
        recovers: !given.no_recover,
        log_level,
        log_format,
        most_connections,
    })
}

fn wrong(name: &str, value: &str, expected: &str) -> RunError {
    RunError::usage(format!("{name} is `{value}`; it is one of {expected}"))
}

/// Simple on this machine alone, tokens beyond it.
fn mode(auth: Option<&str>, listen: SocketAddr, insecure: bool) -> Result<Mode, RunError> {
    let is_here = listen.ip().is_loopback();
    match auth {
        None if is_here || insecure => Ok(Mode::Simple),
        None | Some("token") => Ok(Mode::Token),
        Some("simple") if is_here || insecure => Ok(Mode::Simple),
        Some("simple") => Err(RunError::usage(format!(
            "{listen} can be reached from other machines, and with simple authentication whoever reaches it may say who they are"
        ))
        .with_help("use tokens: --auth token, hpdl token new NAME; or listen on 127.0.0.1; or say --insecure")),
        Some("kerberos") => Ok(Mode::Kerberos),
        Some(other) => Err(wrong(AUTH, other, "simple, token, kerberos")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_need_a_proof_unless_they_are_let_in() {
        let here = "127.0.0.1:1".parse().unwrap();
        let there = "0.0.0.0:1".parse().unwrap();
        for (auth, listen, insecure, expected) in [
            (None, here, false, Some(Mode::Simple)),
            (None, there, false, Some(Mode::Token)),
            (None, there, true, Some(Mode::Simple)),
            (Some("token"), here, false, Some(Mode::Token)),
            (Some("token"), there, true, Some(Mode::Token)),
            (Some("simple"), here, false, Some(Mode::Simple)),
            (Some("simple"), there, false, None),
            (Some("simple"), there, true, Some(Mode::Simple)),
            (Some("kerberos"), here, false, Some(Mode::Kerberos)),
            (Some("kerberos"), there, false, Some(Mode::Kerberos)),
            (Some("Kerberos"), here, true, None),
            (Some("Token"), here, false, None),
        ] {
            assert_eq!(
                mode(auth, listen, insecure).ok(),
                expected,
                "{auth:?} {listen}"
            );
        }
        assert_eq!(
            mode(None, "[::1]:1".parse().unwrap(), false).ok(),
            Some(Mode::Simple)
        );
        assert_eq!(
            mode(None, "[::]:1".parse().unwrap(), false).ok(),
            Some(Mode::Token)
        );
    }
}
