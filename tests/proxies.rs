//! The documented configurations of reverse proxies, tested with the real nginx and Caddy.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use crate::support::documents::{Block, blocks};
use crate::support::gateway_client::GatewayClient;
use crate::support::process::{Home, Server};
use crate::support::upstream::{DONE, EVENTS, HELLO, Upstream, speak, word};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

/// The host name and the upstream address in the samples.
const NAME: &str = "porchlight.example";
const UPSTREAM: &str = "127.0.0.1:8080";
const ADA: &str = "ada@example.org";
const PAGE: &str = "docs/admin/proxy.md";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nginx,
    Caddy,
}

impl Kind {
    /// Returns the proxy that a code block configures.
    fn of(code: &str) -> Option<Self> {
        let kinds = [("proxy_pass", Self::Nginx), ("reverse_proxy", Self::Caddy)];
        let kind = kinds.into_iter().find(|(word, _)| code.contains(word));
        kind.map(|(_, kind)| kind)
    }

    fn program(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Caddy => "caddy",
        }
    }

    /// Checks that the program is installed. CI must have both.
    fn is_installed(self) -> bool {
        let version = match self {
            Self::Nginx => "-v",
            Self::Caddy => "version",
        };
        let tried = self.command().arg(version).output();
        let installed = tried.is_ok_and(|output| output.status.success());
        if !installed {
            let program = self.program();
            assert!(std::env::var_os("CI").is_none(), "{program} is missing");
            eprintln!("Skipped: {program} is missing. Run: apt-get install {program}");
        }
        installed
    }

    fn command(self) -> Command {
        let debians = Path::new("/usr/sbin").join(self.program());
        let mut command = if debians.exists() {
            Command::new(debians)
        } else {
            Command::new(self.program())
        };
        command.stdin(Stdio::null());
        command
    }
}

fn samples() -> Vec<(Kind, Block)> {
    let blocks = blocks().into_iter();
    let samples = blocks.filter_map(|block| Some((Kind::of(&block.code)?, block)));
    samples.filter(|(kind, _)| kind.is_installed()).collect()
}

/// Returns the documented options for a proxy.
fn documented_options() -> Vec<String> {
    let blocks = blocks();
    let command = blocks
        .iter()
        .filter(|block| block.document.ends_with(PAGE) && block.language == "sh")
        .find(|block| block.code.contains("--trusted-proxy"))
        .expect("the page about proxies says how to trust one");
    let words = command.code.split_whitespace().collect::<Vec<_>>();
    let mut options = Vec::new();
    for option in ["--trusted-proxy", "--public-url"] {
        let at = words.iter().position(|word| *word == option).unwrap();
        options.extend([words[at], words[at + 1]].map(str::to_owned));
    }
    options
}

/// Returns a free port below the system's ephemeral range, which other tests' servers use.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + u16::try_from(std::process::id() % 10_000).unwrap();
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::Relaxed) % 2_000;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A running proxy. It is killed when dropped.
struct Proxy {
    child: Child,
    address: SocketAddr,
    _folder: TempDir,
}

impl Proxy {
    /// Runs a sample with only its addresses changed.
    fn run(kind: Kind, sample: &str, upstream: SocketAddr) -> Self {
        assert!(sample.contains(UPSTREAM), "the sample names {UPSTREAM}");
        let sample = sample.replace(UPSTREAM, &upstream.to_string());
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let mut command = kind.command();
        let config = match kind {
            Kind::Nginx => {
                command.args(["-c", &at("config"), "-p", &at(""), "-e", "stderr"]);
                let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
                let paths = paths.map(|what| format!("{what}_temp_path {};", at(what)));
                format!(
                    "daemon off; master_process off; pid {}; error_log stderr; events {{}}
                     http {{ access_log off; {}
                     server {{ listen {address}; server_name {NAME}; {sample} }} }}",
                    at("pid"),
                    paths.concat()
                )
            }
            Kind::Caddy => {
                command.args(["run", "--adapter", "caddyfile", "--config", &at("config")]);
                command.env("HOME", folder.path());
                command.env("XDG_DATA_HOME", folder.path());
                command.env("XDG_CONFIG_HOME", folder.path());
                let site = format!("http://{NAME}:{} {{\nbind 127.0.0.1\n", address.port());
                let named = format!("{NAME} {{\n");
                assert!(sample.contains(&named), "the sample serves {NAME}");
                let options = "{\nadmin off\nauto_https off\n}\n";
                format!("{options}{}", sample.replace(&named, &site))
            }
        };
        fs::write(folder.path().join("config"), config).unwrap();
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        while std::net::TcpStream::connect(address).is_err() {
            assert_eq!(child.try_wait().unwrap(), None, "{kind:?} takes the sample");
            std::thread::yield_now();
        }
        Self {
            child,
            address,
            _folder: folder,
        }
    }

