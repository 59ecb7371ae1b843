//! Alerts: what watched phrases cost deliveries and other requests, how soon an alert is announced, and trying a phrase.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Full};
use hyper::Request;
use hyper::client::conn::http1::SendRequest;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::super::data::BoxError;
use super::super::load::request;
use super::super::server::ServerProcess;
use super::super::stopwatch::Stopwatch;
use super::super::table::{Series, Target, per_second, thousands};
use super::writes::{BATCH, BATCH_WRITERS};
use super::{Benchmark, bearer, get_json, guardian_headers, header, http_connect};

/// A guardian may watch for 30 phrases about a child.
const PHRASES: [usize; 4] = [30, 30, 30, 10];

/// Words with which the phrases begin. Some are in the delivered messages, also as a part of a longer word.
const BEGINNINGS: [&str; 10] = [
    "don't tell",
    "our secret",
    "meet me",
    "hurt me",
    "what is",
    "you are",
    "near the",
    "one more",
    "shall we",
    "try it",
];

const ENDS: [&str; 10] = [
    "tomorrow",
    "please",
    "at night",
    "again",
    "alone",
    "today",
    "outside",
    "quietly",
    "anyway",
    "at school",
];

/// The alerts that are announced in each round.
const ALERTS: usize = 20;

/// The alerts that a guardian left open.
const OPEN_ALERTS: usize = 1_000;

/// Requests in each round.
const ATTENTION_READS: u32 = 20;

/// The targets are for this many messages.
const MESSAGES: f64 = 100_000.0;

/// A delivery of just under 4 MiB, the largest: its messages, and the bytes of each text.
const LARGE: (usize, usize) = (1_000, 4_100);

const LONGEST_WAIT: Duration = Duration::from_secs(5);

const SETTLE: Duration = Duration::from_millis(500);

struct Child {
    id: u64,
    guardian: String,
    assistant: String,
}

impl Benchmark {
    pub(super) async fn measure_alerts(&mut self, server: &ServerProcess) -> Result<(), BoxError> {
        let guardians = add_guardians(server)?;
        let watched = add_child(server, "Watched", &guardians)?;
        let unwatched = add_child(server, "Unwatched", &guardians)?;
        watch(server, &watched, &guardians)?;
        self.compare_deliveries(server, &watched, &unwatched)?;
        self.measure_try(server, &watched)?;
        self.measure_announcements(server, &watched).await?;
        self.measure_attention(server, &watched).await?;
        self.measure_large(server, &watched, &unwatched).await
    }

    fn compare_deliveries(
        &mut self,
        server: &ServerProcess,
        watched: &Child,
        unwatched: &Child,
    ) -> Result<(), BoxError> {
        let phrases = PHRASES.iter().sum::<usize>();
        for (batch, writers) in [(1, 16), (BATCH, BATCH_WRITERS)] {
            let (mut with, mut without) = (Series::default(), Series::default());
            for round in 0..self.options.rounds {
                let mut deliver = |child: &Child, series: &mut Series| {
                    let headers = vec![child.assistant.clone()];
                    let rate = self.deliver(server, headers, child.id, batch, writers);
                    rate.map(|rate| series.push(rate * f64::from(batch)))
                };
                // Whoever comes second may meet the end of the other one's work.
                if round % 2 == 0 {
                    deliver(watched, &mut with)?;
                    deliver(unwatched, &mut without)?;
                } else {
                    deliver(unwatched, &mut without)?;
                    deliver(watched, &mut with)?;
                }
            }
            let what = match batch {
                1 => "of one message".to_owned(),
                _ => format!("of batches of {batch}"),
            };
            let label = format!(
                "durable delivery {what}, {writers} writers: {phrases} watched phrases vs. none"
            );
            let details = format!(
                "{}, without {} messages",
                per_second(with.median()),
                per_second(without.median())
            );
            let target = Target::AtLeast(0.9);
            self.table
                .add(label, details, with.ratio_to(&without), "×", target);
        }
        Ok(())
    }

