//! Which certificates a mail server may present: those of the system's authorities, and those of the administrator's file.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::Verifier;
use tokio_rustls::TlsConnector;

use crate::kernel::outgoing::certificate::is_own_authority;
use crate::kernel::outgoing::mail::{InvalidSmtpSettings, SmtpSettings};

/// Names the crypto provider instead of using the process-wide default, which panics if two
/// providers are compiled in and none was chosen.
pub(super) fn tls_connector(settings: &SmtpSettings) -> Result<TlsConnector, InvalidSmtpSettings> {
    let own = match &settings.ca_file {
        None => Vec::new(),
        Some(file) => certificates_in(file)?,
    };
    let provider: Arc<CryptoProvider> = Arc::new(rustls::crypto::ring::default_provider());
    let system = Verifier::new_with_extra_roots(own.iter().cloned(), Arc::clone(&provider));
    let system = system.map_err(|error| match &settings.ca_file {
        Some(file) if matches!(error, Error::InvalidCertificate(_)) => {
            InvalidSmtpSettings::CaFile(format!("{} ({error})", file.display()))
        }
        _ => InvalidSmtpSettings::NoRoots,
    })?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring supports the versions that rustls deems safe")
        // "Dangerous" covers every custom verifier; this one uses the system's.
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(SystemAndOwn { system, own }))
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

fn certificates_in(file: &Path) -> Result<Vec<CertificateDer<'static>>, InvalidSmtpSettings> {
    let failed = |why: &dyn std::fmt::Display| {
        InvalidSmtpSettings::CaFile(format!("{} ({why})", file.display()))
    };
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let read = read.map_err(|error| failed(&error))?;
    if read.is_empty() {
        Err(failed(&"it holds no certificate in PEM"))
    } else {
        Ok(read)
    }
}

/// The system's verifier, which additionally trusts the certificates in the administrator's file themselves, not only those
/// that they signed. Self-signed certificates are usually CA certificates (CA:TRUE), which the system's verifier
/// refuses as server certificates.
#[derive(Debug)]
struct SystemAndOwn {
    system: Verifier,
    own: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for SystemAndOwn {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.system.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        );
        match verified {
            Err(error) if is_own_authority(&error) && self.own.contains(end_entity) => {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.system.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.system.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.system.supported_verify_schemes()
    }
}
