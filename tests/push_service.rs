//! What push services get and what becomes of their answers. The address rule has no exception, so a stand-in has a public address: the
//! test runs again in a network namespace of its own, in which that address and the services' names are this machine's.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

use crate::support::process::{Home, request, text, wait_for};

const ADA: &str = "adabanana@example.org";
/// The service answers 404, 410 and 201 to their phones. The last one signs out before.
const OTHERS: [&str; 4] = [
    "benbanana@example.org",
    "cleobanana@example.org",
    "danbanana@example.org",
    "evebanana@example.org",
];
const INSIDE: &str = "IN_THE_NAMESPACE_OF_THE_PUSH_SERVICE";
const URL: &str = "http://porchlight.example:8080";
const PUSH: &str = "/api/subscription/push";
const HOSTS: &str = "127.0.0.1 porchlight.example localhost
8.8.4.4 fcm.googleapis.com web.push.apple.com
127.0.0.1 updates.push.services.mozilla.com
192.168.7.7 a.notify.windows.com
";

/// A request: the address that got it, its head and its body.
#[derive(Clone, Debug)]
struct Got {
    at: String,
    head: String,
    body: Vec<u8>,
}

/// Stands in for all services, at every address. Answers with the status at the end of the path.
fn stand_in(home: &Home) -> Arc<Mutex<Vec<Got>>> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca = KeyPair::generate().unwrap();
    let roots = params.self_signed(&ca).unwrap().pem();
    fs::write(home.path().join("roots.pem"), roots).unwrap();
    let key = KeyPair::generate().unwrap();
    let names = HOSTS.split_whitespace().filter(|word| word.contains(".co"));
    let own = CertificateParams::new(names.map(str::to_owned).collect::<Vec<_>>()).unwrap();
    let own = own.signed_by(&key, &Issuer::new(params, ca)).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.der().clone()], key);
    let (config, got) = (Arc::new(config.unwrap()), Arc::<Mutex<Vec<Got>>>::default());
    let listener = TcpListener::bind("0.0.0.0:443").unwrap();
    let all = Arc::clone(&got);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            let at = stream.local_addr().unwrap().ip().to_string();
            let tls = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(tls, stream);
            let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
            let end = loop {
                match stream.read(&mut buffer) {
                    Ok(count) if count > 0 => read.extend_from_slice(&buffer[..count]),
                    _ => break None,
                }
                let head = read.windows(4).position(|it| it == b"\r\n\r\n");
                let Some(end) = head else { continue };
                let length = text(&read[..end]).to_lowercase();
                let length = length.split("content-length: ").nth(1).unwrap();
                let length = length.lines().next().unwrap().parse::<usize>().unwrap();
                if read.len() >= end + 4 + length {
                    break Some(end);
                }
            };
            let Some(end) = end else { continue };
            let head = text(&read[..end]);
            let path = head.split(' ').nth(1).unwrap().to_owned();
            let status = path.rsplit('/').next().unwrap().to_owned();
            let body = read[end + 4..].to_vec();
            all.lock().unwrap().push(Got { at, head, body });
            let answer = format!(
                "HTTP/1.1 {status} x\r\ncontent-length: 0\r\nretry-after: 1\r\n\
                 location: https://web.push.apple.com/followed/201\r\n\r\n"
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    got
}

/// Runs this test in a namespace; `false` where that isn't possible.
fn run_inside() -> bool {
    if !rustix::process::geteuid().is_root() {
        return false;
    }
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    fs::write(&hosts, HOSTS).unwrap();
    let script = "set -e
        mount --bind \"$1\" /etc/hosts
        ip link set lo up
        ip addr add 8.8.4.4/32 dev lo
        ip addr add 192.168.7.7/32 dev lo
        exec \"$2\" --exact push_service::what_a_push_service_gets_and_answers --nocapture";
    let unshared = Command::new("unshare")
        .args(["--net", "--mount", "sh", "-c", script, "sh"])
        .arg(&hosts)
        .arg(std::env::current_exe().unwrap())
        .env(INSIDE, "1")
        .output();
    let Ok(unshared) = unshared else { return false };
    let (printed, errors) = (text(&unshared.stdout), text(&unshared.stderr));
    if errors.contains("unshare failed") {
        return false;
    }
    assert!(unshared.status.success(), "{printed}\n{errors}");
    assert!(printed.contains("1 passed"), "{printed}");
    true
}

