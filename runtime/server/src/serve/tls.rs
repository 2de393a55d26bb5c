//! TLS: the certificate and the key of the server, by rustls.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use hpdlc_host::{clock, exit::RunError};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, UnixTime, pem::PemObject},
};
use tokio_rustls::TlsAcceptor;
use webpki::{EndEntityCert, Error, KeyUsage};

/// Files in PEM.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// The certificate of the server, then those between it and one that clients trust.
    pub(crate) certificate: PathBuf,
    pub(crate) key: PathBuf,
}

/// What accepts connections with TLS 1.2 and 1.3.
///
/// # Errors
///
/// Exit 2 if a file cannot be read or has no certificate or key, if they do not belong together, or if the certificate is not valid now.
pub(crate) fn acceptor(files: &Files) -> Result<TlsAcceptor, RunError> {
    let chain = certificates(&files.certificate)?;
    let key = key(&files.key)?;
    let (certificate, key_file) = (files.certificate.display(), files.key.display());
    let provider = Arc::new(ring::default_provider());
    check_time(&chain, &files.certificate)?;
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| RunError::machine(format!("TLS: {error}")))?
        .with_no_client_auth()
        .with_single_cert(chain, key);
    let mut config = config.map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => RunError::usage(format!(
            "the key {key_file} is not that of the certificate {certificate}"
        ))
        .with_help("the first certificate in the file is the server's own"),
        error => RunError::usage(format!("{certificate}, {key_file}: {error}")),
    })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn read(path: &Path) -> Result<Vec<u8>, RunError> {
    fs::read(path).map_err(|error| RunError::usage(format!("{}: {error}", path.display())))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, RunError> {
    let shown = path.display();
    let text = read(path)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let found = found.map_err(|error| RunError::usage(format!("{shown}: {error}")))?;
    match found.is_empty() {
        false => Ok(found),
        true => Err(
            RunError::usage(format!("{shown} has no certificate in PEM"))
                .with_help("it begins with -----BEGIN CERTIFICATE-----"),
        ),
    }
}

fn key(path: &Path) -> Result<PrivateKeyDer<'static>, RunError> {
    let text = read(path)?;
    PrivateKeyDer::from_pem_slice(&text).map_err(|error| {
        RunError::usage(format!(
            "{} has no private key in PEM that can be read: {error}",
            path.display()
        ))
        .with_help("an encrypted key has to be decrypted first: openssl pkey -in KEY -out FILE")
    })
}

/// Refuses a certificate that no client would accept because of its time.
fn check_time(chain: &[CertificateDer<'_>], path: &Path) -> Result<(), RunError> {
    let shown = path.display();
    let wrong = |problem: String| RunError::usage(format!("certificate {shown} {problem}"));
    let Some(own) = chain.first() else {
        return Ok(());
    };
    let certificate =
        EndEntityCert::try_from(own).map_err(|error| wrong(format!("cannot be used: {error}")))?;
    let algorithms = ring::default_provider().signature_verification_algorithms;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = UnixTime::since_unix_epoch(now.unwrap_or_default());
    // Its time is checked before who has signed it, which is for clients to judge.
    let verified = certificate.verify_for_usage(
        algorithms.all,
        &[],
        &chain[1..],
        now,
        KeyUsage::server_auth(),
        None,
        None,
    );
    let shown = |time: UnixTime| {
        let millis = i64::try_from(time.as_secs()).ok();
        let millis = millis.and_then(|seconds| seconds.checked_mul(1000));
        millis.and_then(clock::format_millis).unwrap_or_default()
    };
    match verified.err() {
        Some(Error::CertExpired { not_after, .. }) => {
            Err(wrong(format!("has expired at {}", shown(not_after))))
        }
        Some(Error::CertNotValidYet { not_before, .. }) => {
            Err(wrong(format!("is valid from {} on", shown(not_before))))
        }
        _ => Ok(()),
    }
}