    /// Sends a request from this loopback address. Returns the response's status, head and body.
    async fn send(&self, from: [u8; 4], head: &str, body: &str) -> (u16, String, String) {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        let mut stream = socket.connect(self.address).await.unwrap();
        let length = body.len();
        let request = format!(
            "{head}\r\nhost: {NAME}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_owned(), body.to_owned())
    }

    /// Requests a link with a forged `X-Forwarded-For`.
    async fn request_link(&self, from: [u8; 4], forged: &str, email: &str) -> u16 {
        let head = format!("POST /api/auth/link HTTP/1.1\r\nx-forwarded-for: {forged}");
        let body = json!({"email": email}).to_string();
        self.send(from, &head, &body).await.0
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts Porchlight as documented for a proxy. Returns its address, too.
fn start_porchlight(home: &Home) -> (Server, SocketAddr) {
    home.ok(&["guardian", "add", ADA]);
    let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let mut command = home.command(&["serve", "--listen", &address.to_string()]);
    command.args(documented_options());
    (home.start(command), address)
}

/// An app that reaches Porchlight through a proxy, and what it needs. The last field is dropped last.
struct AppBehindProxy {
    client: GatewayClient,
    _proxy: Proxy,
    _server: Server,
    _home: Home,
}

impl AppBehindProxy {
    fn start(kind: Kind, sample: &str, model: &Upstream) -> Self {
        let home = Home::new();
        let (server, address) = start_porchlight(&home);
        let url = format!("{}/v1", model.url());
        home.ok(&["child", "add", "Mia", "--guardian", ADA]);
        home.ok(&["upstream", "add", "home", "--url", &url]);
        let add = "assistant add tablet --child 1 --upstream home";
        let add = add.split(' ').collect::<Vec<_>>();
        let key = home.json(&add)["key"].as_str().unwrap().to_owned();
        let proxy = Proxy::run(kind, sample, address);
        let client = GatewayClient {
            server: proxy.address,
            host: NAME.to_owned(),
            key,
        };
        Self {
            client,
            _proxy: proxy,
            _server: server,
            _home: home,
        }
    }
}

fn warnings(home: &Home) -> String {
    let options = documented_options();
    let options = options.iter().map(String::as_str).collect::<Vec<_>>();
    home.json(&[&["check"], &options[..]].concat())["warnings"].to_string()
}

#[test]
fn the_page_about_proxies_has_a_sample_for_each() {
    for kind in [Kind::Nginx, Kind::Caddy] {
        let blocks = blocks();
        let mut samples = blocks.iter().filter(|it| Kind::of(&it.code) == Some(kind));
        let is_there = samples.any(|block| block.document.ends_with(PAGE));
        assert!(is_there, "{kind:?}");
    }
}

#[tokio::test]
async fn behind_each_sample_a_forged_address_does_not_evade_the_limits() {
    for (kind, sample) in samples() {
        let home = Home::new();
        let (server, upstream) = start_porchlight(&home);
        let proxy = Proxy::run(kind, &sample.code, upstream);

        let mut accepted = 0;
        for number in 0..40 {
            let chains = [
                format!("203.0.113.{number}"),
                format!("203.0.113.{number}, 198.51.100.{number}"),
                format!("203.0.113.{number}, 127.0.0.1"),
                "unknown".to_owned(),
            ];
            let forged = &chains[number % chains.len()];
            let email = format!("{number}@example.org");
            let status = proxy.request_link([127, 0, 0, 2], forged, &email).await;
            accepted += usize::from(status == 202);
        }

        assert_eq!(accepted, 10, "{kind:?}");
        // Another client behind the proxy has its own limit.
        let another = proxy.request_link([127, 0, 0, 3], "127.0.0.2", ADA).await;
        assert_eq!(another, 202, "{kind:?}");
        assert!(!warnings(&home).contains("X-Forwarded-For"), "{kind:?}");
        let (_, log) = server.terminate_with_log();
        assert!(!log.contains("X-Forwarded-For"), "{kind:?}: {log}");
    }
}

#[tokio::test]
async fn behind_each_sample_signing_in_works_only_from_our_own_pages() {
    for (kind, sample) in samples() {
        let home = Home::new();
        let (_server, upstream) = start_porchlight(&home);
        let proxy = Proxy::run(kind, &sample.code, upstream);
        let link = home.ok(&["sign-in-link", ADA]);
        let token = link.split_once("#token=").unwrap().1;
        let token = token.split_whitespace().next().unwrap();
        let body = json!({"email": ADA, "token": token}).to_string();
        let call = |path: &str, origin: &str, more: &str| {
            format!("POST {path} HTTP/1.1\r\norigin: {origin}{more}")
        };
        let (ours, other) = (format!("https://{NAME}"), "https://evil.example");
        let from = [127, 0, 0, 2];

        let refused = call("/api/auth/sign-in", other, "");
        assert_eq!(proxy.send(from, &refused, &body).await.0, 403, "{kind:?}");
        let sign_in = call("/api/auth/sign-in", &ours, "");
        let (status, head, _) = proxy.send(from, &sign_in, &body).await;
        assert_eq!(status, 200, "{kind:?}: {head}");
        let cookie = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("set-cookie").then_some(value)
        });
        let cookie = cookie.unwrap().split(';').next().unwrap();

        let minted = call("/api/auth/token", &ours, &format!("\r\ncookie: {cookie}"));
        let (status, _, body) = proxy.send(from, &minted, "").await;
        assert_eq!(status, 200, "{kind:?}: {body}");
        let issued: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(issued["guardian"]["email"], ADA, "{kind:?}");
    }
}

#[tokio::test]
async fn each_sample_forwards_the_host_and_only_the_clients_address() {
    for (kind, sample) in samples() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Proxy::run(kind, &sample.code, listener.local_addr().unwrap());
        let seen = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut seen = String::new();
            while !seen.contains("\r\n\r\n") {
                let mut bytes = [0; 1024];
                let count = stream.read(&mut bytes).await.unwrap();
                seen += std::str::from_utf8(&bytes[..count]).unwrap();
            }
            let response = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            stream.write_all(response).await.unwrap();
            seen.to_ascii_lowercase()
        });

        let head = "GET / HTTP/1.1\r\nx-forwarded-for: 203.0.113.1";
        assert_eq!(
            proxy.send([127, 0, 0, 2], head, "").await.0,
            200,
            "{kind:?}"
        );

        let seen = seen.await.unwrap();
        let lines = |name: &str| {
            let lines = seen.lines().filter(|line| line.starts_with(name));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines("host:"), [format!("host: {NAME}")], "{kind:?}");
        let forwarded = ["x-forwarded-for: 127.0.0.2"];
        assert_eq!(lines("x-forwarded-for:"), forwarded, "{kind:?}");
    }
}

