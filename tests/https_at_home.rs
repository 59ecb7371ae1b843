//! `serve --home --https-name` with Debian's `pebble`, a certificate authority for tests, and its DNS server.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use chrono::Datelike;
use porchlight::kernel::host::clock::Clock;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};

use crate::support::process::{Home, Server, text, wait_for};

const NAME: &str = "blue-lamp.dedyn.io";

/// An authority and a DNS server. They end when it is dropped.
struct Authority {
    programs: Vec<Child>,
    directory: String,
    management: u16,
    /// Trusts the authority's own https.
    roots: PathBuf,
    hook: PathBuf,
    /// What the hook was run with.
    hooked: PathBuf,
}

impl Drop for Authority {
    fn drop(&mut self) {
        for program in &mut self.programs {
            let _ = program.kill();
            let _ = program.wait();
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// The first network interface with an IPv4 address other than loopback, and that address.
fn interface() -> Option<(String, String)> {
    let listed = Command::new("ip")
        .args(["-4", "-o", "addr", "show", "scope", "global"])
        .output()
        .ok()?;
    let listed = text(&listed.stdout);
    let mut words = listed.lines().next()?.split_whitespace();
    let name = words.nth(1)?.to_owned();
    let address = words.nth(1)?.split('/').next()?.to_owned();
    Some((name, address))
}

impl Authority {
    /// `None` without the programs.
    fn start(home: &Home) -> Option<Self> {
        let folder = home.path();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let ca = KeyPair::generate().unwrap();
        let roots = folder.join("roots.pem");
        fs::write(&roots, params.self_signed(&ca).unwrap().pem()).unwrap();
        let key = KeyPair::generate().unwrap();
        let own = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let own = own.signed_by(&key, &Issuer::new(params, ca)).unwrap();
        fs::write(folder.join("pebble.pem"), own.pem()).unwrap();
        fs::write(folder.join("pebble.key"), key.serialize_pem()).unwrap();
        let [port, management, dns, dns_management] = [(); 4].map(|()| free_port());
        let config = json!({ "pebble": {
            "listenAddress": format!("127.0.0.1:{port}"),
            "managementListenAddress": format!("127.0.0.1:{management}"),
            "certificate": "pebble.pem", "privateKey": "pebble.key",
            "httpPort": 5002, "tlsPort": 5001, "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
        }});
        fs::write(folder.join("pebble.json"), config.to_string()).unwrap();
        let dns_address = format!("127.0.0.1:{dns}");
        let started = Command::new("pebble-challtestsrv")
            .args([
                "-http01",
                "",
                "-https01",
                "",
                "-tlsalpn01",
                "",
                "-dns01",
                &dns_address,
            ])
            .args(["-management", &format!("127.0.0.1:{dns_management}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut programs = vec![started.ok()?];
        let started = Command::new("pebble")
            .args(["-config", "pebble.json", "-dnsserver", &dns_address])
            .current_dir(folder)
            .env("PEBBLE_VA_NOSLEEP", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        programs.push(started.ok()?);
        for port in [port, management, dns_management] {
            wait_for(|| TcpStream::connect(("127.0.0.1", port)).ok());
        }
        let (hook, hooked) = (folder.join("hook"), folder.join("hooked"));
        let script = format!(
            "#!/bin/bash
             echo \"$1 $2 $3\" >> {}
             [ \"$2\" = TXT ] || exit 0
             body=\"{{\\\"host\\\": \\\"$3.\\\", \\\"value\\\": \\\"$4\\\"}}\"
             exec 3<>/dev/tcp/127.0.0.1/{dns_management} || exit 1
             printf 'POST /%s-txt HTTP/1.0\\r\\nContent-Length: %s\\r\\n\\r\\n%s' \"$1\" \"${{#body}}\" \"$body\" >&3
             read -r status <&3
             [[ $status = *200* ]]
             ",
            hooked.display()
        );
        fs::write(&hook, script).unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o700)).unwrap();
        Some(Self {
            programs,
            directory: format!("https://localhost:{port}/dir"),
            management,
            roots,
            hook,
            hooked,
        })
    }

    fn serve(&self, home: &Home, interface: &str, port: u16) -> Server {
        let mut command = home.command(&self.options("serve", interface, port));
        command.args(["--listen", "127.0.0.1:0", "--log", "debug"]);
        command.env("SSL_CERT_FILE", &self.roots);
        home.start(command)
    }

    fn options<'a>(&'a self, command: &'a str, interface: &'a str, port: u16) -> Vec<&'a str> {
        let listen: &'static str = Box::leak(format!("0.0.0.0:{port}").into_boxed_str());
        vec![
            command,
            "--home",
            "--home-on",
            interface,
            "--https-name",
            NAME,
            "--dns-hook",
            self.hook.to_str().unwrap(),
            "--https-listen",
            listen,
            "--acme-directory",
            &self.directory,
            "--acme-accept-terms",
        ]
    }

    /// The root of the certificates that it makes.
    fn root(&self, home: &Home) -> PathBuf {
        let url = format!("https://127.0.0.1:{}/roots/0", self.management);
        let fetched = Command::new("curl").args(["-sk", &url]).output().unwrap();
        let file = home.path().join("issued-by.pem");
        fs::write(&file, fetched.stdout).unwrap();
        file
    }
}

#[test]
fn a_name_gets_a_certificate_that_survives_a_kill_and_its_keys_are_told_to_nobody() {
    let home = Home::new();
    let Some((interface, address)) = interface() else {
        return println!("skipped: no network interface has an address");
    };
    let Some(authority) = Authority::start(&home) else {
        return println!("skipped: pebble is not installed");
    };
    let port = free_port();
    home.ok(&["guardian", "add", "ada@example.org", "--name", "Ada"]);
    let server = authority.serve(&home, &interface, port);
    let state = home.data().join("https/state.json");
    let waits =
        || fs::read_to_string(&state).is_ok_and(|it| it.contains("\"waits_for_setup\":true"));
    wait_for(|| waits().then_some(()));
    server.kill();
    let hooked = fs::read_to_string(&authority.hooked).unwrap();
    assert!(!hooked.contains("TXT"), "no child is known yet: {hooked}");
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);

    let mut server = authority.serve(&home, &interface, port);
    let file = home.data().join("https/certificate.pem");
    let look = || fs::read_to_string(&file).ok();
    let first = [(); 4]
        .iter()
        .find_map(|()| std::panic::catch_unwind(|| wait_for(look)).ok());
    let Some(first) = first else {
        let (_, log) = server.terminate_with_log();
        panic!("no certificate: {log}");
    };
    server.prints_until(NAME);

    let url = format!("https://{NAME}:{port}");
    let root = authority.root(&home);
    let curl = |arguments: &[&str], path: &str| {
        let resolve = format!("{NAME}:{port}:{address}");
        let asked = Command::new("curl")
            .args(["-si", "--max-time", "10", "--resolve", &resolve, "--cacert"])
            .arg(&root)
            .args(arguments)
            .arg(format!("{url}{path}"))
            .output()
            .unwrap();
        text(&asked.stdout)
    };
    let page = wait_for(|| Some(curl(&[], "/")).filter(|page| page.contains("HTTP/1.1 200")));
    assert!(
        page.contains("strict-transport-security: max-age=0"),
        "{page}"
    );
    let own = format!("Origin: {url}");
    let plain = format!("Origin: {}", server.url);
    let post = |origin: &str| curl(&["-X", "POST", "-H", origin], "/api/auth/token");
    assert!(post(&own).contains(" 204 "), "{}", post(&own));
    assert!(post(&plain).contains(" 403 "), "{}", post(&plain));
    let hooked = fs::read_to_string(&authority.hooked).unwrap();
    let challenge = format!("_acme-challenge.{NAME}");
    for line in [
        format!("set A {NAME}"),
        format!("set TXT {challenge}"),
        format!("clear TXT {challenge}"),
    ] {
        assert!(hooked.lines().any(|it| it == line), "{line} in {hooked}");
    }

    server.kill();
    let server = authority.serve(&home, &interface, port);
    wait_for(|| curl(&[], "/").contains("HTTP/1.1 200").then_some(()));
    assert_eq!(fs::read_to_string(&file).unwrap(), first);

    let online = || {
        let options = authority.options("check", &interface, port);
        let mut command = home.command(&[&options[..], &["--online"]].concat());
        let ran = command.env("SSL_CERT_FILE", &root).output().unwrap();
        (ran.status.code(), text(&ran.stdout) + &text(&ran.stderr))
    };
    let (code, said) = online();
    assert!(said.contains("answers with a valid certificate"), "{said}");
    assert_eq!(code, Some(0), "{said}");
    let checked = home.ok(&authority.options("check", &interface, port));
    assert!(checked.contains("valid until"), "{checked}");
    let exported = home.ok(&["export"]);
    home.ok(&["backup", "family.backup"]);
    let unpacked =
        zstd::decode_all(&*fs::read(home.path().join("family.backup")).unwrap_or_default());
    let (_, log) = server.terminate_with_log();
    let (code, said) = online();
    assert!(code == Some(1) && said.contains("Steps 3 and 4"), "{said}");
    let account = fs::read_to_string(home.data().join("https/account.json")).unwrap();
    let account = serde_json::from_str::<Value>(&account).unwrap();
    let key = first.lines().nth(1).unwrap();
    for secret in [key, account["key"].as_str().unwrap()] {
        assert!(secret.len() > 40);
        for told in [&log, &checked, &exported] {
            assert!(!told.contains(secret), "{told}");
        }
        if let Ok(unpacked) = &unpacked {
            assert!(!text(unpacked).contains(secret));
        }
    }
}

#[test]
fn an_old_certificate_serves_on_while_it_cannot_be_renewed_and_guardians_are_told() {
    let home = Home::new();
    let Some((interface, address)) = interface() else {
        return println!("skipped: no network interface has an address");
    };
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec![NAME.to_owned()]).unwrap();
    let now = Clock::System.now().to_chrono();
    let day = |days: i64| {
        let date = (now + chrono::Duration::days(days)).date_naive();
        let (month, day) = (date.month(), date.day());
        rcgen::date_time_ymd(
            date.year(),
            month.try_into().unwrap(),
            day.try_into().unwrap(),
        )
    };
    (params.not_before, params.not_after) = (day(-80), day(10));
    let certificate = params.self_signed(&key).unwrap().pem();
    home.ok(&["guardian", "add", "ada@example.org"]);
    // Nobody knows how long this store was without a server.
    home.ok(&["clock", "accept"]);
    let folder = home.data().join("https");
    fs::create_dir(&folder).unwrap();
    let pem = key.serialize_pem() + &certificate;
    fs::write(folder.join("certificate.pem"), &pem).unwrap();
    let trusted = home.path().join("trusted.pem");
    fs::write(&trusted, &certificate).unwrap();
    let port = free_port();
    let listen = format!("0.0.0.0:{port}");
    // Nobody listens there.
    let authority = format!("https://127.0.0.1:{}/dir", free_port());
    let options = [
        "--home",
        "--home-on",
        &interface,
        "--https-name",
        NAME,
        "--dns-hook",
        "/bin/true",
        "--https-listen",
        &listen,
        "--acme-directory",
        &authority,
        "--acme-accept-terms",
        "--mail",
        "console",
    ];

    let serve = [&["serve", "--listen", "127.0.0.1:0"], &options[..]].concat();
    let mut server = home.start(home.command(&serve));

    let printed = server.prints_until("could not be renewed");
    assert!(printed.contains("ada@example.org"), "{printed}");
    wait_for(|| folder.join("told.json").exists().then_some(()));
    let resolve = format!("{NAME}:{port}:{address}");
    let asked = Command::new("curl")
        .args(["-si", "--max-time", "10", "--resolve", &resolve, "--cacert"])
        .arg(&trusted)
        .arg(format!("https://{NAME}:{port}/healthz"))
        .output();
    if let Ok(asked) = asked {
        assert!(
            text(&asked.stdout).contains("200"),
            "{}",
            text(&asked.stdout)
        );
    }
    assert_eq!(
        fs::read_to_string(folder.join("certificate.pem")).unwrap(),
        pem
    );
    let checked = home.ok(&[&["check"], &options[..]].concat());
    for words in ["cannot be reached", "is valid only until", "renewed from"] {
        assert!(checked.contains(words), "{words}: {checked}");
    }
}
