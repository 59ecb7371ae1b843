//! Reads: throughput of endpoints, latency, and pages deep in a long list.

use std::net::SocketAddr;

use super::super::baseline;
use super::super::data::{
    BoxError, CHILD_WITH_MANY_MESSAGES, CHILD_WITH_MANY_SESSIONS, MESSAGES_PER_SESSION, READ_CHILD,
    SESSIONS_PER_PAGE,
};
use super::super::load::{Load, Measurement, RawResponse, Requests, request};
use super::super::server::ServerProcess;
use super::super::table::{Series, Target, per_second, thousands};
use super::{Benchmark, Credentials, get, get_json, guardian_headers};

const CONNECTIONS: u32 = 32;

/// The default page size of the session list, and the largest one.
const DEFAULT_PAGE: usize = 50;
const LARGEST_PAGE: usize = 500;

/// An endpoint with its response and its samples.
struct Endpoint {
    label: &'static str,
    path: String,
    response: RawResponse,
    server: Series,
    memory: Series,
    p99: Series,
}

impl Benchmark {
    pub(super) async fn measure_reads(
        &mut self,
        server: &ServerProcess,
        credentials: &Credentials,
    ) -> Result<(), BoxError> {
        let mut endpoints = endpoints(server, &credentials.guardian)?;
        let bare = baseline::serve(endpoints.iter().map(|endpoint| &endpoint.response)).await?;
        let (not_modified_path, not_modified_headers) = conditional_request(server, credentials)?;
        let session_pages =
            first_pages_of_sessions(server, CHILD_WITH_MANY_MESSAGES, 2 * LARGEST_PAGE)?;

        let mut hello = Series::default();
        let mut not_modified = Series::default();
        let mut in_turn = Series::default();
        for _ in 0..self.options.rounds {
            let guardian = guardian_headers(server)?;
            hello.push(self.read(bare, "/hello", &[])?.throughput);
            for (index, endpoint) in endpoints.iter_mut().enumerate() {
                let measured = self.read(server.address, &endpoint.path, &guardian)?;
                endpoint.server.push(measured.throughput);
                endpoint.p99.push(measured.p99);
                // Same request headers, so both servers parse the same bytes.
                let measured = self.read(bare, &format!("/copy/{index}"), &guardian)?;
                endpoint.memory.push(measured.throughput);
            }
            let measured = self.read(server.address, &not_modified_path, &not_modified_headers)?;
            not_modified.push(measured.throughput);
            let measured = self.read_each(server.address, &session_pages, &guardian)?;
            in_turn.push(measured.throughput);
        }

        let throughput = per_second(hello.median());
        let label = "baseline: bare poem, `hello`";
        self.table.add(label, throughput, 1.0, "×", Target::None);
        let [small @ .., page] = &endpoints;
        for endpoint in small {
            self.add_vs_memory(endpoint, Target::AtLeast(0.60));
            let label = format!("{} vs. bare poem", endpoint.label);
            let ratio = endpoint.server.ratio_to(&hello);
            self.table.add(label, "", ratio, "×", Target::AtLeast(0.60));
        }
        self.add_vs_memory(page, Target::AtLeast(0.60));
        let label = format!(
            "{}: 99th percentile latency, {CONNECTIONS} connections",
            page.label
        );
        let target = Target::AtMost(10.0);
        self.table.add(label, "", page.p99.median(), " ms", target);
        let throughput = per_second(in_turn.median());
        let label = format!(
            "{}, {} sessions in turn, vs. same bytes from memory",
            page.label,
            thousands(session_pages.len() as f64)
        );
        let ratio = in_turn.ratio_to(&page.memory);
        self.table.add(label, throughput, ratio, "×", Target::None);
        let throughput = per_second(not_modified.median());
        let label = "assistant's blocked topics, not modified (304), vs. bare poem";
        let ratio = not_modified.ratio_to(&hello);
        let target = Target::AtLeast(0.60);
        self.table.add(label, throughput, ratio, "×", target);
        Ok(())
    }

    fn add_vs_memory(&mut self, endpoint: &Endpoint, target: Target) {
        let label = format!("{} vs. same bytes from memory", endpoint.label);
        let throughput = format!(
            "{}, from memory {} ({} bytes)",
            per_second(endpoint.server.median()),
            per_second(endpoint.memory.median()),
            thousands(endpoint.response.body.len() as f64)
        );
        let ratio = endpoint.server.ratio_to(&endpoint.memory);
        self.table.add(label, throughput, ratio, "×", target);
    }