/// For what must not happen meanwhile.
fn pause(seconds: u64) {
    for _ in 0..20 * seconds {
        std::thread::park_timeout(Duration::from_millis(50));
    }
}

fn call(method: &str, path: &str, token: &str, body: &Value) -> (u16, Value) {
    let body = body.to_string();
    let answer = request(URL, method, path, token, Some(&body)).unwrap();
    (
        answer.0,
        serde_json::from_str(&answer.1).unwrap_or_default(),
    )
}

#[test]
fn what_a_push_service_gets_and_answers() {
    if std::env::var_os(INSIDE).is_none() {
        if !run_inside() {
            eprintln!("not tested: this needs root and network namespaces");
        }
        return;
    }
    let home = Home::new();
    let got = stand_in(&home);
    home.ok(&["guardian", "add", ADA]);
    home.ok(&["child", "add", "Miabanana", "--guardian", ADA]);
    for other in OTHERS {
        home.ok(&["guardian", "add", other]);
        home.ok(&["child", "link", "1", "--guardian", other]);
    }
    let added = home.json(&["assistant", "add", "Kitchenbanana", "--child", "1"]);
    let kitchen = added["key"].as_str().unwrap();
    let mut command = home.command(&[
        "serve",
        "--listen",
        "127.0.0.1:8080",
        "--public-url",
        "https://porchlight.example",
        "--mail",
        "console",
    ]);
    command.env("SSL_CERT_FILE", home.path().join("roots.pem"));
    let server = home.start(command);

    let fcm = "https://fcm.googleapis.com/fcm/send/abc";
    let private = [
        "https://updates.push.services.mozilla.com/wpush/v2/201",
        "https://a.notify.windows.com/w/201",
    ];
    let endpoints = [201, 404, 410, 413, 429, 500, 307].map(|status| format!("{fcm}/{status}"));
    let endpoints = endpoints.into_iter().chain(private.map(str::to_owned));
    let add = |guardian: &str, endpoint: &str| {
        let token = home.ok(&["token", guardian]).trim().to_owned();
        let (_, status) = call("GET", PUSH, &token, &json!(null));
        let device = json!({
            "key": status["key"],
            "endpoint": endpoint,
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        });
        let (status, answer) = call("PUT", PUSH, &token, &device);
        assert_eq!(status, 204, "{endpoint}: {answer}");
        token
    };
    let devices = endpoints.map(|endpoint| {
        let token = add(ADA, &endpoint);
        (endpoint, token)
    });
    let devices = devices.collect::<Vec<_>>();
    let phones = [404, 410, 201, 410].into_iter().zip(OTHERS);
    let phones = phones
        .enumerate()
        .map(|(number, (status, other))| add(other, &format!("{fcm}/{number}/{status}")));
    let phones = phones.collect::<Vec<_>>();
    let phrases = json!([{"words": "our secret banana", "side": "either"}]);
    for token in phones.iter().chain([&devices[0].1]) {
        let (status, _) = call("PUT", "/api/child/1/watched_phrases", token, &phrases);
        assert_eq!(status, 200);
    }
    let [ben, cleo, dan, eve] = OTHERS;
    home.ok(&["guardian", "sign-out", eve]);
    let talk = |session: &str| {
        let delivery = json!({"session": session, "topic": "banana", "messages": [
            {"message_id": "m", "source": "assistant", "text_content": "It is our secret banana."},
        ]});
        let (status, answer) = call("POST", "/api/assistant/deliveries", kitchen, &delivery);
        assert_eq!(status, 200, "{answer}");
    };
    let requests = || got.lock().unwrap().clone();
    let to = |path: &str| {
        let start = format!("POST {path} HTTP/1.1\r\n");
        requests()
            .iter()
            .filter(|it| it.head.starts_with(&start))
            .count()
    };
    let is_on = |token: &str| {
        call("GET", PUSH, token, &json!(null))
            .1
            .get("since")
            .is_some()
    };

    talk("first");

    // All are tried once, and those that may work later again: 429, 5xx and a redirect, which isn't followed.
    wait_for(|| (requests().len() >= 10).then_some(()));
    for _ in 0..3 {
        if to("/fcm/send/abc/429") < 2 || to("/fcm/send/abc/500") < 2 || to("/fcm/send/abc/307") < 2
        {
            pause(10);
        }
    }
    for (endpoint, token) in &devices {
        let path = endpoint.strip_prefix("https://fcm.googleapis.com");
        let sent = path.map_or(0, to);
        match endpoint.rsplit('/').next().unwrap() {
            _ if path.is_none() => assert_eq!(sent, 0, "{endpoint}"),
            "201" | "413" => assert_eq!(sent, 1, "{endpoint}"),
            "404" | "410" => assert_eq!(sent, 1, "{endpoint}"),
            _ => assert!(sent >= 2, "{endpoint}: {sent}"),
        }
        let is_gone = endpoint.ends_with("404") || endpoint.ends_with("410");
        assert_eq!(is_on(token), !is_gone, "{endpoint}");
    }
    let (mut keys, mut bodies) = (Vec::new(), Vec::new());
    for Got { at, head, body } in requests() {
        assert_eq!(at, "8.8.4.4", "{head}");
        let lower = head.to_lowercase();
        for header in [
            "content-encoding: aes128gcm",
            "content-type: application/octet-stream",
            "ttl: 86400",
            "urgency: high",
            "authorization: vapid t=ey",
        ] {
            assert!(lower.contains(header), "{head}");
        }
        for word in [
            "banana",
            "example.org",
            "porchlight.example:",
            "gdn_",
            "sgn_",
            "topic:",
        ] {
            assert!(
                !lower.contains(word) && !text(&body).contains(word),
                "{head}"
            );
        }
        assert_eq!(body.len(), 230);
        let token = head.split("vapid t=").nth(1).unwrap();
        let claims = token.split('.').nth(1).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(claims).unwrap();
        let claims = serde_json::from_slice::<Value>(&claims).unwrap();
        assert_eq!(claims["aud"], "https://fcm.googleapis.com");
        assert_eq!(claims["sub"], "https://porchlight.example");
        keys.push(head.split(", k=").nth(1).unwrap()[..87].to_owned());
        bodies.push(body);
    }
    keys.dedup();
    bodies.sort();
    bodies.dedup();
    assert_eq!((keys.len(), bodies.len()), (1, requests().len()));

    // Whose phone was dropped learns it on another device, after the open alert. Nobody else does.
    let waiting = |guardian: &str| {
        let token = home.ok(&["token", guardian]).trim().to_owned();
        let (_, alerts) = call("GET", "/api/child/1/alerts", &token, &json!(null));
        let alert = &alerts["alerts"][0]["alert_id"];
        let path = format!("/api/child/1/alerts/{alert}/dealt_with");
        let (status, answer) = call("PUT", &path, &token, &json!({"dealt_with": true}));
        assert_eq!(status, 204, "{answer}");
        let (_, attention) = call("GET", "/api/attention", &token, &json!(null));
        let (_, arrivals) = call("GET", "/api/subscription/arrivals", &token, &json!(null));
        let is_refused = arrivals["push"]["refused"].is_object();
        let [state, channel] = ["state", "channel"].map(|key| attention["items"][0][key].clone());
        let is_told = state == "not_reached" && channel == "push";
        assert_eq!(is_told, is_refused, "{attention} {arrivals}");
        (is_told, token)
    };
    let (told, tokens) = [ben, cleo, dan, eve]
        .map(waiting)
        .into_iter()
        .unzip::<_, _, Vec<_>, Vec<_>>();
    assert_eq!(told, [true, true, false, false]);
    let (status, _) = call("DELETE", PUSH, &tokens[0], &json!(null));
    assert_eq!((status, waiting(ben).0), (204, false), "left off");
    assert!(waiting(cleo).0);
    home.ok(&["guardian", "sign-out", cleo]);
    assert!(!waiting(cleo).0, "the phone's sign-in has ended");

    // Signed out: nothing comes any more, and what waits is dropped.
    home.ok(&["guardian", "sign-out", ADA]);
    pause(1);
    got.lock().unwrap().clear();
    talk("second");
    pause(20);
    assert_eq!(requests().len(), 0, "{:?}", requests());
    let (_, log) = server.terminate_with_log();
    for word in ["banana", "fcm/send", "BTBZMqHH", "example.org"] {
        assert!(!log.contains(word), "{log}");
    }
}
