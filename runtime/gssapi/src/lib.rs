//! Accepts and makes Kerberos and SPNEGO tokens by the system's GSSAPI (RFC 2743, 2744, 4178): MIT Kerberos, loaded at run time, so that a program
//! needs it only where it is used.
//!
//! [`Acceptor`] and [`Initiator`] are safe. What calls the library is in `native`, the one file of the repository with code that the compiler cannot check.

#[expect(
    unsafe_code,
    reason = "GSSAPI is a library of C, and there is no other way to call it"
)]
mod native;

use std::{ffi::CString, fmt, path::Path, sync::OnceLock};

/// The file that is loaded: MIT Kerberos as distributions install it.
pub const LIBRARY: &str = "libgssapi_krb5.so.2";

/// A service that clients prove to who they are.
#[derive(Debug)]
pub struct Acceptor {
    library: native::Library,
    keytab: CString,
    principal: CString,
}

/// A client that has proved who it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The principal of the client: `ada@SITE` or `ada/host@SITE`.
    pub client: String,
    /// What proves to the client who the service is; empty if it has not asked.
    pub answer: Vec<u8>,
}

impl Acceptor {
    /// A service with a principal, such as `HTTP/etl.example@SITE`, and the file with its key. The file is read here for the first time, and
    /// again for each client, so that a new key counts at once.
    ///
    /// # Errors
    ///
    /// What the dynamic linker or the library says: there is no library, the file cannot be read, or it has no key of the principal.
    pub fn new(keytab: &Path, principal: &str) -> Result<Acceptor, String> {
        let nul = |_| "a name contains a NUL".to_owned();
        let acceptor = Acceptor {
            library: native::Library::load(LIBRARY)?,
            keytab: CString::new(format!("FILE:{}", keytab.display())).map_err(nul)?,
            principal: CString::new(principal).map_err(nul)?,
        };
        acceptor
            .library
            .check(&acceptor.keytab, &acceptor.principal)?;
        Ok(acceptor)
    }

    /// Accepts a token of a client, the first and only one: a mechanism with further rounds is refused.
    ///
    /// # Errors
    ///
    /// What the library says: the token is not one, is of another service, has expired, or was sent before.
    pub fn accept(&self, token: &[u8]) -> Result<Accepted, String> {
        let accepted = self.library.accept(&self.keytab, &self.principal, token)?;
        Ok(Accepted {
            client: accepted.client,
            answer: accepted.answer,
        })
    }
}

/// Proves to one service who the owner of the process's ticket is: the ticket that `kinit` has stored, or `KRB5CCNAME` names.
pub struct Initiator {
    begun: native::Initiation<'static>,
}

/// The library for all initiators, which is loaded once there is one.
fn library() -> Result<&'static native::Library, String> {
    static LOADED: OnceLock<native::Library> = OnceLock::new();
    match LOADED.get() {
        Some(library) => Ok(library),
        None => {
            let loaded = native::Library::load(LIBRARY)?;
            Ok(LOADED.get_or_init(|| loaded))
        }
    }
}

/// The principal of the process's ticket: `ada@SITE`.
///
/// # Errors
///
/// What the dynamic linker or the library says: there is no library or no ticket, or that has expired.
pub fn principal() -> Result<String, String> {
    library()?.principal()
}

impl Initiator {
    /// Begins to prove it to a service such as `HTTP@host`. May ask a KDC.
    ///
    /// # Errors
    ///
    /// What the dynamic linker or the library says: there is no library or no ticket, that has expired, no KDC answers, or it knows no such
    /// service.
    pub fn new(service: &str) -> Result<Initiator, String> {
        Ok(Initiator {
            begun: library()?.initiate(service)?,
        })
    }

    /// The principal of the ticket.
    pub fn principal(&self) -> &str {
        &self.begun.principal
    }

    /// What the service is sent. It is a secret.
    pub fn token(&self) -> &[u8] {
        &self.begun.token
    }

    /// Checks what the service has answered: it proves that it is the service.
    ///
    /// # Errors
    ///
    /// It does not.
    pub fn finish(mut self, answer: &[u8]) -> Result<(), String> {
        self.begun.go_on(answer).map(drop)
    }
}

/// Without the token.
impl fmt::Debug for Initiator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Initiator")
            .field("principal", &self.begun.principal)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also where there is no Kerberos: then the error says what is missing.
    #[test]
    fn a_service_without_a_key_is_refused() {
        let error = Acceptor::new(Path::new("/nowhere/http.keytab"), "HTTP/localhost@SITE");
        let error = error.map(drop).unwrap_err();
        let is_said = error.contains(LIBRARY) || error.contains("/nowhere/http.keytab");
        assert!(is_said, "{error}");
        let nul = Acceptor::new(Path::new("x"), "a\0b");
        assert!(nul.is_err());
    }

    /// Also where there is no Kerberos, and no ticket.
    #[test]
    fn without_a_ticket_for_a_service_nothing_is_proved() {
        let error = Initiator::new("HTTP@nowhere.invalid").unwrap_err();
        assert!(!error.is_empty());
        assert!(Initiator::new("").is_err());
    }

    #[test]
    fn a_library_that_is_missing_is_named() {
        let error = native::Library::load("libnowhere.so.7")
            .map(drop)
            .unwrap_err();
        assert!(error.contains("libnowhere.so.7"), "{error}");
        // One without the functions of GSSAPI.
        let error = native::Library::load("libc.so.6").map(drop).unwrap_err();
        assert!(error.contains("gss_"), "{error}");
    }
}
