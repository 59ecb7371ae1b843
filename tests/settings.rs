//! Every option of the server, on the command line and in the environment.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, Command};

use crate::support::process::{Home, text};

/// An option, the options that it requires, and its values: each as given, and as `check` shows it.
struct Row {
    option: &'static str,
    beside: &'static [&'static str],
    forms: &'static [(&'static str, &'static str)],
}

const YES: [&str; 5] = ["on", "true", "yes", "1", "TRUE"];
const NO: [&str; 5] = ["off", "false", "no", "0", ""];

const MAIL_FROM: &[&str] = &["--mail-from=porch@light.example"];
const MAIL: &[&str] = &[
    "--smtp=smtps://mail.example",
    "--mail-from=porch@light.example",
];
const ISSUER: &[&str] = &[
    "--oidc-issuer=https://id.example",
    "--oidc-client-id=porchlight",
];
const BACKUPS: &[&str] = &["--backup-dir=backups"];
const AGE_KEY: &str = "age1hqh90a6rc0un4u8gmzyv3c67fx9wlw2tlfdeu4kh453wy6mnsgsqksmy6k";
const TWO_AGE_KEYS: &str = concat!(
    "age1hqh90a6rc0un4u8gmzyv3c67fx9wlw2tlfdeu4kh453wy6mnsgsqksmy6k",
    ",",
    "age1u42sv48w332vqspstm9rcqd38qe5evn7k5ntzh96ehrdszgmfqnq70t9v7"
);

const NAMED: &[&str] = &["--home", "--home-on=lo", "--https-name=blue-lamp.dedyn.io"];
const NAMED_WITH_TOKEN: &[&str] = &[
    "--home",
    "--home-on=lo",
    "--https-name=blue-lamp.dedyn.io",
    "--dns-token-file=dns-token",
];
const NAMED_AT_DESEC: &[&str] = &[
    "--home",
    "--home-on=lo",
    "--https-name=blue-lamp.dedyn.io",
    "--dns=desec",
];
const DNS: &[&str] = &["--home", "--home-on=lo", "--dns-hook=/bin/true"];
const HTTPS: &[&str] = &[
    "--home",
    "--home-on=lo",
    "--https-name=blue-lamp.dedyn.io",
    "--dns-hook=/bin/true",
];

