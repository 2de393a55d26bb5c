//! TLS for our own connections: rustls with ring, and the certificates that the machine trusts.

use std::{net::TcpStream, sync::Arc};

use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, crypto::CryptoProvider,
    pki_types::ServerName,
};
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

use super::Stream;

/// The configuration for requests.
pub fn config() -> TlsConfig {
    let roots = rustls_native_certs::load_native_certs()
        .certs
        .into_iter()
        .map(|certificate| Certificate::from_der(&certificate).to_owned())
        .collect::<Vec<_>>();
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(provider())
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .build()
}

/// Sets up TLS with `host` over an open connection, whose timeouts remain in force.
///
/// # Errors
///
/// A message: the host name is invalid, or TLS cannot be set up. An untrusted host is detected only at the first read or write.
pub fn secure(stream: TcpStream, host: &str) -> Result<Box<dyn Stream>, String> {
    let failed = |error: rustls::Error| format!("TLS with {host}: {error}");
    let name = ServerName::try_from(host.to_owned())
        .map_err(|error| format!("TLS with {host}: {error}"))?;
    let mut roots = RootCertStore::empty();
    // Some of a machine's certificates are too old for rustls.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(failed)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connection = ClientConnection::new(Arc::new(config), name).map_err(failed)?;
    Ok(Box::new(StreamOwned::new(connection, stream)))
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}
