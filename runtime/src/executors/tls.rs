//! TLS as our own connections use it: rustls on ring, and the certificates that the machine trusts.

use std::sync::Arc;

use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

/// For requests.
pub fn config() -> TlsConfig {
    let roots = rustls_native_certs::load_native_certs()
        .certs
        .into_iter()
        .map(|certificate| Certificate::from_der(&certificate).to_owned())
        .collect::<Vec<_>>();
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .build()
}
