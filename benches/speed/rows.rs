//! The rows of the table: memory, start and size in this module; requests in the modules below.

mod alerts;
mod gateway;
mod households;
mod live;
mod reads;
mod search;
mod waiting;
mod writes;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::{fs, io};

use bytes::Bytes;
use hyper::body::Body;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::{TcpSocket, TcpStream};

use super::Options;
use super::data::{BoxError, READ_CHILD, guardian_email};
use super::load::{RawResponse, request};
use super::server::{self, ServerProcess};
use super::table::{Series, Table, Target, thousands};

/// The benchmark: its options, its folders, and the rows so far.
pub struct Benchmark {
    options: Options,
    folder: PathBuf,
    served: PathBuf,
    store_only: PathBuf,
    table: Table,
    deliveries: u32,
}

/// The headers that authenticate each kind of caller.
struct Credentials {
    guardian: Vec<String>,
    assistant: Vec<String>,
}

impl Benchmark {
    /// `served` and `store_only` are copies of the data set: one for the server, one for the store-only baseline.
    pub fn new(options: Options, folder: PathBuf, served: PathBuf, store_only: PathBuf) -> Self {
        Self {
            options,
            folder,
            served,
            store_only,
            table: Table::default(),
            deliveries: 0,
        }
    }

    pub async fn run(mut self) -> Result<Table, BoxError> {
        self.measure_empty()?;
        if self.includes("households") {
            self.measure_households()?;
        }
        let server = ServerProcess::start(&self.served, "/readyz", &[])?;
        let credentials = issue_credentials(&server)?;
        server.stop()?;
        let server = self.measure_starts(&credentials)?;
        if self.includes("reads") {
            self.measure_reads(&server, &credentials).await?;
        }
        if self.includes("pages") {
            self.measure_pages(&server)?;
        }
        if self.includes("search") {
            self.measure_search(&server)?;
        }
        writes::open_sessions(&server, &credentials)?;
        if self.includes("deliveries") {
            self.measure_deliveries(&server, &credentials)?;
        }
        if self.includes("batches") {
            self.measure_batches(&server, &credentials).await?;
        }
        self.measure_memory(&server)?;
        if self.includes("waiting") {
            self.measure_waiting(&server).await?;
        }
        if self.includes("live") {
            self.measure_live(&server).await?;
        }
        if self.includes("alerts") {
            self.measure_alerts(&server).await?;
        }
        if self.includes("gateway") {
            self.measure_gateway(&server).await?;
        }
        server.stop()?;
        self.measure_size()?;
        Ok(self.table)
    }

    fn includes(&self, name: &str) -> bool {
        self.options
            .only
            .as_ref()
            .is_none_or(|only| name.starts_with(only.as_str()))
    }

    fn measure_empty(&mut self) -> Result<(), BoxError> {
        let data = self.folder.join("empty");
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        let server = ServerProcess::start(&data, "/readyz", &[])?;
        let label = "resident set, empty store";
        self.add_resident_set(label, &server, Target::AtMost(20.0))?;
        server.stop()
    }

    /// Starts the server once per round and once more, and returns the last one running.
    fn measure_starts(&mut self, credentials: &Credentials) -> Result<ServerProcess, BoxError> {
        let start = || ServerProcess::start(&self.served, "/api/children", &credentials.guardian);
        let mut times = Series::default();
        for _ in 0..self.options.rounds {
            let server = start()?;
            times.push(server.startup_ms);
            server.stop()?;
        }
        let server = start()?;
        let messages = thousands(self.options.messages as f64);
        let label = format!("start with {messages} messages, to the first response");
        let target = Target::AtMost(250.0);
        self.table.add(label, "", times.median(), " ms", target);
        self.add_resident_set("resident set after that start", &server, Target::None)?;
        Ok(server)
    }

    fn measure_memory(&mut self, server: &ServerProcess) -> Result<(), BoxError> {
        let target = Target::AtMost(100.0);
        self.add_resident_set("resident set after all rows above", server, target)?;
        if self.includes("memory") {
            let file = self.folder.join("backup");
            let _ = fs::remove_file(&file);
            server.command(&[
                "backup",
                "--force",
                file.to_str().ok_or("the path is not UTF-8")?,
            ])?;
            fs::remove_file(&file)?;
            self.add_resident_set("resident set after a backup as well", server, target)?;
        }
        Ok(())
    }

    fn add_resident_set(
        &mut self,
        label: &str,
        server: &ServerProcess,
        target: Target,
    ) -> Result<(), BoxError> {
        let resident = server.resident_set()?;
        self.table.add(label, "", resident, " MB", target);
        Ok(())
    }

    fn measure_size(&mut self) -> Result<(), BoxError> {
        let size = fs::metadata(server::binary())?.len() as f64 / 1e6;
        let label = "the binary that was measured";
        self.table.add(label, "", size, " MB", Target::AtMost(26.0));
        Ok(())
    }
}

/// Opens a connection from this address, because the server limits the connections of one address.
async fn connect_from(from: SocketAddr, server: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(from)?;
    socket.connect(server).await
}

/// Opens an HTTP connection from this address.
async fn http_connect<B>(from: SocketAddr, server: SocketAddr) -> Result<SendRequest<B>, BoxError>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let stream = connect_from(from, server).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

fn header(line: &str) -> Result<(&str, &str), BoxError> {
    Ok(line.split_once(": ").ok_or("a header has no value")?)
}

fn issue_credentials(server: &ServerProcess) -> Result<Credentials, BoxError> {
    let child = READ_CHILD.to_string();
    let added = server.command(&["assistant", "add", "bench", "--child", &child])?;
    let key = added["key"].as_str().ok_or("the assistant has no key")?;
    Ok(Credentials {
        guardian: guardian_headers(server)?,
        assistant: vec![bearer(key)],
    })
}

/// Issues a new token for the guardian of the first family. It is valid for ten minutes.
fn guardian_headers(server: &ServerProcess) -> Result<Vec<String>, BoxError> {
    let issued = server.command(&["token", &guardian_email(1)])?;
    let token = issued["identity_token"].as_str();
    Ok(vec![bearer(token.ok_or("no token was issued")?)])
}

fn bearer(credential: &str) -> String {
    format!("Authorization: Bearer {credential}")
}

fn get(server: &ServerProcess, path: &str, headers: &[String]) -> Result<RawResponse, BoxError> {
    let response = request(server.address, "GET", path, headers, "")?;
    match response.status {
        200 => Ok(response),
        status => Err(format!("{path} was answered with {status}").into()),
    }
}

fn get_json(server: &ServerProcess, path: &str, headers: &[String]) -> Result<Value, BoxError> {
    let response = get(server, path, headers)?;
    Ok(serde_json::from_slice(&response.body)?)
}
