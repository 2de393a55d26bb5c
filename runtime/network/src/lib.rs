//! Connections to other machines that are no file systems: TLS, and one GET over HTTP.
//!
//! TLS is linked only where something names it: `main` of a program whose actions need it, and the `full` runtime.

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::OnceLock,
};

pub mod http_get;
pub mod proxy;
pub mod tls;

/// A connection, open in both directions.
pub trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

/// Speaks TLS over a connection to the host that is named.
pub type Secure = fn(TcpStream, &str) -> Result<Box<dyn Stream>, String>;

/// TLS where every program has it: the `full` runtime speaks it with file systems.
pub const BUILT_IN: Option<Secure> = if cfg!(feature = "full") {
    Some(tls::secure)
} else {
    None
};

/// What `main` began with.
static LINKED: OnceLock<Option<Secure>> = OnceLock::new();

/// Makes it this program's TLS; the first call counts.
pub fn link(secure: Option<Secure>) {
    let _ = LINKED.set(secure);
}

/// This program's TLS, where it has some.
pub fn secure() -> Option<Secure> {
    LINKED.get().copied().unwrap_or(BUILT_IN)
}
