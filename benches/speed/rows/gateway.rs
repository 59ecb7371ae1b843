//! The gateway: what it adds to the time of a model's first token, what a stream costs, and whether it holds tokens back.
//!
//! Client and upstream run in this process. The same conversations run with the upstream alone and through the gateway: at the
//! same time where a delay is measured, in turn where a rate is.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Body, Frame, Incoming};
use hyper::client::conn::http1::SendRequest;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use super::super::data::{BoxError, guardian_email};
use super::super::server::ServerProcess;
use super::super::stopwatch::Stopwatch;
use super::super::table::{Series, Target};
use super::{Benchmark, bearer, header, http_connect};

/// Each has a child of its own.
const KEYS: usize = 16;

/// The maximum number of concurrent requests per key.
const STREAMS_PER_KEY: usize = 4;

const STREAMS: usize = KEYS * STREAMS_PER_KEY;

/// How fast a model speaks, in tokens per second.
#[derive(Clone, Copy)]
enum Pace {
    /// The speed of a large model. All streams together leave the CPU mostly idle.
    Usual = 50,
    /// Faster than any model that a family runs.
    Fast = 1000,
}

/// What one conversation measured.
#[derive(Default)]
struct Measured {
    /// Milliseconds from each request to its first token.
    first: Series,
    /// Tokens that arrived, and the seconds from the first to the last of each answer, added up.
    tokens: usize,
    seconds: f64,
}

impl Measured {
    fn add(&mut self, other: &Self) {
        self.first.extend(&other.first);
        self.tokens += other.tokens;
        self.seconds += other.seconds;
    }

    /// Tokens per second of each stream.
    fn rate(&self) -> f64 {
        self.tokens as f64 / self.seconds
    }
}

/// Where a conversation's requests go.
#[derive(Clone)]
struct Route {
    from: SocketAddr,
    to: SocketAddr,
    path: &'static str,
    authorization: String,
}

impl Benchmark {
    pub(super) async fn measure_gateway(&mut self, server: &ServerProcess) -> Result<(), BoxError> {
        let upstream = start_upstream().await?;
        let keys = add_keys(server, upstream)?;
        let direct = |_: usize| Route {
            from: (Ipv4Addr::LOCALHOST, 0).into(),
            to: upstream,
            path: "/v1/chat/completions",
            authorization: bearer("none"),
        };
        let gateway = |stream: usize| {
            let key = stream % KEYS;
            Route {
                // The server limits the connections of one address.
                from: (Ipv4Addr::new(127, 0, 3, key as u8 + 1), 0).into(),
                to: server.address,
                path: "/gateway/v1/chat/completions",
                authorization: bearer(&keys[key]),
            }
        };

        let (mut alone, mut through) = (Measured::default(), Measured::default());
        let mut round = 0;
        for _ in 0..self.options.rounds {
            // At the same time, because a virtual machine's host reclaims memory of an idle process, and the process's next
            // requests wait until it is back.
            let (without, with) = tokio::join!(
                self.converse(Pace::Usual, round, direct),
                self.converse(Pace::Usual, round, gateway)
            );
            alone.add(&without?);
            through.add(&with?);
            round += 1;
        }
        let label = format!(
            "{STREAMS} streams through the gateway: the first token's 99th percentile, more than without it"
        );
        let details = format!(
            "{:.1} ms, without {:.1} ms; median {:.1} ms, without {:.1} ms",
            through.first.percentile(99),
            alone.first.percentile(99),
            through.first.median(),
            alone.first.median(),
        );
        let added = through.first.percentile(99) - alone.first.percentile(99);
        let target = Target::AtMost(5.0);
        self.table.add(label, details, added, " ms", target);

        let (mut ratios, mut alone, mut through) =
            (Series::default(), Measured::default(), Measured::default());
        for _ in 0..self.options.rounds {
            let without = self.converse(Pace::Fast, round, direct).await?;
            let with = self.converse(Pace::Fast, round, gateway).await?;
            ratios.push(with.rate() / without.rate());
            alone.add(&without);
            through.add(&with);
            round += 1;
        }
        let label = format!("{STREAMS} streams of 1,000 tokens/s each, vs. without the gateway");
        let details = format!(
            "{:.0} tokens/s each, without {:.0}",
            through.rate(),
            alone.rate()
        );
        let target = Target::AtLeast(0.95);
        self.table.add(label, details, ratios.median(), "×", target);
        self.measure_stream_memory(server, round, gateway).await
    }