    /// Tries a phrase in the messages that were just delivered.
    fn measure_try(&mut self, server: &ServerProcess, child: &Child) -> Result<(), BoxError> {
        let headers = vec![child.guardian.clone()];
        let path = format!("/api/sessions?child_id={}", child.id);
        let sessions = get_json(server, &path, &headers)?;
        let sessions = sessions["sessions"].as_array().into_iter().flatten();
        let counts = sessions.filter_map(|session| session["message_count"].as_f64());
        let messages = counts.sum::<f64>();
        let (mut times, mut requests) = (Series::default(), 0);
        for _ in 0..self.options.rounds {
            let (seconds, asked) = try_everywhere(server, child)?;
            times.push(seconds * 1e3 * MESSAGES / messages);
            requests = asked;
        }
        let label = format!(
            "trying a phrase in {} messages, per {}",
            thousands(messages),
            thousands(MESSAGES)
        );
        let details = format!("{requests} requests");
        let target = Target::AtMost(300.0);
        self.table
            .add(label, details, times.median(), " ms", target);
        Ok(())
    }

    async fn measure_announcements(
        &mut self,
        server: &ServerProcess,
        child: &Child,
    ) -> Result<(), BoxError> {
        let watch = Stopwatch::start();
        let (announce, mut announced) = mpsc::unbounded_channel();
        let stream = follow_alerts(server.address, child, watch, announce).await?;
        sleep(SETTLE).await;
        let mut sender = http_connect(local(1), server.address).await?;
        let mut delays = Series::default();
        for number in 0..self.options.rounds as usize * ALERTS {
            let session = format!("announced-{number}");
            let text = "That is our secret, tomorrow.";
            let body = delivery(child, &session, &[message("a", text)]);
            send(&mut sender, server.address, &child.assistant, Some(body)).await?;
            let acknowledged = watch.seconds();
            let at = timeout(LONGEST_WAIT, announced.recv()).await;
            let at = at.map_err(|_| format!("alert {number} was not announced"))?;
            let at: f64 = at.ok_or("the stream ended")?;
            delays.push((at - acknowledged).max(0.0) * 1e3);
        }
        stream.abort();
        let label = "an alert: 99th percentile from the delivery's acknowledgement to its event";
        let details = format!("median {:.0} ms", delays.median());
        let target = Target::AtMost(250.0);
        self.table
            .add(label, details, delays.percentile(99), " ms", target);
        Ok(())
    }

    /// What needs a guardian who has dealt with none of many alerts, as the first screen asks after each conversation.
    async fn measure_attention(
        &mut self,
        server: &ServerProcess,
        child: &Child,
    ) -> Result<(), BoxError> {
        let mut sender = http_connect(local(1), server.address).await?;
        for number in 0..OPEN_ALERTS {
            let session = format!("open-{number}");
            let body = delivery(
                child,
                &session,
                &[message("a", "It is our secret, tomorrow.")],
            );
            send(&mut sender, server.address, &child.assistant, Some(body)).await?;
        }
        let headers = [child.guardian.clone()];
        let mut times = Series::default();
        let mut open = 0.0;
        for _ in 0..self.options.rounds * ATTENTION_READS {
            let watch = Stopwatch::start();
            let attention = get_json(server, "/api/attention", &headers)?;
            times.push(watch.seconds() * 1e3);
            let children = attention["items"].as_array().into_iter().flatten();
            open = children
                .filter_map(|child| child["open_alerts"].as_f64())
                .sum();
        }
        let label = format!(
            "what needs a guardian with {} open alerts: 99th percentile",
            thousands(open)
        );
        let details = format!("median {:.1} ms", times.median());
        let target = Target::AtMost(50.0);
        self.table
            .add(label, details, times.percentile(99), " ms", target);
        Ok(())
    }