    /// Measures three positions in a long list. The page size changes with each request, so that the responses exceed the
    /// read cache.
    pub(super) fn measure_pages(&mut self, server: &ServerProcess) -> Result<(), BoxError> {
        let list = format!("/api/sessions?child_id={CHILD_WITH_MANY_SESSIONS}");
        let guardian = guardian_headers(server)?;
        let mut pages = vec![list.clone()];
        while let Some(path) = pages.last() {
            let page = get_json(server, path, &guardian)?;
            match page["next"].as_str() {
                Some(next) => pages.push(format!("{list}&before={next}")),
                None => break,
            }
        }
        // The last page from which the largest page is still full.
        let deepest = pages.len().saturating_sub(LARGEST_PAGE / DEFAULT_PAGE);
        let places = [0, deepest.min(99), deepest].map(|place| {
            let sizes = 1..=LARGEST_PAGE;
            let paths = sizes.map(|size| format!("{}&limit={size}", pages[place]));
            paths.collect::<Vec<_>>()
        });
        let mut series = <[Series; 3]>::default();
        for _ in 0..self.options.rounds {
            for (paths, series) in places.iter().zip(&mut series) {
                let measured = self.read_each(server.address, paths, &guardian)?;
                series.push(measured.throughput);
            }
        }
        let [first, hundredth, last] = &series;
        let throughputs = series.each_ref().map(|series| per_second(series.median()));
        let slowest = hundredth.ratio_to(first).min(last.ratio_to(first));
        let label = format!(
            "session list at page 1, 100 and {}, page sizes in turn: first vs. slowest",
            thousands((deepest + 1) as f64)
        );
        let throughputs = throughputs.join(", ");
        let target = Target::AtMost(1.5);
        self.table
            .add(label, throughputs, 1.0 / slowest, "×", target);
        Ok(())
    }

    fn read(
        &self,
        server: SocketAddr,
        path: &str,
        headers: &[String],
    ) -> Result<Measurement, BoxError> {
        self.load(Requests::Get, headers).run(server, path)
    }

    fn read_each(
        &self,
        server: SocketAddr,
        paths: &[String],
        headers: &[String],
    ) -> Result<Measurement, BoxError> {
        let requests = Requests::GetEach(paths.to_vec());
        self.load(requests, headers).run(server, "/")
    }

    fn load(&self, requests: Requests, headers: &[String]) -> Load {
        Load {
            seconds: self.options.seconds,
            connections: CONNECTIONS,
            threads: 2,
            headers: headers.to_vec(),
            requests,
        }
    }
}

/// Returns the measured endpoints. The page of messages is the last.
fn endpoints(server: &ServerProcess, guardian: &[String]) -> Result<[Endpoint; 5], BoxError> {
    let sessions = format!("/api/sessions?child_id={READ_CHILD}&limit={SESSIONS_PER_PAGE}");
    let newest = get_json(server, &sessions, guardian)?["sessions"][0]["session_id"].clone();
    let topics = format!("/api/child/{READ_CHILD}/blocked_topics");
    let activities = format!("/api/child/{READ_CHILD}/activities/completed");
    let messages = format!("/api/sessions/{newest}/messages?limit={MESSAGES_PER_SESSION}");
    let endpoint = |label, path: String| {
        Ok::<_, BoxError>(Endpoint {
            response: get(server, &path, guardian)?,
            label,
            path,
            server: Series::default(),
            memory: Series::default(),
            p99: Series::default(),
        })
    };
    Ok([
        endpoint("`GET /children`", "/api/children".to_owned())?,
        endpoint("`GET /blocked_topics`", topics)?,
        endpoint("20 activities", activities)?,
        endpoint("20 sessions", sessions)?,
        endpoint("page of 200 messages", messages)?,
    ])
}

/// Returns the path of the assistant's blocked topics, and headers for which the response is 304.
fn conditional_request(
    server: &ServerProcess,
    credentials: &Credentials,
) -> Result<(String, Vec<String>), BoxError> {
    let path = format!("/api/assistant/child/{READ_CHILD}/blocked_topics");
    let first = get(server, &path, &credentials.assistant)?;
    let etag = first.headers.iter().find(|(name, _)| name == "etag");
    let (_, etag) = etag.ok_or("the blocked topics have no ETag")?;
    let mut headers = credentials.assistant.clone();
    headers.push(format!("If-None-Match: {etag}"));
    match request(server.address, "GET", &path, &headers, "")?.status {
        304 => Ok((path, headers)),
        status => Err(format!("unchanged blocked topics were answered with {status}").into()),
    }
}

/// Returns the path of the first page of messages for sessions of a child, up to about `most` of them.
pub(super) fn first_pages_of_sessions(
    server: &ServerProcess,
    child: u64,
    most: usize,
) -> Result<Vec<String>, BoxError> {
    let guardian = guardian_headers(server)?;
    let list = format!("/api/sessions?child_id={child}&limit={LARGEST_PAGE}");
    let mut paths = Vec::new();
    let mut next = Some(list.clone());
    while let Some(path) = next.filter(|_| paths.len() < most) {
        let page = get_json(server, &path, &guardian)?;
        let sessions = page["sessions"].as_array().into_iter().flatten();
        paths.extend(sessions.map(|session| {
            let id = &session["session_id"];
            format!("/api/sessions/{id}/messages?limit={MESSAGES_PER_SESSION}")
        }));
        next = page["next"]
            .as_str()
            .map(|next| format!("{list}&before={next}"));
    }
    Ok(paths)
}