    /// Measures the memory of open streams.
    async fn measure_stream_memory(
        &mut self,
        server: &ServerProcess,
        round: u32,
        route: impl Fn(usize) -> Route,
    ) -> Result<(), BoxError> {
        let before = server.resident_set()?;
        let mut streams = Vec::new();
        for number in 0..STREAMS {
            let route = route(number);
            let mut client = http_connect(route.from, route.to).await?;
            let history = vec![question(number, round, 0)];
            let answer = client
                .send_request(request(&route, Pace::Usual, HELD_TOKENS, &history)?)
                .await?;
            let mut body = answer.into_body();
            body.frame().await.ok_or("an answer is empty")??;
            // Reads at once, so that the server buffers nothing.
            let reading =
                tokio::spawn(async move { while let Some(Ok(_)) = body.frame().await {} });
            streams.push((client, reading));
        }
        let kilobytes = (server.resident_set()? - before) * 1e3 / STREAMS as f64;
        drop(
            streams
                .drain(..)
                .map(|(_, reading)| reading.abort())
                .collect::<Vec<_>>(),
        );
        let label = "resident set for each stream through the gateway";
        let target = Target::AtMost(64.0);
        self.table.add(label, "", kilobytes, " kB", target);
        Ok(())
    }

    /// Runs [`STREAMS`] conversations at once. An answer takes a second, and a conversation has one for each second of a sample.
    async fn converse(
        &self,
        pace: Pace,
        round: u32,
        route: impl Fn(usize) -> Route,
    ) -> Result<Measured, BoxError> {
        let seconds = self.options.seconds;
        let mut conversations = JoinSet::new();
        for number in 0..STREAMS {
            let route = route(number);
            conversations.spawn(async move {
                // The starts are spread over a second.
                sleep(Duration::from_secs(1) * number as u32 / STREAMS as u32).await;
                converse(&route, pace, number, round, seconds).await
            });
        }
        let mut all = Measured::default();
        for measured in conversations.join_all().await {
            all.add(&measured?);
        }
        Ok(all)
    }
}

/// The tokens of a stream that is held open while memory is measured: more than it takes to measure.
const HELD_TOKENS: usize = 3000;

fn add_keys(server: &ServerProcess, upstream: SocketAddr) -> Result<Vec<String>, BoxError> {
    let url = format!("http://{upstream}/v1");
    server.command(&["upstream", "add", "bench", "--url", &url])?;
    let keys = (0..KEYS).map(|number| {
        let (name, email) = (format!("App {number}"), guardian_email(1));
        let child = server.command(&["child", "add", &name, "--guardian", &email])?["child_id"]
            .as_u64()
            .ok_or("the child has no number")?
            .to_string();
        let added = server.command(&[
            "assistant",
            "add",
            &name,
            "--child",
            &child,
            "--upstream",
            "bench",
        ])?;
        let key = added["key"].as_str().ok_or("the assistant has no key")?;
        Ok(key.to_owned())
    });
    keys.collect()
}

fn question(stream: usize, round: u32, number: u32) -> Value {
    json!({
        "role": "user",
        "content": format!("This is question {number} of talk {stream} in round {round}: why does the moon follow our car?"),
    })
}