/// A flag has one form: how `check` shows it.
const ROWS: &[Row] = &[
    row("data", &[], &[("elsewhere", "elsewhere (to be made)")]),
    row(
        "listen",
        &[],
        &[("127.0.0.1:9", " 127.0.0.1:9\n"), ("[::1]:9", " [::1]:9\n")],
    ),
    row("home", &["--home-on=lo"], &[("", "devices of the home")]),
    row(
        "home-on",
        &["--home"],
        &[
            ("lo", "devices of the home"),
            ("eth7,lo", "devices of the home"),
            ("eth7, lo", "devices of the home"),
        ],
    ),
    row(
        "https-name",
        DNS,
        &[("blue-lamp.dedyn.io", "blue-lamp.dedyn.io with ")],
    ),
    row("dns", NAMED_WITH_TOKEN, &[("desec", "with deSEC\n")]),
    row(
        "dns-token-file",
        NAMED_AT_DESEC,
        &[("dns-token", "with deSEC\n")],
    ),
    row("dns-hook", NAMED, &[("/bin/true", "with /bin/true\n")]),
    row(
        "https-listen",
        HTTPS,
        &[("127.0.0.1:9443", " 127.0.0.1:9443\n")],
    ),
    row(
        "acme-directory",
        HTTPS,
        &[(
            "https://ca.example/directory",
            "by https://ca.example/directory\n",
        )],
    ),
    row(
        "acme-accept-terms",
        HTTPS,
        &[("", "whose terms are accepted")],
    ),
    row(
        "public-url",
        &[],
        &[
            ("https://porch.example", "https://porch.example\n"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080\n"),
        ],
    ),
    row("demo", &[], &[("", "printed on the console")]),
    row("demo-live", &["--demo"], &[("", "printed on the console")]),
    row(
        "smtp",
        MAIL_FROM,
        &[
            (
                "smtps://me:s3cret@mail.example",
                "smtps://***:***@mail.example:465",
            ),
            (
                "smtp://me:s3cret@mail.example",
                "smtp://***:***@mail.example:587",
            ),
        ],
    ),
    row(
        "smtp-file",
        MAIL_FROM,
        &[
            ("smtp", "smtps://***:***@mail.example:465"),
            ("smtp-with-mark", "smtps://***:***@mail.example:465"),
        ],
    ),
    row(
        "smtp-hello-name",
        MAIL,
        &[
            ("nas.example.org", "mail.example:465"),
            ("[192.168.1.2]", "mail.example:465"),
        ],
    ),
    row("smtp-ca-file", MAIL, &[("ca.pem", "mail.example:465")]),
    row(
        "mail-from",
        &["--smtp=smtps://mail.example"],
        &[("porch@light.example", "from porch@light.example")],
    ),
    row("mail", &[], &[("console", "printed on the console")]),
    row("tls-cert", &["--tls-key=key"], &[("cert", "cert with key")]),
    row("tls-key", &["--tls-cert=cert"], &[("key", "cert with key")]),
    row(
        "insecure-http",
        &["--public-url=http://nas.local"],
        &[("", "http://nas.local is plain http")],
    ),
    row(
        "hsts",
        &[],
        &[("", "browsers keep https alone for two years")],
    ),
    row(
        "allow-host",
        &[],
        &[
            ("nas.local", "known as nas.local\n"),
            ("nas.local,nas.lan", "known as nas.local, nas.lan\n"),
            (
                "nas.local, nas.fritz.box",
                "known as nas.local, nas.fritz.box\n",
            ),
            ("http://nas.local:8080", "known as nas.local\n"),
        ],
    ),
    row("open-sign-up", &[], &[("", "open to everybody")]),
    row(
        "guardians-manage",
        &[],
        &[
            ("on", "guardians in the browser"),
            ("true", "guardians in the browser"),
            ("off", "commands alone"),
            ("false", "commands alone"),
        ],
    ),
    row("backup-dir", &[], &[("backups", "to backups,")]),
    row(
        "backup-dir-create",
        &["--backup-dir=to/be/made"],
        &[("", "to to/be/made")],
    ),
    row(
        "backup-every",
        BACKUPS,
        &[("24h", "every 1day to"), ("7d", "every 7days to")],
    ),
    row("backup-keep", BACKUPS, &[("3", "newest 3 kept")]),
    row(
        "backup-recipient",
        &[],
        &[
            (AGE_KEY, "not scheduled; encrypted\n"),
            (TWO_AGE_KEYS, "not scheduled; encrypted for 2 keys\n"),
        ],
    ),
    row(
        "alert-mail",
        &[],
        &[("admin@light.example", "(--alert-mail)")],
    ),
    row(
        "trusted-proxy",
        &[],
        &[
            ("10.0.0.0/8", " 10.0.0.0/8\n"),
            ("192.0.2.1", " 192.0.2.1/32\n"),
            ("10.0.0.0/8,192.0.2.1", "10.0.0.0/8, 192.0.2.1/32"),
            ("10.0.0.0/8, ::1", "10.0.0.0/8, ::1/128"),
        ],
    ),
    row(
        "limits",
        &[],
        &[("on", ""), ("off", "The limits are off"), ("10", "10")],
    ),
    row(
        "assistant-quota",
        &[],
        &[("20MB,50000", ""), ("off", "quota of assistants is off")],
    ),
    row(
        "gateway-budget",
        &[],
        &[
            ("5000", "5000 requests a key and day"),
            ("70", "70 requests a key and day"),
        ],
    ),
    row(
        "gateway-origin",
        &[],
        &[
            ("https://chat.example.org", " https://chat.example.org\n"),
            (
                "app://obsidian.md,http://192.168.1.20:3000",
                "app://obsidian.md, http://192.168.1.20:3000",
            ),
        ],
    ),
    row(
        "reviewer-model",
        &[],
        &[(
            "llama3.1:8b",
            "llama3.1:8b at the gateway's upstream, 300000 tokens",
        )],
    ),
    row(
        "reviewer-url",
        &["--reviewer-model=m"],
        &[
            ("https://api.example.org/v1", "m at api.example.org, "),
            ("http://127.0.0.1:11434/v1", "m at 127.0.0.1:11434, "),
            ("http://api.example.org/v1", "is plain http"),
        ],
    ),
    row(
        "reviewer-key-file",
        &[
            "--reviewer-model=m",
            "--reviewer-url=https://api.example.org/v1",
        ],
        &[("reviewer-key", "m at api.example.org, ")],
    ),
    row(
        "reviewer-budget",
        &["--reviewer-model=m"],
        &[("50000", "50000 tokens a child and day")],
    ),
    row(
        "helpline",
        &[],
        &[("Childline 0800 1111", "Childline 0800 1111")],
    ),
    row(
        "time-zone",
        &[],
        &[("Europe/Berlin", "Europe/Berlin"), ("UTC", "UTC")],
    ),
    row(
        "ntfy",
        &[],
        &[
            ("https://ntfy.sh", " https://ntfy.sh\n"),
            (
                "http://nas.local:8090/",
                "ntfy server is reached by plain http",
            ),
        ],
    ),
    row(
        "ntfy-token-file",
        &["--ntfy=https://ntfy.sh"],
        &[("token", "https://ntfy.sh, with a token")],
    ),
    row(
        "webhook",
        &["--webhook-key-file=key"],
        &[
            (
                "https://home.example/api/webhook/s3cret",
                "https://home.example/…, signed",
            ),
            (
                "http://nas.local:8123/hook",
                "webhook is sent by plain http",
            ),
        ],
    ),
    row(
        "webhook-key-file",
        &["--webhook=https://home.example/hook"],
        &[("key", "https://home.example/…, signed")],
    ),
    row(
        "push-host",
        &[],
        &[("push.example.org", "push.example.org")],
    ),
    row(
        "oidc-issuer",
        &["--oidc-client-id=porchlight"],
        &[("https://id.example", "https://id.example as porchlight")],
    ),
    row(
        "oidc-client-id",
        &["--oidc-issuer=https://id.example"],
        &[("porchlight", "https://id.example as porchlight")],
    ),
    row(
        "oidc-client-secret",
        ISSUER,
        &[("s3cret", "https://id.example as porchlight, with a secret")],
    ),
    row(
        "oidc-client-secret-file",
        ISSUER,
        &[("smtp", "https://id.example as porchlight, with a secret")],
    ),
    row(
        "oidc-name",
        ISSUER,
        &[("the family's account", "https://id.example")],
    ),
    row(
        "oidc-audience",
        ISSUER,
        &[
            ("project-1", "also for project-1\n"),
            ("project-1, api", "also for project-1 and api\n"),
        ],
    ),
    row(
        "oidc-trust-email",
        ISSUER,
        &[("", "trusting addresses without email_verified")],
    ),
    row(
        "log",
        &[],
        &[
            ("debug", " debug\n"),
            ("warning", " warn\n"),
            (
                "info,porchlight::identity=debug",
                "porchlight::identity=debug",
            ),
        ],
    ),
];

const fn row(
    option: &'static str,
    beside: &'static [&'static str],
    forms: &'static [(&'static str, &'static str)],
) -> Row {
    Row {
        option,
        beside,
        forms,
    }
}