#[tokio::test]
async fn behind_each_sample_an_answer_arrives_while_it_is_written() {
    for (kind, sample) in samples() {
        let model = Upstream::step_by_step().await;
        let behind = AppBehindProxy::start(kind, &sample.code, &model);
        let app = &behind.client;
        let messages = json!([{"role": "user", "content": "Tell me a story."}]);
        let body = json!({"model": "family-model", "stream": true, "messages": messages});

        let asked = tokio::join!(app.open_chat(&body), async {
            let mut exchange = model.next().await;
            exchange.begin(EVENTS).await;
            exchange.piece(&word("Once ")).await;
            exchange
        });
        let (mut answer, mut exchange) = asked;
        let once = word("Once ");
        let first = tokio::time::timeout(Duration::from_secs(30), answer.until(&once));
        first
            .await
            .unwrap_or_else(|_| panic!("{kind:?} holds it back"));
        exchange.piece(&word("upon a time.")).await;
        exchange.piece(DONE).await;
        exchange.end().await;

        let rest = answer.rest().await;
        rest.ok();
        assert!(rest.body.ends_with(DONE), "{kind:?}");
    }
}

#[tokio::test]
async fn behind_each_sample_a_picture_reaches_the_model() {
    for (kind, sample) in samples() {
        let model = Upstream::answering(speak).await;
        let behind = AppBehindProxy::start(kind, &sample.code, &model);
        let app = &behind.client;
        let picture = format!("data:image/png;base64,{}", "iVBORw0K".repeat(190_000));
        let content = json!([
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": picture}},
        ]);
        let messages = json!([{"role": "user", "content": content}]);
        let body = json!({"model": "family-model", "messages": messages});

        let answer = app.chat(&body).await.json();

        assert!(picture.len() > 1_500_000);
        let text = &answer["choices"][0]["message"]["content"];
        assert_eq!(text, HELLO, "{kind:?}");
    }
}