    async fn measure_large(
        &mut self,
        server: &ServerProcess,
        watched: &Child,
        unwatched: &Child,
    ) -> Result<(), BoxError> {
        let other = bearer_of_first_family(server)?;
        let (mut reads, mut reads_without) = (Series::default(), Series::default());
        let (mut writes, mut writes_without) = (Series::default(), Series::default());
        for round in 0..self.options.rounds * 3 {
            for (child, reads, writes) in [
                (unwatched, &mut reads_without, &mut writes_without),
                (watched, &mut reads, &mut writes),
            ] {
                let session = format!("large-{round}");
                let (read, write) =
                    longest_beside(server.address, child, &session, &other, unwatched).await?;
                reads.push(read * 1e3);
                writes.push(write * 1e3);
            }
        }
        let label =
            "longest read of another family during a delivery of 4 MiB with watched phrases";
        let details = format!("without phrases {:.1} ms", reads_without.median());
        let target = Target::AtMost(20.0);
        self.table
            .add(label, details, reads.median(), " ms", target);
        let label = "same, longest delivery: by how much longer than without phrases";
        let details = format!(
            "{:.1} ms, without phrases {:.1} ms",
            writes.median(),
            writes_without.median()
        );
        let longer = writes.median() - writes_without.median();
        self.table.add(label, details, longer, " ms", target);
        Ok(())
    }
}

fn add_guardians(server: &ServerProcess) -> Result<Vec<String>, BoxError> {
    let guardians = (0..PHRASES.len()).map(|number| format!("watching-{number}@bench.example"));
    let guardians = guardians.collect::<Vec<_>>();
    for email in &guardians {
        server.command(&["guardian", "add", email])?;
    }
    Ok(guardians)
}

fn add_child(server: &ServerProcess, name: &str, guardians: &[String]) -> Result<Child, BoxError> {
    let mut arguments = vec!["child", "add", name];
    for email in guardians {
        arguments.extend(["--guardian", email]);
    }
    let id = server.command(&arguments)?["child_id"].as_u64();
    let id = id.ok_or("the child has no number")?;
    let added = server.command(&["assistant", "add", name, "--child", &id.to_string()])?;
    let key = added["key"].as_str().ok_or("the assistant has no key")?;
    Ok(Child {
        id,
        guardian: token(server, &guardians[0])?,
        assistant: bearer(key),
    })
}

/// The header of a new token.
fn token(server: &ServerProcess, email: &str) -> Result<String, BoxError> {
    let issued = server.command(&["token", email])?;
    let token = issued["identity_token"].as_str();
    Ok(bearer(token.ok_or("no token was issued")?))
}

fn bearer_of_first_family(server: &ServerProcess) -> Result<String, BoxError> {
    let headers = guardian_headers(server)?;
    Ok(headers.into_iter().next().ok_or("there is no header")?)
}

/// Lets each guardian watch for their part of the phrases.
fn watch(server: &ServerProcess, child: &Child, guardians: &[String]) -> Result<(), BoxError> {
    let phrases = BEGINNINGS.iter().flat_map(|beginning| {
        ENDS.iter()
            .map(move |end| json!({"words": format!("{beginning} {end}"), "side": "either"}))
    });
    let mut phrases = phrases.collect::<Vec<_>>();
    let path = format!("/api/child/{}/watched_phrases", child.id);
    for (email, count) in guardians.iter().zip(PHRASES) {
        let own = phrases.drain(..count).collect::<Value>();
        let headers = [token(server, email)?];
        let saved = request(server.address, "PUT", &path, &headers, &own.to_string())?;
        if saved.status != 200 {
            return Err(format!("{path} was answered with {}", saved.status).into());
        }
    }
    Ok(())
}

/// Tries a phrase that nobody said until everything was read. Returns the seconds, and the number of requests.
fn try_everywhere(server: &ServerProcess, child: &Child) -> Result<(f64, u32), BoxError> {
    let headers = [child.guardian.clone()];
    let path = format!("/api/child/{}/watched_phrases/try", child.id);
    let mut body = json!({"words": "zebra crossing", "side": "either"});
    let mut requests = 0;
    let watch = Stopwatch::start();
    loop {
        let tried = request(server.address, "POST", &path, &headers, &body.to_string())?;
        requests += 1;
        if tried.status != 200 {
            return Err(format!("{path} was answered with {}", tried.status).into());
        }
        let tried = serde_json::from_slice::<Value>(&tried.body)?;
        match &tried["next"] {
            Value::Null => return Ok((watch.seconds(), requests)),
            next => body["after"] = next.clone(),
        }
    }
}

/// An address to connect from.
fn local(number: u8) -> SocketAddr {
    ([127, 0, 3, number], 0).into()
}

