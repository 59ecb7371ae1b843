//! Event streams: the delay until a delivered message is announced, and the cost of each stream.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use hyper::{Request, Response};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::super::data::BoxError;
use super::super::server::ServerProcess;
use super::super::stopwatch::Stopwatch;
use super::super::table::{Series, Target, thousands};
use super::{Benchmark, bearer, header, http_connect};

/// Each has a guardian, a child and an assistant.
const FAMILIES: usize = 20;

/// A guardian may have 12.
const STREAMS_PER_FAMILY: usize = 10;

/// The number of connections that send deliveries. On a slow disk, one would be too slow.
const CONNECTIONS_PER_FAMILY: u32 = 5;

/// Each session gets one message per second, so that an event that names the session announces that message and no earlier one.
const SESSIONS_PER_CONNECTION: u32 = 10;

/// Time for the server to register streams, and for the last events.
const SETTLE: Duration = Duration::from_secs(1);

struct Family {
    child: u64,
    /// The address that the family's devices connect from.
    from: SocketAddr,
    guardian: String,
    assistant: String,
}

/// A delivery of one message to a session. The times are in seconds.
struct Delivered {
    session: u64,
    sent: f64,
    acknowledged: f64,
}

/// The times at which one stream announced each session, in seconds.
type Announced = Arc<Mutex<HashMap<u64, Vec<f64>>>>;

impl Benchmark {
    pub(super) async fn measure_live(&mut self, server: &ServerProcess) -> Result<(), BoxError> {
        let families = (0..FAMILIES).map(|number| add_family(server, number));
        let families = families.collect::<Result<Vec<_>, _>>()?;
        let watch = Stopwatch::start();
        let before = server.resident_set()?;
        let mut streams = JoinSet::new();
        let mut announced = Vec::new();
        for family in &families {
            let mut of_family = Vec::new();
            for _ in 0..STREAMS_PER_FAMILY {
                let stream = open_stream(server.address, family).await?;
                let times = Announced::default();
                streams.spawn(follow(stream, watch, Arc::clone(&times)));
                of_family.push(times);
            }
            announced.push(of_family);
        }
        sleep(SETTLE).await;
        let count = FAMILIES * STREAMS_PER_FAMILY;
        let kilobytes = (server.resident_set()? - before) * 1e3 / count as f64;

        let seconds = self.options.rounds * self.options.seconds;
        let mut deliverers = JoinSet::new();
        let began = watch.seconds();
        for (number, family) in families.into_iter().map(Arc::new).enumerate() {
            for connection in 0..CONNECTIONS_PER_FAMILY {
                let (address, family) = (server.address, Arc::clone(&family));
                deliverers.spawn(async move {
                    let delivered = deliver(address, &family, connection, watch, seconds).await;
                    delivered.map(|delivered| (number, delivered))
                });
            }
        }
        let delivered = deliverers.join_all().await;
        let lasted = watch.seconds() - began;
        sleep(SETTLE).await;
        if streams.try_join_next().is_some() {
            return Err("a stream ended".into());
        }

        let (mut delays, mut messages) = (Series::default(), 0);
        for family in delivered {
            let (number, delivered) = family?;
            messages += delivered.len();
            for times in &announced[number] {
                let times = times.lock().unwrap_or_else(PoisonError::into_inner);
                for delivery in &delivered {
                    let times = times.get(&delivery.session).map(Vec::as_slice);
                    let mut times = times.unwrap_or_default().iter();
                    let event = times.find(|at| **at >= delivery.sent);
                    let event = event.ok_or("a message was not announced")?;
                    delays.push((event - delivery.acknowledged).max(0.0) * 1e3);
                }
            }
        }
        let label = format!(
            "{count} streams of events: 99th percentile from a message's acknowledgement to its event"
        );
        let details = format!(
            "{} messages/s, median {:.0} ms",
            thousands(messages as f64 / lasted),
            delays.median()
        );
        let target = Target::AtMost(250.0);
        self.table
            .add(label, details, delays.percentile(99), " ms", target);
        let label = "resident set for each stream";
        let target = Target::AtMost(30.0);
        self.table.add(label, "", kilobytes, " kB", target);
        Ok(())
    }
}

