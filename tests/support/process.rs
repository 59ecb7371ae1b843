//! The real binary in a temporary folder.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use age::secrecy::ExposeSecret;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The binary's working directory.
pub struct Home {
    folder: TempDir,
}

impl Home {
    pub fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("porchlight-data")
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes an identity file as `age-keygen` does. Returns its public key.
    pub fn make_age_key(&self, name: &str) -> String {
        let key = age::x25519::Identity::generate();
        let secret = key.to_string();
        let text = format!("# a test's\n{}\n", secret.expose_secret());
        std::fs::write(self.folder.path().join(name), text).unwrap();
        key.to_public().to_string()
    }

    /// Returns a command without the machine's `PORCHLIGHT_` variables.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_porchlight"));
        remove_settings(&mut command);
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs a command that must succeed. Returns its output.
    #[track_caller]
    pub fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (printed, problem) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {problem}");
        printed
    }

    /// Runs a command with `--json` that must succeed. Returns its output.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.ok(&[arguments, &["--json"]].concat());
        serde_json::from_str(&printed).expect("--json prints JSON")
    }

    /// Runs a command that must exit with 1. Returns its error message.
    #[track_caller]
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{arguments:?}: {}",
            text(&output.stdout)
        );
        text(&output.stderr).trim_end().to_owned()
    }

    /// Starts the server on a free port. Waits for its address.
    pub fn serve(&self, arguments: &[&str]) -> Server {
        self.start(self.command(&serve_arguments(arguments)))
    }

    /// Like [`Home::serve`], run by another program, such as strace.
    pub fn serve_with_prefix(&self, prefix: &[String], arguments: &[&str]) -> Server {
        let own = self.command(&serve_arguments(arguments));
        let mut command = Command::new(&prefix[0]);
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.current_dir(self.folder.path()).args(&prefix[1..]);
        command.arg(own.get_program()).args(own.get_args());
        self.start(command)
    }

    /// Starts the server with this command. Waits for its address.
    pub fn start(&self, mut command: Command) -> Server {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut printed = BufReader::new(child.stdout.take().unwrap());
        let mut greeting = String::new();
        while !greeting.contains("\n  Data ") {
            let read = printed.read_line(&mut greeting).unwrap();
            if read == 0 {
                let ended = child.wait_with_output().unwrap();
                panic!("the server ended: {greeting}{}", text(&ended.stderr));
            }
        }
        let address = greeting
            .lines()
            .find_map(|line| line.trim().strip_prefix("Open "));
        let url = address
            .expect("the greeting names the address")
            .trim()
            .to_owned();
        Server {
            child,
            url,
            greeting,
            printed,
        }
    }
}

fn serve_arguments<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["serve", "--listen", "127.0.0.1:0"], arguments].concat()
}

/// Removes the machine's `PORCHLIGHT_` variables from a command's environment.
pub fn remove_settings(command: &mut Command) {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PORCHLIGHT_")) {
        command.env_remove(name);
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A running server. It is killed when dropped.
pub struct Server {
    child: Child,
    pub url: String,
    pub greeting: String,
    printed: BufReader<ChildStdout>,
}

impl Server {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends SIGTERM. Returns the exit code.
    pub fn terminate(mut self) -> Option<i32> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }

    /// Sends SIGTERM. Returns the exit code and the log.
    pub fn terminate_with_log(mut self) -> (Option<i32>, String) {
        let mut log = String::new();
        let mut errors = self.child.stderr.take().unwrap();
        let code = self.terminate();
        std::io::Read::read_to_string(&mut errors, &mut log).unwrap();
        (code, log)
    }

    /// Sends SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Reads the output up to a line that contains `mark`.
    pub fn prints_until(&mut self, mark: &str) -> String {
        let mut printed = String::new();
        while !printed.contains(mark) {
            let read = self.printed.read_line(&mut printed).unwrap();
            assert!(read > 0, "the server ended: {printed}");
        }
        printed
    }

    /// Signs in with a link, as a browser. Returns the identity token.
    pub fn sign_in(&self, email: &str, link: &str) -> String {
        let (_, token) = link.split_once("#token=").unwrap();
        let body = json!({"email": email, "token": token}).to_string();
        let headers = [
            ("origin", self.url.as_str()),
            ("content-type", "application/json"),
        ];
        let answer = send(&self.url, "POST", "/api/auth/sign-in", &headers, &body);
        let (status, body) = answer.unwrap();
        assert_eq!(status, 200, "{body}");
        let body = serde_json::from_str::<Value>(&body).unwrap();
        body["identity_token"].as_str().unwrap().to_owned()
    }

    /// Sends a request on a new connection. Returns status and body, or `None` if the server is gone.
    pub fn request(
        &self,
        method: &str,
        path: &str,
        bearer: &str,
        body: Option<&str>,
    ) -> Option<(u16, String)> {
        request(&self.url, method, path, bearer, body)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Polls for up to fifteen seconds.
pub fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..300 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
    panic!("timed out");
}

/// Sends a request on a new connection.
pub fn request(
    url: &str,
    method: &str,
    path: &str,
    bearer: &str,
    body: Option<&str>,
) -> Option<(u16, String)> {
    let authorization = format!("Bearer {bearer}");
    let headers = [
        ("authorization", authorization.as_str()),
        ("content-type", "application/json"),
    ];
    send(url, method, path, &headers, body.unwrap_or_default())
}

fn send(
    url: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Option<(u16, String)> {
    let host = url.strip_prefix("http://").unwrap();
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\nconnection: close\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let mut stream = TcpStream::connect(host).ok()?;
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body.as_bytes()).ok()?;
    let mut response = Vec::new();
    std::io::Read::read_to_end(&mut stream, &mut response).ok()?;
    let response = text(&response);
    let (head, body) = response.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}