fn variable(option: &str) -> String {
    format!(
        "PORCHLIGHT_{}",
        option.to_ascii_uppercase().replace('-', "_")
    )
}

/// The server's settings by name: the options of `serve` and the global ones.
fn settings() -> BTreeMap<String, Arg> {
    let program = porchlight::cli::command();
    let serve = program.find_subcommand("serve").unwrap();
    let all = program.get_arguments().chain(serve.get_arguments());
    let settings = all.filter_map(|arg| Some((arg.get_long()?.to_owned(), arg.clone())));
    // `--json` only changes the output format.
    settings.filter(|(option, _)| option != "json").collect()
}

/// All variables of a command and the commands below it.
fn variables(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(Arg::get_env);
    let own = own.map(|name| name.to_str().unwrap().to_owned());
    own.chain(command.get_subcommands().flat_map(variables))
        .collect()
}

/// A folder with the files that the rows name.
fn home() -> Home {
    let home = Home::new();
    let secret = "smtps://me:s3cret@mail.example\n";
    std::fs::write(home.path().join("smtp"), secret).unwrap();
    std::fs::write(
        home.path().join("smtp-with-mark"),
        format!("\u{feff}{secret}"),
    )
    .unwrap();
    std::fs::write(home.path().join("reviewer-key"), "sk-s3cret\n").unwrap();
    std::fs::write(home.path().join("token"), "tk_s3cret\n").unwrap();
    std::fs::write(home.path().join("dns-token"), "s3cret-token\n").unwrap();
    let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";
    std::fs::write(home.path().join("key"), key).unwrap();
    std::fs::create_dir(home.path().join("backups")).unwrap();
    home
}