#[test]
fn nginx_waits_longer_for_a_model_than_the_gateway_does() {
    let blocks = blocks();
    let samples = blocks
        .iter()
        .filter(|it| Kind::of(&it.code) == Some(Kind::Nginx));
    for sample in samples {
        let waits = sample.code.split_once("proxy_read_timeout ").unwrap().1;
        let minutes = waits.split_once("m;").unwrap().0.parse::<u32>().unwrap();
        assert!(minutes > 10, "{}", sample.code);
    }
}

#[tokio::test]
async fn a_proxy_that_forwards_the_clients_own_header_causes_one_warning() {
    if !Kind::Nginx.is_installed() {
        return;
    }
    let home = Home::new();
    let (server, upstream) = start_porchlight(&home);
    let sample =
        format!("location / {{ proxy_pass http://{UPSTREAM}; proxy_set_header Host $host; }}");
    let proxy = Proxy::run(Kind::Nginx, &sample, upstream);
    // A load balancer's health checks don't have the header.
    proxy
        .send([127, 0, 0, 2], "GET /healthz HTTP/1.1", "")
        .await;
    assert!(!warnings(&home).contains("X-Forwarded-For"));

    for _ in 0..3 {
        proxy.send([127, 0, 0, 2], "GET / HTTP/1.1", "").await;
    }

    let warnings = warnings(&home);
    assert!(
        warnings.contains("without X-Forwarded-For") && warnings.contains("3 requests"),
        "{warnings}"
    );
    let (_, log) = server.terminate_with_log();
    assert_eq!(log.matches("without X-Forwarded-For").count(), 1, "{log}");
}

/// Sends a POST with these header lines. Returns the whole response.
fn post(address: SocketAddr, path: &str, head: &[String], body: &str) -> String {
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let lines = head.join("\r\n");
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\n{lines}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    std::io::read_to_string(&mut stream).unwrap()
}

/// Uses a sign-in link at a host name, then the cookie. Returns both responses.
fn sign_in_at(home: &Home, address: SocketAddr, origin: &str, forwarded: &str) -> (String, String) {
    let link = home.json(&["sign-in-link", ADA])["link"].clone();
    let token = link
        .as_str()
        .unwrap()
        .split_once("token=")
        .unwrap()
        .1
        .to_owned();
    let (_, host) = origin.split_once("://").unwrap();
    let head = [
        format!("host: {host}"),
        format!("origin: {origin}"),
        format!("x-forwarded-proto: {forwarded}"),
        "x-forwarded-for: 192.168.1.7".to_owned(),
    ];
    let body = json!({"email": ADA, "token": token}).to_string();
    let signed_in = post(address, "/api/auth/sign-in", &head, &body);
    let set = signed_in
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = set.and_then(|set| set.split(';').next()).unwrap_or("none=");
    let with_cookie = [&head[..], &[format!("cookie: {cookie}")]].concat();
    let renewed = post(address, "/api/auth/token", &with_cookie, "");
    (signed_in, renewed)
}

#[test]
fn an_allowed_name_over_the_other_scheme_can_sign_in_where_the_proxy_is_trusted() {
    let cases = [
        ("https://porchlight.example", "http://nas.local", "http"),
        ("http://127.0.0.1", "https://nas.local", "https"),
    ];
    for (public_url, origin, forwarded) in cases {
        let home = Home::new();
        home.ok(&["guardian", "add", ADA]);
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let listen = address.to_string();
        let options = [
            "serve",
            "--listen",
            &listen,
            "--public-url",
            public_url,
            "--allow-host",
            "nas.local",
        ];
        let trusting =
            home.start(home.command(&[&options[..], &["--trusted-proxy", "127.0.0.1"]].concat()));

        let (signed_in, renewed) = sign_in_at(&home, address, origin, forwarded);
        let (scheme, _) = origin.split_once("://").unwrap();
        let (_, host) = public_url.split_once("://").unwrap();
        let own = sign_in_at(&home, address, &format!("{scheme}://{host}"), forwarded);
        trusting.terminate();
        let _other = home.start(home.command(&options));
        let (untrusted, _) = sign_in_at(&home, address, origin, forwarded);

        assert!(
            signed_in.starts_with("HTTP/1.1 200"),
            "{origin}: {signed_in}"
        );
        assert!(
            !signed_in.contains("Secure"),
            "a browser would not keep it: {signed_in}"
        );
        assert!(renewed.starts_with("HTTP/1.1 200"), "{origin}: {renewed}");
        assert!(
            !own.0.starts_with("HTTP/1.1 200"),
            "the public name's scheme is its own: {}",
            own.0
        );
        assert!(untrusted.starts_with("HTTP/1.1 403"), "{untrusted}");
    }
}
