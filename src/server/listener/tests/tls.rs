//! TLS: the protocol, handshake timeouts, and renewed certificates.

use std::{fs, path::Path};

use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName},
};
use tempfile::TempDir;
use tokio_rustls::{TlsConnector, client::TlsStream};

use super::*;

/// A folder with a self-signed certificate for `localhost` and its key.
struct Files(TempDir);

impl Files {
    fn new() -> (Self, CertificateDer<'static>) {
        let files = Self(TempDir::new().unwrap());
        let certificate = files.renew();
        (files, certificate)
    }

    fn certificate(&self) -> std::path::PathBuf {
        self.0.path().join("certificate.pem")
    }

    fn key(&self) -> std::path::PathBuf {
        self.0.path().join("key.pem")
    }

    fn renew(&self) -> CertificateDer<'static> {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        replace(&self.certificate(), &made.cert.pem());
        replace(&self.key(), &made.signing_key.serialize_pem());
        made.cert.der().clone()
    }

    fn open(&self) -> Result<TlsReloader, TlsProblem> {
        TlsReloader::open(self.certificate(), self.key())
    }
}

/// Replaces a file and changes its modification time, even if the file system's clock is coarse.
fn replace(file: &Path, content: &str) {
    let before = fs::metadata(file).and_then(|metadata| metadata.modified());
    fs::write(file, content).unwrap();
    if let Ok(before) = before {
        let later = before + Duration::from_secs(1);
        fs::File::options()
            .write(true)
            .open(file)
            .unwrap()
            .set_modified(later)
            .unwrap();
    }
}

/// Connects like a browser, which offers HTTP/2 first.
async fn connect(
    porch: &Porch,
    trusted: &CertificateDer<'static>,
) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config))
        .connect(name, porch.connect().await)
        .await
}

#[tokio::test]
async fn http_1_1_is_chosen_under_tls() {
    let (files, certificate) = Files::new();
    let tls = Arc::new(files.open().unwrap());
    let porch = Porch::open_with(patient(), Some(tls), FAR).await;

    let mut stream = connect(&porch, &certificate).await.unwrap();
    let answer = ask(&mut stream, HELLO).await;

    let protocol = stream.get_ref().1.alpn_protocol();
    assert_eq!(protocol, Some(&b"http/1.1"[..]));
    assert!(answer.contains("https socket://127.0.0.1:"), "{answer}");
}

#[tokio::test]
async fn an_idle_connection_ends_with_tls_own_goodbye() {
    let (files, certificate) = Files::new();
    let tls = Arc::new(files.open().unwrap());
    let limits = ConnectionLimits {
        idle: SOON,
        ..patient()
    };
    let porch = Porch::open_with(limits, Some(tls), FAR).await;
    let mut stream = connect(&porch, &certificate).await.unwrap();
    ask(&mut stream, HELLO).await;

    // Without it, reading fails.
    assert_eq!(stream.read(&mut [0]).await.unwrap(), 0);
}

#[tokio::test]
async fn an_unfinished_handshake_is_closed() {
    let (files, _) = Files::new();
    let tls = Arc::new(files.open().unwrap());
    let limits = ConnectionLimits {
        handshake: SOON,
        ..patient()
    };
    let porch = Porch::open_with(limits, Some(tls), FAR).await;

    assert_eq!(until_closed(&mut porch.connect().await).await, "");
}

#[tokio::test]
async fn a_renewed_certificate_is_used_for_new_connections_only() {
    let (files, old) = Files::new();
    let tls = Arc::new(files.open().unwrap());
    let porch = Porch::open_with(patient(), Some(Arc::clone(&tls)), FAR).await;
    let mut existing = connect(&porch, &old).await.unwrap();

    let new = files.renew();

    assert!(tls.reload_if_changed().unwrap());
    assert!(!tls.reload_if_changed().unwrap(), "nothing changed since");
    ask(&mut existing, HELLO).await;
    assert!(connect(&porch, &old).await.is_err());
    let mut stream = connect(&porch, &new).await.unwrap();
    ask(&mut stream, HELLO).await;
}

#[test]
fn files_that_do_not_work_leave_the_certificate_in_use_and_are_said_once() {
    let (files, _) = Files::new();
    let tls = files.open().unwrap();
    let used = tls.config().unwrap();

    replace(&files.certificate(), "-----BEGIN CERTIFICATE-----\nhalf");

    assert!(tls.reload_if_changed().is_err());
    assert!(!tls.reload_if_changed().unwrap());
    assert!(Arc::ptr_eq(&used, &tls.config().unwrap()));
    files.renew();
    assert!(tls.reload_if_changed().unwrap());
}

