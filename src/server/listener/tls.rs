//! The certificate, and its renewal while the server runs.
//!
//! Certificates of Let's Encrypt live for weeks, and renewal tools just write new files. So
//! the two files are checked every few seconds; after a change, new connections use the new
//! certificate, and existing connections keep theirs. A certificate that is only expected may be missing until then. Invalid files (half written, or
//! the key of another certificate) leave the current certificate in use, and are logged once.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, SystemTime},
};

use rustls::{
    InconsistentKeys, ServerConfig,
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
};

/// The interval between checks of the files: two `stat` calls, and a renewal is noticed before the administrator
/// tries it out.
const PERIOD: Duration = Duration::from_secs(5);

/// What is wrong with the certificate or its key, for the administrator.
#[derive(Debug, thiserror::Error)]
pub enum TlsProblem {
    #[error("The certificate file {file} cannot be read: {reason}.")]
    Certificate { file: PathBuf, reason: String },
    #[error("The key file {file} cannot be read: {reason}.")]
    Key { file: PathBuf, reason: String },
    #[error("The key in {key} does not belong to the certificate in {certificate}.")]
    Mismatch { certificate: PathBuf, key: PathBuf },
    #[error("The certificate in {certificate} and the key in {key} cannot be used: {reason}.")]
    Unusable {
        certificate: PathBuf,
        key: PathBuf,
        reason: String,
    },
}

/// A certificate chain and its key from two PEM files, reloaded when the files change.
pub struct TlsReloader {
    certificate: PathBuf,
    key: PathBuf,
    /// `None` until there is a certificate.
    current: RwLock<Option<Arc<ServerConfig>>>,
    seen: Mutex<[Stamp; 2]>,
}

/// Identifies a version of a file without reading it; `None` if it doesn't exist.
type Stamp = Option<(SystemTime, u64)>;

impl TlsReloader {
    pub fn open(
        certificate: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Result<Self, TlsProblem> {
        let (certificate, key) = (certificate.into(), key.into());
        // Before reading, so that a change in between is noticed later.
        let seen = [stamp(&certificate), stamp(&key)];
        let current = load(&certificate, &key)?;
        Ok(Self {
            certificate,
            key,
            current: RwLock::new(Some(Arc::new(current))),
            seen: Mutex::new(seen),
        })
    }

    /// A certificate and its key in one file, which may not exist yet. Until it can be read, no connection is accepted.
    pub fn expect(file: impl Into<PathBuf>) -> Self {
        let file = file.into();
        let expecting = Self {
            certificate: file.clone(),
            key: file,
            current: RwLock::default(),
            seen: Mutex::default(),
        };
        if let Err(problem) = expecting.reload_if_changed() {
            tracing::warn!(%problem, "the TLS certificate is not used");
        }
        expecting
    }

    /// The configuration for the next connection; `None` while there is no certificate.
    #[must_use]
    pub fn config(&self) -> Option<Arc<ServerConfig>> {
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Reads the files again if they changed since the last check; returns whether
    /// a new certificate is in use. After an error the previous one stays in use.
    pub fn reload_if_changed(&self) -> Result<bool, TlsProblem> {
        let stamps = [stamp(&self.certificate), stamp(&self.key)];
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == stamps {
            return Ok(false);
        }
        *seen = stamps;
        let config = load(&self.certificate, &self.key)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(config));
        Ok(true)
    }

    /// Reloads the certificate whenever it changes. Never returns.
    pub(super) async fn watch(self: Arc<Self>) {
        loop {
            tokio::time::sleep(PERIOD).await;
            let this = Arc::clone(&self);
            match tokio::task::spawn_blocking(move || this.reload_if_changed()).await {
                Ok(Ok(true)) => tracing::info!("the TLS certificate was renewed"),
                Ok(Ok(false)) => {}
                Ok(Err(problem)) => {
                    tracing::warn!(%problem, "the new TLS certificate is not used");
                }
                Err(error) => tracing::warn!(%error, "the TLS files could not be looked at"),
            }
        }
    }
}

fn stamp(file: &Path) -> Stamp {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

fn load(certificate: &Path, key: &Path) -> Result<ServerConfig, TlsProblem> {
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .and_then(|chain| {
            if chain.is_empty() {
                Err(pem::Error::NoItemsFound)
            } else {
                Ok(chain)
            }
        })
        .map_err(|error| TlsProblem::Certificate {
            file: certificate.to_owned(),
            reason: reason(certificate, &error, "a certificate"),
        })?;
    let key_problem = |reason| TlsProblem::Key {
        file: key.to_owned(),
        reason,
    };
    let private_key = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| key_problem(reason(key, &error, "a private key")))?;
    if let Some(unsupported) = unsupported(&private_key) {
        return Err(key_problem(unsupported.to_owned()));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring supports the versions that rustls deems safe")
        .with_no_client_auth()
        .with_single_cert(chain, private_key)
        .map_err(|error| match error {
            rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                TlsProblem::Mismatch {
                    certificate: certificate.to_owned(),
                    key: key.to_owned(),
                }
            }
            _ => TlsProblem::Unusable {
                certificate: certificate.to_owned(),
                key: key.to_owned(),
                reason: error.to_string(),
            },
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// Why ring can't use a key, if it can't. The key itself is found in the DER by the object identifier of its algorithm.
fn unsupported(key: &PrivateKeyDer<'_>) -> Option<&'static str> {
    /// 1.3.132.0.35 (RFC 5480, section 2.1.1.1), with its tag and length.
    const SECP521R1: [u8; 7] = [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23];
    /// 1.2.840.113549.1.1.1 (RFC 8017, appendix A.1).
    const RSA: [u8; 11] = [
        0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01,
    ];
    /// A key of 2048 bits has at least nine numbers of 128 bytes.
    const SMALLEST_RSA: usize = 9 * 128;
    let der = key.secret_der();
    let has = |identifier: &[u8]| {
        der.windows(identifier.len())
            .any(|found| found == identifier)
    };
    let is_rsa = matches!(key, PrivateKeyDer::Pkcs1(_))
        || matches!(key, PrivateKeyDer::Pkcs8(_)) && has(&RSA);
    if !is_rsa && has(&SECP521R1) {
        Some("it is a key on the curve P-521, which is not supported; P-256 is")
    } else if is_rsa && der.len() < SMALLEST_RSA {
        Some("it is an RSA key of fewer than 2048 bits")
    } else {
        None
    }
}

fn reason(file: &Path, error: &pem::Error, wanted: &str) -> String {
    match error {
        pem::Error::Io(error) if error.kind() == io::ErrorKind::NotFound => {
            return "there is no such file".to_owned();
        }
        pem::Error::Io(error) => return error.kind().to_string(),
        _ => {}
    }
    let bytes = fs::read(file).unwrap_or_default();
    let has = |text: &str| {
        bytes
            .windows(text.len())
            .any(|found| found == text.as_bytes())
    };
    if bytes.starts_with(b"\xef\xbb\xbf") || bytes.starts_with(b"\xff\xfe") {
        return "it begins with a byte order mark; save it as plain text without one".to_owned();
    }
    if has("ENCRYPTED PRIVATE KEY") || has("Proc-Type: 4,ENCRYPTED") {
        return "it is encrypted; this writes it without a passphrase: openssl pkey -in KEY -out NEW"
            .to_owned();
    }
    match error {
        pem::Error::NoItemsFound => format!("it holds no PEM block with {wanted}"),
        _ => format!("it is not a PEM file with {wanted}"),
    }
}