/// What `check` prints.
#[track_caller]
fn check(home: &Home, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = home.command(&[&["check"], arguments].concat());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?} {variables:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

#[test]
fn each_setting_has_a_row_here_a_variable_of_its_name_and_a_line_in_the_documents() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/admin/settings.md");
    let page = std::fs::read_to_string(page).unwrap();
    let settings = settings();
    let of_rows = ROWS.iter().map(|row| row.option).collect::<Vec<_>>();

    for (option, arg) in &settings {
        assert!(of_rows.contains(&option.as_str()), "--{option}: a row here");
        let own = variable(option);
        let named = arg.get_env().and_then(std::ffi::OsStr::to_str);
        assert_eq!(named, Some(own.as_str()), "--{option}");
        let is_documented = page.contains(&format!("`--{option}"));
        assert!(is_documented, "--{option} in docs/admin/settings.md");
    }
    for variable_name in variables(&porchlight::cli::command()) {
        let known = of_rows
            .iter()
            .any(|option| variable(option) == variable_name);
        assert!(known, "{variable_name}: a row here");
    }
    assert_eq!(of_rows.len(), settings.len());
}

#[test]
fn each_setting_works_as_an_option_and_as_a_variable_in_each_form() {
    let (home, settings) = (home(), settings());

    for Row {
        option,
        beside,
        forms,
    } in ROWS
    {
        let variable = variable(option);
        let with = |more: &[&str]| {
            let arguments = [beside, more].concat();
            check(&home, &arguments, &[])
        };
        let is_flag = matches!(settings[*option].get_action(), ArgAction::SetTrue);
        for (value, said) in *forms {
            let typed = format!("--{option}");
            let printed = if is_flag {
                let of_yes = YES.map(|yes| check(&home, beside, &[(&variable, yes)]));
                [vec![with(&[&typed])], of_yes.to_vec()].concat()
            } else {
                vec![
                    with(&[&typed, value]),
                    with(&[&format!("{typed}={value}")]),
                    check(&home, beside, &[(&variable, value)]),
                ]
            };
            for printed in printed {
                assert!(printed.contains(said), "{typed} {value:?}: {printed}");
            }
        }
        if is_flag {
            for no in NO {
                let printed = check(&home, &[], &[(&variable, no)]);
                let said = forms[0].1;
                assert!(!printed.contains(said), "{variable}={no}: {printed}");
            }
            let mut other = home.command(&["check"]);
            let refused = other.env(&variable, "perhaps").output().unwrap();
            assert_eq!(refused.status.code(), Some(2), "{variable}=perhaps");
        }
    }
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let home = home();
    let unset = check(&home, &[], &[]);
    let all = ROWS
        .iter()
        .map(|row| variable(row.option))
        .collect::<Vec<_>>();

    for name in &all {
        assert_eq!(check(&home, &[], &[(name, "")]), unset, "{name}=");
    }
    let mut serve = home.command(&["serve", "--listen", "127.0.0.1:0"]);
    let listen = variable("listen");
    let empty = all.iter().filter(|name| **name != listen);
    serve.envs(empty.map(|name| (name, "")));
    let server = home.start(serve);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn an_invalid_log_level_is_refused_and_warning_includes_errors() {
    let home = home();

    let loud = home.run(&["serve", "--listen", "127.0.0.1:0", "--log", "loud"]);
    let mut warning = home.command(&["serve", "--listen", "127.0.0.1:0"]);
    warning.env("PORCHLIGHT_LOG", "warning");
    let server = home.start(warning);

    assert_eq!(loud.status.code(), Some(2));
    let sentence = text(&loud.stderr);
    assert!(sentence.contains("error, warn, info"), "{sentence}");
    let (_, log) = server.terminate_with_log();
    assert!(log.contains("No mail server is configured"), "{log}");
    assert!(!log.contains("told to end"), "{log}");
    assert!(
        !log.contains('\u{1b}'),
        "no colours off a terminal: {log:?}"
    );
}
