//! `serve --home`: which clients get a response, tested in network namespaces. A router connects the home network, with
//! Porchlight's machine and a phone, to a client outside.

use std::process::{Command, Output};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use crate::support::process::{Home, Server, text};

/// Porchlight's addresses, IPv4 and IPv6.
const MACHINE: [&str; 2] = ["192.168.77.2", "fd77::2"];
const PORT: u16 = 8080;

/// Makes the networks' names unique within this process.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// Four network namespaces, removed at the end.
struct Network {
    prefix: String,
}

impl Network {
    /// Creates the namespaces; `None` where that isn't possible.
    fn new() -> Option<Self> {
        let network = Self {
            prefix: format!("porch{}-{}", std::process::id(), MADE.fetch_add(1, Relaxed)),
        };
        if !run("ip", &["netns", "list"])?.status.success() || !rustix::process::geteuid().is_root()
        {
            return None;
        }
        let [machine, phone, router, outside] = ["m", "p", "r", "o"].map(|name| network.name(name));
        for namespace in [&machine, &phone, &router, &outside] {
            let added = run("ip", &["netns", "add", namespace])?;
            if !added.status.success() {
                return None;
            }
        }
        let script = format!(
            "set -e
             link() {{ ip link add $2 netns $1 type veth peer name $4 netns $3; ip -n $1 link set $2 up; ip -n $3 link set $4 up; }}
             for n in {machine} {phone} {router} {outside}; do
                 ip -n $n link set lo up
                 ip netns exec $n sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 || true
             done
             ip -n {router} link add home type bridge
             ip -n {router} link set home up
             link {machine} eth0 {router} machine
             link {phone} eth0 {router} phone
             link {outside} eth0 {router} world
             ip -n {router} link set machine master home
             ip -n {router} link set phone master home
             ip -n {machine} addr add 192.168.77.2/24 dev eth0
             ip -n {machine} addr add fd77::2/64 dev eth0 nodad
             ip -n {phone} addr add 192.168.77.3/24 dev eth0
             ip -n {phone} addr add fd77::3/64 dev eth0 nodad
             ip -n {router} addr add 192.168.77.1/24 dev home
             ip -n {router} addr add 192.168.77.254/24 dev home
             ip -n {router} addr add fd77::1/64 dev home nodad
             ip -n {router} addr add fe80::1/64 dev home nodad
             ip -n {router} addr add 10.77.0.1/24 dev world
             ip -n {router} addr add fd78::1/64 dev world nodad
             ip -n {outside} addr add 10.77.0.2/24 dev eth0
             ip -n {outside} addr add fd78::2/64 dev eth0 nodad
             for n in {machine} {phone}; do
                 ip -n $n route add default via 192.168.77.1
                 ip -n $n -6 route add default via fe80::1 dev eth0
             done
             ip -n {outside} route add default via 10.77.0.1
             ip -n {outside} -6 route add default via fd78::1
             ip netns exec {router} sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
             "
        );
        let made = run("bash", &["-c", &script])?;
        assert!(made.status.success(), "{}", text(&made.stderr));
        Some(network)
    }

    fn name(&self, who: &str) -> String {
        format!("{}{who}", self.prefix)
    }