fn request(
    route: &Route,
    pace: Pace,
    tokens: usize,
    history: &[Value],
) -> Result<Request<Full<Bytes>>, BoxError> {
    let body = json!({
        "model": format!("{}-{tokens}", pace as usize),
        "stream": true,
        "messages": history,
    });
    let (name, value) = header(&route.authorization)?;
    Ok(Request::post(route.path)
        .header("Host", route.to.to_string())
        .header("Content-Type", "application/json")
        .header(name, value)
        .body(Full::from(body.to_string()))?)
}

/// Asks one question after the other, each with all earlier ones and their answers. An answer takes a second.
async fn converse(
    route: &Route,
    pace: Pace,
    stream: usize,
    round: u32,
    seconds: u32,
) -> Result<Measured, BoxError> {
    let mut client = http_connect(route.from, route.to).await?;
    let mut measured = Measured::default();
    let mut history = Vec::new();
    for number in 0..seconds {
        history.push(question(stream, round, number));
        let request = request(route, pace, pace as usize, &history)?;
        let text = ask(&mut client, request, &mut measured).await?;
        history.push(json!({ "role": "assistant", "content": text }));
    }
    Ok(measured)
}

/// Sends a request and reads its answer. Returns the answer's text.
async fn ask(
    client: &mut SendRequest<Full<Bytes>>,
    request: Request<Full<Bytes>>,
    measured: &mut Measured,
) -> Result<String, BoxError> {
    client.ready().await?;
    let watch = Stopwatch::start();
    let answer = client.send_request(request).await?;
    let status = answer.status().as_u16();
    let mut body = answer.into_body();
    let (mut first, mut received) = (None, Vec::new());
    while let Some(frame) = body.frame().await {
        if let Ok(piece) = frame?.into_data() {
            first.get_or_insert(watch.seconds());
            received.extend_from_slice(&piece);
        }
    }
    let received = String::from_utf8(received)?;
    if status != 200 || !received.ends_with(DONE) {
        return Err(format!("a request was answered with {status}: {received}").into());
    }
    let first = first.ok_or("an answer is empty")?;
    let tokens = received.matches(TOKEN).count();
    measured.first.push(first * 1e3);
    measured.tokens += tokens;
    measured.seconds += watch.seconds() - first;
    Ok(TOKEN.repeat(tokens))
}

const TOKEN: &str = "moon ";
const DONE: &str = "data: [DONE]\n\n";

/// Starts the upstream. Its models are named by their pace and the number of tokens of an answer: `50-100`.
async fn start_upstream() -> Result<SocketAddr, BoxError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(serve(connection));
        }
    });
    Ok(address)
}

async fn serve(connection: TcpStream) {
    let _ = connection.set_nodelay(true);
    // A client may leave in mid-stream.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(connection), service_fn(answer))
        .await;
}

async fn answer(
    request: Request<Incoming>,
) -> Result<Response<impl Body<Data = Bytes, Error = Infallible>>, BoxError> {
    let body = request.into_body().collect().await?.to_bytes();
    let body = serde_json::from_slice::<Value>(&body)?;
    let model = body["model"].as_str().and_then(|name| name.split_once('-'));
    let (pace, tokens) = model.ok_or("there is no such model")?;
    let (pace, tokens) = (pace.parse::<u32>()?, tokens.parse::<u32>()?);
    let began = Instant::now();
    let events = stream::unfold(0, move |number| async move {
        if number > tokens {
            return None;
        }
        sleep_until(began + Duration::from_secs(1) * number / pace).await;
        let event = if number == tokens {
            DONE.to_owned()
        } else {
            let choice = json!({ "index": 0, "delta": { "content": TOKEN } });
            format!("data: {}\n\n", json!({ "choices": [choice] }))
        };
        Some((Ok(Frame::data(Bytes::from(event))), number + 1))
    });
    Ok(Response::builder()
        .header("Content-Type", "text/event-stream")
        .body(StreamBody::new(Box::pin(events)))?)
}