fn message(id: &str, text: &str) -> Value {
    json!({"message_id": id, "source": "child", "text_content": text})
}

fn delivery(child: &Child, session: &str, messages: &[Value]) -> Bytes {
    let body = json!({"session": session, "child_id": child.id, "messages": messages});
    body.to_string().into()
}

/// Sends a delivery, or reads the caller's children. Returns the seconds.
async fn send(
    sender: &mut SendRequest<Full<Bytes>>,
    server: SocketAddr,
    authorization: &str,
    body: Option<Bytes>,
) -> Result<f64, BoxError> {
    let (name, value) = header(authorization)?;
    let request = match &body {
        Some(_) => Request::post("/api/assistant/deliveries"),
        None => Request::get("/api/children"),
    };
    let request = request
        .header("Host", server.to_string())
        .header("Content-Type", "application/json")
        .header(name, value)
        .body(Full::from(body.unwrap_or_default()))?;
    let watch = Stopwatch::start();
    sender.ready().await?;
    let response = sender.send_request(request).await?;
    let status = response.status().as_u16();
    response.into_body().collect().await?;
    match status {
        200 => Ok(watch.seconds()),
        status => Err(format!("a request was answered with {status}").into()),
    }
}

/// Sends the time of each event about alerts, in seconds.
async fn follow_alerts(
    server: SocketAddr,
    child: &Child,
    watch: Stopwatch,
    announce: mpsc::UnboundedSender<f64>,
) -> Result<JoinHandle<Result<(), BoxError>>, BoxError> {
    let mut sender = http_connect::<Empty<Bytes>>(local(2), server).await?;
    let (name, value) = header(&child.guardian)?;
    let request = Request::get(format!("/api/child/{}/events", child.id))
        .header("Host", server.to_string())
        .header(name, value)
        .body(Empty::new())?;
    let response = sender.send_request(request).await?;
    if response.status() != 200 {
        return Err(format!("the stream was answered with {}", response.status()).into());
    }
    Ok(tokio::spawn(async move {
        // Dropping the sender would close the connection.
        let _sender = sender;
        let (mut body, mut rest) = (response.into_body(), Vec::new());
        while let Some(frame) = body.frame().await {
            let Ok(bytes) = frame?.into_data() else {
                continue;
            };
            rest.extend_from_slice(&bytes);
            // A frame can end within a line.
            while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                if rest.drain(..=end).eq(*b"data: alerts\n") {
                    announce.send(watch.seconds())?;
                }
            }
        }
        Ok(())
    }))
}

/// Delivers 4 MiB to a session of `child`. Returns the longest read of another family, and the longest delivery for `other_child`,
/// that were sent meanwhile, in seconds.
async fn longest_beside(
    server: SocketAddr,
    child: &Child,
    session: &str,
    other: &str,
    other_child: &Child,
) -> Result<(f64, f64), BoxError> {
    let (count, bytes) = LARGE;
    let sentence = "What is near rushes by and what is far stays. ";
    let repeated = sentence.repeat(bytes / sentence.len() + 1);
    let text = &format!("Our secret tomorrow. {repeated}")[..bytes];
    let messages = (0..count).map(|number| message(&number.to_string(), text));
    let body = delivery(child, session, &messages.collect::<Vec<_>>());
    let mut large = http_connect(local(3), server).await?;
    let authorization = child.assistant.clone();
    let delivering =
        tokio::spawn(async move { send(&mut large, server, &authorization, Some(body)).await });
    let mut reader = http_connect(local(4), server).await?;
    let mut writer = http_connect(local(5), server).await?;
    let (mut longest_read, mut longest_write) = (0.0_f64, 0.0_f64);
    let mut number = 0;
    while !delivering.is_finished() {
        let small = delivery(
            other_child,
            "beside",
            &[message(
                &format!("{session}-{}-{number}", child.id),
                "Hello",
            )],
        );
        let (read, write) = tokio::join!(
            send(&mut reader, server, other, None),
            send(&mut writer, server, &other_child.assistant, Some(small)),
        );
        longest_read = longest_read.max(read?);
        longest_write = longest_write.max(write?);
        number += 1;
    }
    delivering.await??;
    Ok((longest_read, longest_write))
}