fn add_family(server: &ServerProcess, number: usize) -> Result<Family, BoxError> {
    let email = format!("live-{number}@bench.example");
    server.command(&["guardian", "add", &email])?;
    let child = server.command(&["child", "add", "Mia", "--guardian", &email])?["child_id"]
        .as_u64()
        .ok_or("the child has no number")?;
    let text = |value: &Value| value.as_str().map(bearer).ok_or("a credential is missing");
    let (name, of_child) = (format!("live {number}"), child.to_string());
    let assistant = server.command(&["assistant", "add", &name, "--child", &of_child])?;
    let guardian = server.command(&["token", &email])?;
    Ok(Family {
        child,
        from: (Ipv4Addr::new(127, 0, 2, u8::try_from(number)? + 1), 0).into(),
        guardian: text(&guardian["identity_token"])?,
        assistant: text(&assistant["key"])?,
    })
}

async fn open_stream(
    server: SocketAddr,
    family: &Family,
) -> Result<(SendRequest<Empty<Bytes>>, Response<Incoming>), BoxError> {
    let mut sender = http_connect::<Empty<Bytes>>(family.from, server).await?;
    let (name, value) = header(&family.guardian)?;
    let request = Request::get(format!("/api/child/{}/events", family.child))
        .header("Host", server.to_string())
        .header(name, value)
        .body(Empty::new())?;
    let response = sender.send_request(request).await?;
    match response.status().as_u16() {
        // Dropping the sender would close the connection.
        200 => Ok((sender, response)),
        status => Err(format!("a stream was answered with {status}").into()),
    }
}

/// Records when each session is announced, until the stream ends.
async fn follow(
    (_sender, response): (SendRequest<Empty<Bytes>>, Response<Incoming>),
    watch: Stopwatch,
    announced: Announced,
) -> Result<(), BoxError> {
    let mut body = response.into_body();
    let mut rest = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(bytes) = frame?.into_data() else {
            continue;
        };
        let at = watch.seconds();
        rest.extend_from_slice(&bytes);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line = rest.drain(..=end).collect::<Vec<_>>();
            let line = std::str::from_utf8(&line)?.trim_end();
            let session = line.strip_prefix("data:").map(str::trim_start);
            if let Some(session) = session.and_then(|event| event.strip_prefix("session ")) {
                let mut announced = announced.lock().unwrap_or_else(PoisonError::into_inner);
                announced.entry(session.parse()?).or_default().push(at);
            }
        }
    }
    Ok(())
}

/// Delivers a message to each of the connection's sessions in turn, [`SESSIONS_PER_CONNECTION`] a second.
async fn deliver(
    server: SocketAddr,
    family: &Family,
    connection: u32,
    watch: Stopwatch,
    seconds: u32,
) -> Result<Vec<Delivered>, BoxError> {
    let mut sender = http_connect::<Full<Bytes>>(family.from, server).await?;
    let period = Duration::from_secs(1) / SESSIONS_PER_CONNECTION;
    // Spread over the period rather than all at once.
    sleep(period * connection / CONNECTIONS_PER_FAMILY).await;
    let mut ticks = interval(period);
    // Late ticks are made up for, so that the rate stays constant.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut delivered = Vec::new();
    for number in 0..seconds * SESSIONS_PER_CONNECTION {
        ticks.tick().await;
        let message = json!({
            "message_id": format!("{number}"),
            "source": "child",
            "text_content": "But why does it look like it is coming with us when we are in the car?",
        });
        let body = json!({
            "session": format!("live-{connection}-{}", number % SESSIONS_PER_CONNECTION),
            "child_id": family.child,
            "messages": [message],
        });
        let (name, value) = header(&family.assistant)?;
        let request = Request::post("/api/assistant/deliveries")
            .header("Host", server.to_string())
            .header("Content-Type", "application/json")
            .header(name, value)
            .body(Full::from(body.to_string()))?;
        let sent = watch.seconds();
        let response = sender.send_request(request).await?;
        let status = response.status().as_u16();
        let answer = response.into_body().collect().await?.to_bytes();
        let acknowledged = watch.seconds();
        if status != 200 {
            return Err(format!("a delivery was answered with {status}").into());
        }
        let session = serde_json::from_slice::<Value>(&answer)?["session_id"].as_u64();
        delivered.push(Delivered {
            session: session.ok_or("the session has no number")?,
            sent,
            acknowledged,
        });
    }
    Ok(delivered)
}
