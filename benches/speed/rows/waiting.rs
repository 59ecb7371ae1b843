//! Long polling for a change of the rules: the delay until the change arrives, and the cost of each waiting request.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

use super::super::data::{BoxError, guardian_email};
use super::super::load::request;
use super::super::server::ServerProcess;
use super::super::stopwatch::Stopwatch;
use super::super::table::{Series, Target, thousands};
use super::{Benchmark, bearer, connect_from, get, guardian_headers};

const CHILDREN: usize = 20;
const ASSISTANTS_PER_CHILD: usize = 50;

/// Time for the server to register requests that were just sent.
const SETTLE: Duration = Duration::from_millis(500);

/// An assistant with a waiting request.
struct Assistant {
    child: usize,
    /// The address that it connects from.
    from: SocketAddr,
    path: String,
    authorization: String,
}

/// An assistant's response, and when it arrived, in seconds.
struct Answered {
    assistant: usize,
    at: f64,
}

impl Benchmark {
    pub(super) async fn measure_waiting(&mut self, server: &ServerProcess) -> Result<(), BoxError> {
        let (children, assistants) = add_assistants(server)?;
        let before = server.resident_set()?;
        let watch = Arc::new(Stopwatch::start());
        let (answers, mut answered) = mpsc::unbounded_channel();
        let assistants = assistants.into_iter().map(Arc::new).collect::<Vec<_>>();
        let wait = |number: usize| -> Result<(), BoxError> {
            let assistant = Arc::clone(&assistants[number]);
            let headers = [assistant.authorization.clone()];
            let known = get(server, &assistant.path, &headers)?;
            let tag = known.headers.iter().find(|(name, _)| name == "etag");
            let (_, tag) = tag.ok_or("the rules have no tag")?.clone();
            let (address, watch, answers) = (server.address, Arc::clone(&watch), answers.clone());
            tokio::spawn(async move {
                // A failed request is detected below, because its response is missing.
                if wait_once(address, &assistant, &tag).await.is_ok() {
                    let at = watch.seconds();
                    let _ = answers.send(Answered {
                        assistant: number,
                        at,
                    });
                }
            });
            Ok(())
        };
        for number in 0..assistants.len() {
            wait(number)?;
        }
        tokio::time::sleep(SETTLE).await;
        let kilobytes = (server.resident_set()? - before) * 1e3 / assistants.len() as f64;

        let mut delays = Series::default();
        for round in 0..self.options.rounds {
            for (index, child) in children.iter().enumerate() {
                let guardian = guardian_headers(server)?;
                let path = format!("/api/child/{child}/blocked_topics");
                let topics = format!("[\"Topic {round}\"]");
                request(server.address, "PUT", &path, &guardian, &topics)?;
                let acknowledged = watch.seconds();
                for _ in 0..ASSISTANTS_PER_CHILD {
                    let answer = answered.recv().await.ok_or("a call was not answered")?;
                    if assistants[answer.assistant].child != index {
                        return Err("a change woke a call of another child".into());
                    }
                    delays.push((answer.at - acknowledged).max(0.0) * 1e3);
                    wait(answer.assistant)?;
                }
                tokio::time::sleep(SETTLE).await;
            }
        }
        let label = format!(
            "{} waiting assistants: 99th percentile from a change's acknowledgement to its {ASSISTANTS_PER_CHILD} answers",
            thousands(assistants.len() as f64)
        );
        let details = format!("median {:.1} ms", delays.median());
        let target = Target::AtMost(250.0);
        self.table
            .add(label, details, delays.percentile(99), " ms", target);
        let label = "resident set for each call that waits";
        self.table.add(label, "", kilobytes, " kB", Target::None);
        Ok(())
    }
}

/// Adds children, and assistants for each.
fn add_assistants(server: &ServerProcess) -> Result<(Vec<u64>, Vec<Assistant>), BoxError> {
    let (mut children, mut assistants) = (Vec::new(), Vec::new());
    for index in 0..CHILDREN {
        let (name, email) = (format!("Child {index}"), guardian_email(1));
        let child = server.command(&["child", "add", &name, "--guardian", &email])?["child_id"]
            .as_u64()
            .ok_or("the child has no number")?;
        let from = Ipv4Addr::new(127, 0, 1, u8::try_from(index)? + 1);
        for number in 0..ASSISTANTS_PER_CHILD {
            let (name, child) = (format!("waiting {index} {number}"), child.to_string());
            let added = server.command(&["assistant", "add", &name, "--child", &child])?;
            let key = added["key"].as_str().ok_or("the assistant has no key")?;
            assistants.push(Assistant {
                child: index,
                from: (from, 0).into(),
                path: format!("/api/assistant/child/{child}/rules"),
                authorization: bearer(key),
            });
        }
        children.push(child);
    }
    Ok((children, assistants))
}

/// Waits until the rules no longer have this tag.
async fn wait_once(server: SocketAddr, assistant: &Assistant, tag: &str) -> Result<(), BoxError> {
    let mut stream = connect_from(assistant.from, server).await?;
    let request = format!(
        "GET {}?wait=60 HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n{}\r\nIf-None-Match: {tag}\r\n\r\n",
        assistant.path, assistant.authorization
    );
    stream.write_all(request.as_bytes()).await?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await?;
    if response.starts_with(b"HTTP/1.1 200") {
        Ok(())
    } else {
        Err("the call was not answered with other rules".into())
    }
}
