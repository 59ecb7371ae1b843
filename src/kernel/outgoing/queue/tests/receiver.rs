//! A server on loopback that takes requests over HTTP/1.1 and treats each connection as a test says.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How a connection is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    Answers(u16),
    /// With a header line.
    AnswersWith(u16, &'static str),
    /// Answers as ntfy's `/v1/health`.
    Healthy,
    /// Answers 200 with a page to sign in.
    AnswersPage,
    /// Answers with a body of 100 MB.
    Floods(u16),
    /// Reads the request and stays silent.
    Stalls,
    ClosesAtOnce,
    ClosesWithinRequest,
    ClosesAfterRequest,
    ClosesWithinAnswer,
    AnswersNonsense,
}

use Treatment::{
    Answers, AnswersNonsense, AnswersPage, AnswersWith, ClosesAfterRequest, ClosesAtOnce,
    ClosesWithinAnswer, ClosesWithinRequest, Floods, Healthy, Stalls,
};

/// A complete request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The request line and the header lines.
    pub head: String,
    pub body: String,
}

impl Received {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

pub struct Receiver {
    pub address: SocketAddr,
    received: mpsc::UnboundedReceiver<Received>,
    /// How many bytes of bodies the clients took.
    pub sent: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Treats the connections in order; the last treatment repeats.
    pub async fn open(treatments: &[Treatment]) -> Self {
        Self::at("127.0.0.1:0".parse().unwrap(), treatments).await
    }

    pub async fn at(address: SocketAddr, treatments: &[Treatment]) -> Self {
        let treatments = treatments.to_vec();
        let last = treatments.len() - 1;
        Self::treating(address, move |number, _| treatments[number.min(last)]).await
    }

    /// `treat` gets the number of the connection, and the request as far as it was read.
    pub async fn treating(
        address: SocketAddr,
        treat: impl Fn(usize, Option<&Received>) -> Treatment + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, received) = mpsc::unbounded_channel();
        let sent = Arc::<AtomicUsize>::default();
        let (counted, treat) = (Arc::clone(&sent), Arc::new(treat));
        let task = tokio::spawn(async move {
            for number in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                let (treat, tell) = (Arc::clone(&treat), tell.clone());
                let counted = Arc::clone(&counted);
                tokio::spawn(async move {
                    // The client may go away at any moment.
                    let _ = serve(stream, number, treat.as_ref(), &tell, &counted).await;
                });
            }
        });
        Self {
            address,
            received,
            sent,
            task,
        }
    }

    /// The complete requests so far that weren't taken yet.
    pub fn received(&mut self) -> Vec<Received> {
        std::iter::from_fn(|| self.received.try_recv().ok()).collect()
    }

    pub async fn next(&mut self) -> Received {
        self.received.recv().await.unwrap()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    number: usize,
    treat: &(impl Fn(usize, Option<&Received>) -> Treatment + Send + Sync),
    tell: &mpsc::UnboundedSender<Received>,
    counted: &AtomicUsize,
) -> std::io::Result<()> {
    match treat(number, None) {
        ClosesAtOnce => return Ok(()),
        ClosesWithinRequest => return stream.read_u8().await.map(drop),
        _ => {}
    }
    let request = read(&mut stream).await?;
    let treatment = treat(number, Some(&request));
    let _ = tell.send(request);
    match treatment {
        Answers(status) => answer(&mut stream, status, "", "{}").await,
        AnswersWith(status, header) => {
            answer(&mut stream, status, &format!("{header}\r\n"), "{}").await
        }
        AnswersPage => {
            let page = "<!doctype html><title>Sign in</title>";
            answer(&mut stream, 200, "content-type: text/html\r\n", page).await
        }
        Healthy => answer(&mut stream, 200, "", "{\"healthy\":true}\n").await,
        Floods(status) => {
            let length = 100_000_000;
            let head = format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
            let chunk = [b'a'; 50_000];
            while counted.load(Ordering::SeqCst) < length {
                stream.write_all(&chunk).await?;
                counted.fetch_add(chunk.len(), Ordering::SeqCst);
            }
            Ok(())
        }
        Stalls => std::future::pending().await,
        ClosesWithinAnswer => stream.write_all(b"HTTP/1.1 20").await,
        AnswersNonsense => stream.write_all(b"220 mail.example ESMTP\r\n").await,
        ClosesAtOnce | ClosesWithinRequest | ClosesAfterRequest => Ok(()),
    }
}

async fn answer(
    stream: &mut TcpStream,
    status: u16,
    header: &str,
    body: &str,
) -> std::io::Result<()> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} x\r\n{header}content-length: {length}\r\n\r\n");
    stream.write_all((head + body).as_bytes()).await
}

async fn read(stream: &mut TcpStream) -> std::io::Result<Received> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let request = Received {
                head: head.to_owned(),
                body: body.to_owned(),
            };
            let length = request.header("content-length").unwrap_or("0");
            if request.body.len() >= length.parse().unwrap() {
                return Ok(request);
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}