#[test]
fn what_is_wrong_with_the_files_is_said_with_their_names() {
    let (files, _) = Files::new();
    let folder = files.0.path().display().to_string();
    let (good_certificate, good_key) = (
        fs::read_to_string(files.certificate()).unwrap(),
        fs::read_to_string(files.key()).unwrap(),
    );
    let (others, _) = Files::new();
    let other_key = fs::read_to_string(others.key()).unwrap();
    for (certificate, key, sentence) in [
        (
            None,
            Some(&good_key),
            "The certificate file {}/certificate.pem cannot be read: there is no such file.",
        ),
        (
            Some(&good_key),
            Some(&good_key),
            "The certificate file {}/certificate.pem cannot be read: it holds no PEM block with \
             a certificate.",
        ),
        (
            Some(&good_certificate),
            None,
            "The key file {}/key.pem cannot be read: there is no such file.",
        ),
        (
            Some(&good_certificate),
            Some(&good_certificate),
            "The key file {}/key.pem cannot be read: it holds no PEM block with a private key.",
        ),
        (
            Some(&good_certificate),
            Some(&other_key),
            "The key in {}/key.pem does not belong to the certificate in {}/certificate.pem.",
        ),
    ] {
        for (file, content) in [(files.certificate(), certificate), (files.key(), key)] {
            let _ = fs::remove_file(&file);
            if let Some(content) = content {
                fs::write(&file, content).unwrap();
            }
        }

        let problem = files.open().err().unwrap();

        assert_eq!(problem.to_string(), sentence.replace("{}", &folder));
    }
}

#[test]
fn keys_that_cannot_be_used_are_named() {
    let (files, _) = Files::new();
    let good = fs::read_to_string(files.key()).unwrap();
    let too_short = "it is an RSA key of fewer than 2048 bits";
    let other_curve = "it is a key on the curve P-521, which is not supported; P-256 is";
    let encrypted =
        "it is encrypted; this writes it without a passphrase: openssl pkey -in KEY -out NEW";
    let cases = [
        (
            include_str!("../../../../tests/fixtures/rsa-1024.pem").to_owned(),
            too_short,
        ),
        (
            include_str!("../../../../tests/fixtures/tls/rsa-1024-pkcs8.pem").to_owned(),
            too_short,
        ),
        (
            include_str!("../../../../tests/fixtures/tls/p521.pem").to_owned(),
            other_curve,
        ),
        (
            include_str!("../../../../tests/fixtures/tls/p521-sec1.pem").to_owned(),
            other_curve,
        ),
        (
            include_str!("../../../../tests/fixtures/tls/encrypted.pem").to_owned(),
            encrypted,
        ),
        (
            format!("\u{feff}{good}"),
            "it begins with a byte order mark; save it as plain text without one",
        ),
    ];
    for (key, reason) in cases {
        fs::write(files.key(), key).unwrap();

        let problem = files.open().err().unwrap().to_string();

        let file = files.key();
        let expected = format!("The key file {} cannot be read: {reason}.", file.display());
        assert_eq!(problem, expected);
    }
}

#[tokio::test]
async fn a_certificate_that_is_expected_is_used_once_it_is_there() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("certificate.pem");
    let tls = Arc::new(TlsReloader::expect(&file));
    let porch = Porch::open_with(patient(), Some(tls.clone()), FAR).await;
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();

    assert!(tls.config().is_none());
    assert!(connect(&porch, made.cert.der()).await.is_err());

    let pem = made.signing_key.serialize_pem() + &made.cert.pem();
    fs::write(&file, pem).unwrap();
    assert!(tls.reload_if_changed().unwrap());
    let mut stream = connect(&porch, made.cert.der()).await.unwrap();
    let answer = ask(&mut stream, HELLO).await;
    assert!(answer.contains("https socket://127.0.0.1:"), "{answer}");
}

#[tokio::test]
async fn listeners_share_their_limits_and_a_named_one_marks_its_requests() {
    let folder = TempDir::new().unwrap();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let file = folder.path().join("certificate.pem");
    fs::write(&file, made.signing_key.serialize_pem() + &made.cert.pem()).unwrap();
    let sockets = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let [plain, named] = sockets.map(|socket| {
        socket.set_nonblocking(true).unwrap();
        TcpListener::from_std(socket).unwrap()
    });
    let (at_plain, at_name) = (plain.local_addr().unwrap(), named.local_addr().unwrap());
    let listeners = vec![
        BoundListener::new(plain, None),
        BoundListener {
            is_named: true,
            ..BoundListener::new(named, Some(Arc::new(TlsReloader::expect(&file))))
        },
    ];
    let marked = poem::endpoint::make_sync(|request: poem::Request| {
        let is_at_name = request
            .data::<crate::kernel::http::origin::AtName>()
            .is_some();
        format!("at the name: {is_at_name}")
    });
    let limits = ConnectionLimits {
        max_per_address: 2,
        ..patient()
    };
    let served = tokio::spawn(serve(
        listeners,
        Arc::new(marked.map_to_response().boxed()),
        limits,
        CancellationToken::new(),
        FAR,
    ));

    let mut first = TcpStream::connect(at_plain).await.unwrap();
    assert!(ask(&mut first, HELLO).await.contains("at the name: false"));
    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let connected = TcpStream::connect(at_name).await.unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    let mut second = connector.connect(name, connected).await.unwrap();
    assert!(ask(&mut second, HELLO).await.contains("at the name: true"));
    // The third connection replaces the one that was idle longest, at the other listener.
    let mut third = TcpStream::connect(at_plain).await.unwrap();
    assert!(ask(&mut third, HELLO).await.contains("at the name: false"));
    let mut rest = Vec::new();
    first.read_to_end(&mut rest).await.unwrap();
    served.abort();
}
