//! TLS to a server, by libpq's modes and files.

use std::{env, fs, path::PathBuf, sync::Arc};

use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime, pem::PemObject},
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How much is asked of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TlsMode {
    Disable,
    /// TLS if the server has it.
    Prefer,
    /// TLS; the certificate is verified if a root is named.
    Require,
    /// A certificate by a known root.
    VerifyCa,
    /// A certificate by a known root, for the host.
    VerifyFull,
}

impl TlsMode {
    pub(super) fn parse(word: &str) -> Result<TlsMode, String> {
        Ok(match word {
            "disable" => TlsMode::Disable,
            "allow" | "prefer" => TlsMode::Prefer,
            "require" => TlsMode::Require,
            "verify-ca" => TlsMode::VerifyCa,
            "verify-full" => TlsMode::VerifyFull,
            _ => {
                return Err(format!(
                    "sslmode is `{word}`; it is one of disable, prefer, require, verify-ca, verify-full"
                ));
            }
        })
    }
}

/// A variable of libpq; an empty one is none.
pub(super) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The files of certificates.
#[derive(Clone, Debug, Default)]
pub(super) struct TlsFiles {
    /// Of roots; `system` for those of the machine.
    pub(super) root: Option<String>,
    pub(super) certificate: Option<String>,
    pub(super) key: Option<String>,
}

impl TlsFiles {
    /// As libpq's variables and its folder in the user's home name them.
    pub(super) fn of_variables() -> TlsFiles {
        let usual = |name: &str| {
            let path = PathBuf::from(env::var_os("HOME")?)
                .join(".postgresql")
                .join(name);
            path.exists().then(|| path.display().to_string())
        };
        let named = |name: &str, file: &str| variable(name).or_else(|| usual(file));
        TlsFiles {
            root: named("PGSSLROOTCERT", "root.crt"),
            certificate: named("PGSSLCERT", "postgresql.crt"),
            key: named("PGSSLKEY", "postgresql.key"),
        }
    }

    pub(super) fn connector(&self, mode: TlsMode) -> Result<MakeRustlsConnect, String> {
        let provider = Arc::new(ring::default_provider());
        let lenient = |roots| Lenient {
            roots,
            provider: Arc::clone(&provider),
        };
        let verifier: Arc<dyn ServerCertVerifier> = match (mode, &self.root) {
            (TlsMode::Disable | TlsMode::Prefer, _) | (TlsMode::Require, None) => {
                Arc::new(lenient(None))
            }
            (TlsMode::Require | TlsMode::VerifyCa, _) => {
                Arc::new(lenient(Some(self.verifier(&provider)?)))
            }
            (TlsMode::VerifyFull, _) => self.verifier(&provider)?,
        };
        let wrong = |error: Error| format!("TLS: {error}");
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(wrong)?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let config = match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => {
                let certificates = certificates(certificate)?;
                let key = PrivateKeyDer::from_pem_file(key).map_err(|it| format!("{key}: {it}"))?;
                config
                    .with_client_auth_cert(certificates, key)
                    .map_err(wrong)?
            }
            _ => config.with_no_client_auth(),
        };
        Ok(MakeRustlsConnect::new(config))
    }

    fn verifier(
        &self,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Arc<WebPkiServerVerifier>, String> {
        let mut roots = RootCertStore::empty();
        match self.root.as_deref() {
            None | Some("system") => {
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
            Some(path) => {
                for certificate in certificates(path)? {
                    roots
                        .add(certificate)
                        .map_err(|error| format!("{path}: {error}"))?;
                }
            }
        }
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
            .build()
            .map_err(|error| format!("the roots of TLS: {error}"))
    }
}

fn certificates(path: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let wrong = |problem: String| format!("{path}: {problem}");
    let pem = fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match all {
        Ok(all) if !all.is_empty() => Ok(all),
        Ok(_) => Err(wrong("there is no certificate in it".to_owned())),
        Err(error) => Err(wrong(error.to_string())),
    }
}

/// Verifies less than a certificate for the host, as libpq does unless it is asked for more.
#[derive(Debug)]
struct Lenient {
    /// By which the certificate is verified but for the name in it; without it every one is accepted: against listeners, not against
    /// impostors.
    roots: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(roots) = &self.roots else {
            return Ok(ServerCertVerified::assertion());
        };
        match roots.verify_server_cert(certificate, others, name, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
