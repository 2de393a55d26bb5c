//! Network connections other than file systems: TLS, and a single GET over HTTP.
//!
//! TLS is linked only if something refers to it: `main` of a program whose actions need it, and the `full` runtime.

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::OnceLock,
};

pub mod http_get;
pub mod proxy;
pub mod tls;

/// A bidirectional connection.
pub trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

/// Sets up TLS over a connection to the named host.
pub type Secure = fn(TcpStream, &str) -> Result<Box<dyn Stream>, String>;

/// TLS of programs that always have it: the `full` runtime uses it for file systems.
pub const BUILT_IN: Option<Secure> = if cfg!(feature = "full") {
    Some(tls::secure)
} else {
    None
};

/// Set by `main` at startup.
static LINKED: OnceLock<Option<Secure>> = OnceLock::new();

/// Sets this program's TLS; only the first call has an effect.
pub fn link(secure: Option<Secure>) {
    let _ = LINKED.set(secure);
}

/// This program's TLS, if it has any.
pub fn secure() -> Option<Secure> {
    LINKED.get().copied().unwrap_or(BUILT_IN)
}
