//! A mail server that follows a script.

use std::{sync::Arc, time::Duration};

use tempfile::NamedTempFile;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_rustls::TlsAcceptor;

/// The scripted response to a command. The command `""` means the banner, `"."` the end of the e-mail.
#[derive(Clone, Copy)]
pub enum Answer {
    Say(&'static str),
    Silence,
    HangUp,
    /// Bytes for ever, without ever ending the reply.
    Trickle,
    UpgradeToTls,
}
use Answer::{HangUp, Say, Silence, Trickle, UpgradeToTls};

pub type Script = fn(&str) -> Answer;

/// The answers of a server that accepts everything.
pub fn willing(command: &str) -> Answer {
    Say(match command.split(' ').next() {
        Some("") => "220 mail.test ready\r\n",
        Some("EHLO") => "250-mail.test\r\n250 AUTH PLAIN\r\n",
        Some("AUTH") => "235 2.7.0 welcome\r\n",
        Some("DATA") => "354 go on\r\n",
        Some("QUIT") => "221 bye\r\n",
        _ => "250 2.0.0 fine\r\n",
    })
}

/// Plays the script and reports the lines that were received.
pub async fn play<S>(stream: S, script: Script, heard: &mpsc::UnboundedSender<String>) -> Option<S>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    play_slowly(stream, script, None, heard).await
}

/// Like [`play`], but waits this long before it answers the final dot of a message.
pub async fn play_slowly<S>(
    stream: S,
    script: Script,
    pause: Option<Duration>,
    heard: &mpsc::UnboundedSender<String>,
) -> Option<S>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut stream = BufReader::new(stream);
    let mut command = String::new();
    let mut in_email = false;
    loop {
        if let Some(pause) = pause
            && in_email
            && command == "."
        {
            tokio::time::sleep(pause).await;
        }
        match script(&command) {
            _ if in_email && command != "." => {}
            Say(reply) => stream.write_all(reply.as_bytes()).await.ok()?,
            Silence => std::future::pending().await,
            HangUp => return None,
            Trickle => {
                stream.write_all(b"250-").await.ok()?;
                loop {
                    stream.write_all(b"x").await.ok()?;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
            UpgradeToTls => {
                stream.write_all(b"220 go on\r\n").await.ok()?;
                return Some(stream.into_inner());
            }
        }
        in_email = (in_email || command == "DATA") && command != ".";
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        assert!(line.ends_with("\r\n"), "a bare line feed: {line:?}");
        command = line.trim_end().to_owned();
        let _ = heard.send(command.clone());
    }
}

pub struct FakeServer {
    pub port: u16,
    heard: mpsc::UnboundedReceiver<String>,
}

impl FakeServer {
    pub async fn start(script: Script) -> Self {
        Self::listen(async move |stream: TcpStream, heard| {
            play(stream, script, &heard).await;
        })
        .await
    }

    /// A server that accepts everything, but takes this long to answer an e-mail.
    pub async fn filtering(slow: Duration) -> Self {
        Self::listen(async move |stream: TcpStream, heard| {
            play_slowly(stream, willing, Some(slow), &heard).await;
        })
        .await
    }

    pub async fn listen<F, T>(serve: F) -> Self
    where
        F: FnOnce(TcpStream, mpsc::UnboundedSender<String>) -> T + Send + 'static,
        T: Future<Output = ()> + Send,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, heard) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            serve(stream, tell).await;
        });
        Self { port, heard }
    }

    /// Waits until the server received this line.
    pub async fn hear(&mut self, line: &str) {
        while self.heard.recv().await.unwrap() != line {}
    }

    /// The remaining lines that the server received, until the client disconnects.
    pub async fn lines(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.heard.recv().await {
            lines.push(line);
        }
        lines
    }
}

/// A self-signed certificate for these names: the server's acceptor, and the file that makes a mailer trust it.
pub fn self_signed(names: &[&str]) -> (TlsAcceptor, NamedTempFile) {
    let names = names
        .iter()
        .map(|name| (*name).to_owned())
        .collect::<Vec<_>>();
    certified(rcgen::CertificateParams::new(names).unwrap())
}

/// The same with these certificate parameters.
pub fn certified(made: rcgen::CertificateParams) -> (TlsAcceptor, NamedTempFile) {
    let key = rcgen::KeyPair::generate().unwrap();
    let own = made.self_signed(&key).unwrap();
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), own.pem()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![own.der().clone()],
            key.serialize_der().try_into().unwrap(),
        )
        .unwrap();
    (TlsAcceptor::from(Arc::new(config)), file)
}