    /// The command that runs Porchlight's binary on its machine.
    fn on_machine(&self, home: &Home, arguments: &[&str]) -> Command {
        let own = home.command(&[&["serve", "--home"], arguments].concat());
        let mut command = Command::new("ip");
        command.current_dir(home.path());
        command.args(["netns", "exec", &self.name("m")]);
        command.arg(own.get_program()).args(own.get_args());
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// Runs a program on the router.
    fn at_router(&self, arguments: &[&str]) {
        let router = self.name("r");
        let ran = run("ip", &[&["netns", "exec", &router], arguments].concat()).unwrap();
        assert!(ran.status.success(), "{arguments:?}: {}", text(&ran.stderr));
    }

    /// Returns the response to `GET path` from `who` with these headers; empty without a response.
    fn get(&self, who: &str, address: &str, path: &str, headers: &str) -> String {
        let script = format!(
            "exec 3<>/dev/tcp/{address}/{PORT} || exit 9
             printf 'GET {path} HTTP/1.1\\r\\n{headers}Connection: close\\r\\n\\r\\n' >&3 2>/dev/null
             timeout 10 cat <&3 2>/dev/null"
        );
        let got = run(
            "ip",
            &["netns", "exec", &self.name(who), "bash", "-c", &script],
        )
        .unwrap();
        assert_ne!(
            got.status.code(),
            Some(9),
            "{address} is out of reach: {}",
            text(&got.stderr)
        );
        text(&got.stdout)
    }

    /// Returns the health check's response to `who`.
    fn health(&self, who: &str, address: &str) -> String {
        self.get(who, address, "/healthz", "Host: porchlight\r\n")
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for who in ["m", "p", "r", "o"] {
            run("ip", &["netns", "delete", &self.name(who)]);
        }
    }
}

fn run(program: &str, arguments: &[&str]) -> Option<Output> {
    Command::new(program).args(arguments).output().ok()
}

/// Creates the network, or prints why the test is skipped.
fn network() -> Option<Network> {
    let network = Network::new();
    if network.is_none() {
        eprintln!("Skipped: network namespaces need root, and `ip`. Run: apt-get install iproute2");
    }
    network
}

fn serve_at_home(network: &Network, home: &Home) -> Server {
    home.start(network.on_machine(home, &["--home-on", "eth0"]))
}

#[test]
fn only_clients_in_the_home_network_get_a_response() {
    let Some(network) = network() else { return };
    let home = Home::new();
    let server = serve_at_home(&network, &home);
    assert_eq!(server.url, format!("http://{}:{PORT}", MACHINE[0]));

    for address in MACHINE {
        assert!(
            network.health("p", address).ends_with("ok\n"),
            "the phone, {address}"
        );
        assert!(
            network.health("m", address).ends_with("ok\n"),
            "the machine itself, {address}"
        );
        assert_eq!(network.health("o", address), "", "from outside, {address}");
        assert_eq!(network.health("r", address), "", "the router, {address}");
    }
}

/// After booting, the machine doesn't know the link-layer address of its IPv6 router before it sends something there.
#[test]
fn the_router_is_refused_at_each_of_its_addresses() {
    let Some(network) = network() else { return };
    let home = Home::new();
    let _server = serve_at_home(&network, &home);
    // Responding to a client outside makes the machine resolve the router's addresses.
    assert_eq!(network.health("o", MACHINE[0]), "");
    assert_eq!(network.health("o", MACHINE[1]), "");

    for (own, address) in [
        ("192.168.77.1", MACHINE[0]),
        ("192.168.77.254", MACHINE[0]),
        ("fd77::1", MACHINE[1]),
    ] {
        let network_of = |address: &str| {
            if address.contains(':') {
                "fd77::/64"
            } else {
                "192.168.77.0/24"
            }
        };
        let from = [
            "ip",
            "route",
            "replace",
            network_of(own),
            "dev",
            "home",
            "src",
            own,
        ];
        network.at_router(&from);
        assert_eq!(network.health("r", address), "", "from {own}");
        assert!(
            network.health("p", address).ends_with("ok\n"),
            "the phone, beside {own}"
        );
    }
}

/// With nexthop objects only, a route doesn't name its gateway.
#[test]
fn a_route_without_a_named_gateway_admits_nobody_else() {
    let Some(network) = network() else { return };
    let home = Home::new();
    let _server = serve_at_home(&network, &home);
    let machine = network.name("m");
    let hide = "sysctl -qw net.ipv4.nexthop_compat_mode=0 && ip nexthop add id 7 via 192.168.77.1 dev eth0 \
         && ip route replace default nhid 7";
    let hidden = run("ip", &["netns", "exec", &machine, "sh", "-c", hide]).unwrap();
    assert!(hidden.status.success(), "{}", text(&hidden.stderr));

    for who in ["r", "p", "o"] {
        assert_eq!(network.health(who, MACHINE[0]), "", "{who}");
    }
    assert!(network.health("m", MACHINE[0]).ends_with("ok\n"));
}

#[test]
fn dns_rebinding_is_refused_and_the_servers_own_addresses_are_allowed_hosts() {
    let Some(network) = network() else { return };
    let home = Home::new();
    let _server = serve_at_home(&network, &home);
    let get = |headers: &str| network.get("p", MACHINE[0], "/api/auth/methods", headers);

    for host in ["192.168.77.2:8080", "192.168.77.2"] {
        let answer = get(&format!("Host: {host}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{host}: {answer}");
    }
    for host in ["evil.example:8080", "192.168.77.3:8080", "10.77.0.2"] {
        let answer = get(&format!("Host: {host}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 421"), "{host}: {answer}");
        assert!(answer.contains("\"detail\""), "{answer}");
        let page = get(&format!("Host: {host}\r\nAccept: text/html\r\n"));
        assert!(page.starts_with("HTTP/1.1 421"), "{page}");
        assert!(page.contains("<h1>Porchlight does not answer under this address</h1>"));
        assert!(
            !page.contains("192.168.77.2"),
            "it tells no address: {page}"
        );
    }
    let answer = network.get(
        "p",
        "fd77::2",
        "/api/auth/methods",
        "Host: [fd77::2]:8080\r\n",
    );
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn both_ipv4_and_ipv6_are_served_if_the_system_separates_them() {
    let Some(network) = network() else { return };
    let home = Home::new();
    let apart = [
        "netns",
        "exec",
        &network.name("m"),
        "sysctl",
        "-qw",
        "net.ipv6.bindv6only=1",
    ];
    assert!(run("ip", &apart).unwrap().status.success());
    let _server = serve_at_home(&network, &home);

    for address in MACHINE {
        let answer = network.health("p", address);
        assert!(answer.ends_with("ok\n"), "{address}: {answer}");
    }
}

#[test]
fn names_that_routers_give_the_device_are_allowed_hosts() {
    let Some(network) = network() else { return };
    let home = Home::new();
    let _server = serve_at_home(&network, &home);
    let system = rustix::system::uname();
    let full = system.nodename().to_string_lossy().into_owned();
    let name = full.split('.').next().unwrap().to_owned();
    let get = |host: &str| {
        let host = format!("Host: {host}:8080\r\n");
        network.get("p", MACHINE[0], "/api/auth/methods", &host)
    };

    for host in [&name, &full]
        .into_iter()
        .cloned()
        .chain(["local", "lan", "fritz.box", "home.arpa"].map(|domain| format!("{name}.{domain}")))
    {
        assert!(get(&host).starts_with("HTTP/1.1 200"), "{host}");
    }
    assert!(get(&format!("{name}.evil.example")).starts_with("HTTP/1.1 421"));
}

#[test]
fn the_server_does_not_start_without_the_named_network_interface() {
    let Some(network) = network() else { return };
    let home = Home::new();

    for arguments in [&[][..], &["--home-on", "eth7"]] {
        let output = network.on_machine(&home, arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let sentence = text(&output.stderr);
        assert!(sentence.contains("--home-on eth0"), "{sentence}");
    }
}

#[test]
fn home_excludes_a_public_url_and_trusted_proxies() {
    let home = Home::new();
    for more in [
        ["--public-url", "http://192.168.77.2:8080"],
        ["--trusted-proxy", "10.0.0.0/8"],
    ] {
        let output = home.run(&[&["serve", "--home"], &more[..]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(more[0]),
            "{}",
            text(&output.stderr)
        );
    }
}
