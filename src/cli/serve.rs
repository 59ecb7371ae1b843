//! `porchlight serve`

mod access_log;
mod at_home;
mod commands;
mod demo_live;
mod demo_model;
mod https_name;
mod listening;
mod over;
mod reviewing;
mod setup_link;

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::qr::qr_code;
use super::{Context, Outcome};
use crate::admin::owner::Owner;
use crate::admin::schedule::{self, BackupSchedule};
use crate::admin::{AdminError, DEMO_FAMILY, Operation, Reports, Seed};
use crate::app::{App, AppSettings};
use crate::config::{Config, LogLevels, MailConfig, ServeOptions};
use crate::identity::api::Homes;
use crate::identity::{IdentitySettings, remembered_public_url};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::mail::{EmailAddress, MailIds, Mailer, SmtpMailer, SmtpSettings};
use crate::kernel::store::Store;
use crate::kernel::store::backup_state::ScheduledBackups;
use crate::server::listener::{self, BoundListener, ConnectionLimits, TlsReloader};
use crate::server::{self, Hsts, IngressConfig, KnownHosts, TrustedProxies};

use https_name::BoundName;

pub use https_name::own_address as own_ipv4;

/// How long requests in flight may take after the stop signal. Including the later steps, the shutdown stays within the ten
/// seconds that a service manager waits.
const GRACE: Duration = Duration::from_secs(6);

/// The interval of the background maintenance.
const LOOK: Duration = Duration::from_secs(10);

/// The demonstration's guardian.
const DEMO_EMAIL: &str = "demo@porchlight.example";

/// Runs the server until it gets a signal to stop.
pub async fn run(context: &Context, options: ServeOptions) -> Outcome {
    if let Some(owner) = Owner::other_than_root(&context.client.data) {
        let error = owner.exec(&context.client.data);
        let data = context.client.data.display();
        return Err(AdminError::new(format!(
            "{data} belongs to another user, as whom it cannot be served: {error}."
        )));
    }
    let config = options.check().map_err(AdminError::new)?;
    log_to_stderr(config.log.clone());
    server::install_panic_hook();
    let store = open_store(context, &config)?;
    let socket = listening::listen(config.listen).await?;
    let address = socket.local_addr().unwrap_or(config.listen);
    let public_url = config
        .public_url
        .clone()
        .map_or_else(|| own_url(&config, address), Ok)?;
    let tls = tls(&config)?;
    let named = https_name::bind(&config, &context.client.data).await?;
    let mailer = mailer(&config)?;
    // Its future is large. In a box of its own, its memory is freed once the app has started.
    let app = Box::pin(App::start(AppSettings {
        store: store.clone(),
        clock: Clock::System,
        randomness: Randomness::System,
        mailer: mailer.clone(),
        servers: config.servers.clone(),
        identity: IdentitySettings {
            public_url: public_url.clone(),
            named: named.as_ref().map(|named| named.address.clone()),
            open_sign_up: config.open_sign_up,
            provider: config.provider.clone(),
            limits: config.limits,
            time_zone: config.time_zone.clone(),
        },
        assistant_quota: config.assistant_quota,
        gateway_budget: config.gateway_budget,
        reviewer: config.reviewer.clone(),
        helpline: config.helpline.clone(),
        backups: config.backup.as_ref().map(|backup| ScheduledBackups {
            folder: backup.folder.clone(),
            every: backup.every,
            keep: u32::try_from(backup.keep.get()).unwrap_or(u32::MAX),
        }),
        guardians_manage: config.guardians_manage,
    }));
    let app = app.await?;
    let url_before = remembered_public_url(&store).unwrap_or_default();
    app.identity.remember_public_url().await?;
    if config.demo && app.children.all_numbers(&store)?.is_empty() {
        let text = DEMO_FAMILY.clone();
        Seed { text }.run(&app, &Reports::ignored()).await?;
        demo_alerts(&app).await?;
    }
    let admin = commands::admin_socket(&context.client.data)?;
    let ending = stop_signal()?;
    let open_files = listener::raise_open_files_limit();
    let admin = tokio::spawn(commands::take_commands(
        admin,
        context.client.data.clone(),
        app.clone(),
    ));
    let queue = tokio::spawn(app.queue.clone().run());
    let maintenance = tokio::spawn(maintain(app.clone()));
    let silent = tokio::spawn(over::end_silent_sessions(app.clone()));
    let idle = tokio::spawn(over::end_idle_conversations(app.clone()));
    let access_log = tokio::spawn(access_log::write_access_log(app.clone()));
    let reviews = tokio::spawn(reviewing::review(app.clone()));
    let recipients = https_name::Recipients {
        mailer: mailer.clone(),
        administrator: config.backup.as_ref().and_then(|it| it.alert.clone()),
    };
    let keeping = named
        .as_ref()
        .map(|named| named.keep(&app, config.home.clone(), recipients))
        .transpose()?;
    let backups = config.backup.clone().map(|backup| {
        let schedule = BackupSchedule {
            folder: backup.folder,
            every: backup.every,
            keep: backup.keep.get(),
            alert: backup.alert,
            creates: backup.creates,
            recipients: context.client.recipients.clone(),
        };
        tokio::spawn(schedule::run(app.clone(), mailer, schedule))
    });
    app.identity.setup.open().await?;
    greet(context, &config, &app, &public_url, url_before.as_ref()).await?;
    let live = config
        .demo_live
        .then(|| tokio::spawn(demo_live::play(app.clone(), public_url.clone())));

    let mut hosts = KnownHosts::new(&public_url, &config.allow_hosts);
    if config.home.is_some() {
        hosts = hosts.and_at_home(at_home::names());
    }
    if let Some(named) = &named {
        hosts = hosts.and_named(named.address.clone());
    }
    let proxies = TrustedProxies::new(config.trusted_proxies.iter().copied());
    let (trusted, read) = (proxies.clone(), proxies.clone());
    let callers = Homes::default();
    let known = callers.clone();
    let home = config.home.clone();
    let limits = ConnectionLimits {
        may_connect: Arc::new(move |peer| home.as_ref().is_none_or(|home| home.admits(peer))),
        is_proxy: Arc::new(move |address| trusted.trust(address)),
        client: Arc::new(move |peer, headers| read.client(peer, headers)),
        is_home: Arc::new(move |address| known.include(address)),
        ..ConnectionLimits::default()
    };
    let limits = limits.within_open_files(open_files);
    let drained = ending.clone();
    let draining = app.clone();
    tokio::spawn(async move {
        drained.cancelled().await;
        draining.drain();
    });
    let hsts = if config.hsts { Hsts::On } else { Hsts::Off };
    let ingress = IngressConfig {
        hosts,
        proxies,
        limits: config.limits,
        callers,
        hsts,
        gateway_origins: config.gateway_origins.iter().cloned().collect(),
    };
    // Building the endpoints takes a third of a megabyte of stack, which a thread of the pool gives back.
    let served = app.clone();
    let endpoint = tokio::task::spawn_blocking(move || server::endpoint(&served, ingress));
    let endpoint = endpoint.await.map_err(AdminError::new)?;
    let mut listeners = vec![BoundListener::new(socket, tls)];
    listeners.extend(named.map(BoundName::into_listener));
    listener::serve(listeners, endpoint, limits, ending, GRACE).await;

    if let Some(live) = live {
        live.abort();
    }
    for task in keeping.into_iter().flatten() {
        task.abort();
    }
    queue.abort();
    maintenance.abort();
    silent.abort();
    idle.abort();
    reviews.abort();
    access_log.abort();
    access_log::write(&app).await;
    app.gateway.wait_for_answers().await;
    if let Some(backups) = backups {
        backups.abort();
    }
    admin.abort();
    // Aborting drops the socket, which removes its path.
    let _ = admin.await;
    store.close();
    tracing::info!("ended; everything acknowledged is on the disk");
    Ok(())
}

/// Applies what is due, and finishes deletions that an earlier run or a command could not complete, so that no file still
/// holds the data. On a full disk it waits for free space.
async fn maintain(app: App) {
    let mut said = None;
    loop {
        let failed = app.maintain().await.err().map(|error| error.to_string());
        if let Some(error) = &failed
            && said != failed
        {
            tracing::warn!(%error, "something could not be deleted; it is tried again");
        }
        said = failed;
        // An erasure in between doesn't wait for the interval.
        let _ = tokio::time::timeout(LOOK, app.wait_for_erasure()).await;
    }
}

async fn demo_alerts(app: &App) -> Result<(), AdminError> {
    let email = DEMO_EMAIL
        .parse::<EmailAddress>()
        .map_err(AdminError::new)?;
    let guardian = app.identity.guardians.get(&app.store, &email)?;
    let demonstrated = app.alerts.demonstrate(guardian.id).await;
    demonstrated.map_err(AdminError::new)
}

fn log_to_stderr(levels: LogLevels) {
    let in_colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(in_colour);
    tracing_subscriber::registry()
        .with(lines.with_filter(levels.filter()))
        .init();
}

/// Opens the store. A demonstration opens only a store that was created for one.
fn open_store(context: &Context, config: &Config) -> Result<Store, AdminError> {
    let tell = |notice: &str| eprintln!("{notice}");
    let store = Store::open_with_notices(
        &context.client.data,
        config.demo,
        &context.client.recipients,
        &tell,
    )
    .map_err(AdminError::new)?;
    match (config.demo, store.is_demo()) {
        (true, false) => Err(AdminError::new(format!(
            "{} holds a real family, which the demonstration never touches. Start it in another \
             folder: --data DIR.",
            context.client.data.display()
        ))),
        (false, true) => Err(AdminError::new(format!(
            "{} was made for the demonstration. Start with --demo, or in another folder: --data DIR.",
            context.client.data.display()
        ))),
        _ => Ok(store),
    }
}

/// The URL of this server: with `--home` as a phone reaches it, otherwise as this machine does.
fn own_url(config: &Config, address: SocketAddr) -> Result<PublicUrl, AdminError> {
    let ip = match address.ip() {
        ip if ip.is_unspecified() => IpAddr::from(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    let scheme = if config.tls.is_some() {
        "https"
    } else {
        "http"
    };
    if let Some(home) = &config.home {
        return at_home::public_url(home, scheme, address.port());
    }
    let url = format!("{scheme}://{}", SocketAddr::new(ip, address.port()));
    url.parse()
        .map_err(|error: crate::kernel::host::public_url::NotAnOrigin| {
            AdminError::new(error.to_string())
        })
}

fn tls(config: &Config) -> Result<Option<Arc<TlsReloader>>, AdminError> {
    let Some(tls) = &config.tls else {
        return Ok(None);
    };
    let reloader = TlsReloader::open(&tls.cert, &tls.key);
    Ok(Some(Arc::new(reloader.map_err(AdminError::new)?)))
}

pub fn mailer(config: &Config) -> Result<Mailer, AdminError> {
    match &config.mail {
        MailConfig::Nobody => Ok(Mailer::Nobody),
        MailConfig::Console => Ok(Mailer::Console),
        MailConfig::Smtp { settings, from } => {
            Ok(Mailer::Smtp(Arc::new(smtp_mailer(settings, from)?)))
        }
    }
}

pub fn smtp_mailer(settings: &SmtpSettings, from: &EmailAddress) -> Result<SmtpMailer, AdminError> {
    let next_ids = Arc::new(|| MailIds {
        sent_at: Clock::System.now().micros() / 1_000_000,
        serial: serial(),
    });
    SmtpMailer::new(settings.clone(), from.clone(), next_ids).map_err(AdminError::new)
}

/// A random number for an e-mail's `Message-ID`.
fn serial() -> u128 {
    let bytes = Randomness::System.bytes();
    u128::from_be_bytes(bytes[..16].try_into().expect("half of 32 bytes are 16"))
}

/// A token that is cancelled by the first SIGTERM or SIGINT.
fn stop_signal() -> Result<CancellationToken, AdminError> {
    let handled = |kind| {
        signal(kind).map_err(|error| AdminError::new(format!("Signals cannot be heard: {error}.")))
    };
    let (mut terminate, mut interrupt) = (
        handled(SignalKind::terminate())?,
        handled(SignalKind::interrupt())?,
    );
    let ending = CancellationToken::new();
    let signalled = ending.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("told to end; finishing what is in flight");
        signalled.cancel();
    });
    Ok(ending)
}

/// Prints the addresses of the server.
async fn greet(
    context: &Context,
    config: &Config,
    app: &App,
    public_url: &PublicUrl,
    url_before: Option<&PublicUrl>,
) -> Outcome {
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let addresses = app.identity.environment.addresses();
    let mut greeting = format!("Porchlight is on.\n\n  Open      {public_url}\n");
    if config.demo {
        let email = DEMO_EMAIL
            .parse()
            .expect("the demonstration's address is one");
        let link = app.identity.links.link_for(&email).await?;
        greeting += &format!("  E-mail    {DEMO_EMAIL}\n  Sign in   {link}\n");
    }
    let set_up = app.identity.setup.is_over()?;
    if config.home.is_some() && set_up && std::io::stdout().is_terminal() {
        let scanned = addresses.for_links().to_string();
        let code = qr_code(&scanned).unwrap_or_default();
        greeting += &format!("\n{code}\n");
    }
    greeting += &setup_link::say(app, &context.client.data)?;
    let docs = public_url.page("/api/docs");
    greeting += &format!(
        "  API       {docs}\n  Data      {}\n\n",
        context.client.data.display()
    );
    if config.home.is_some() {
        greeting += &at_home::say(&addresses, url_before);
    }
    if config.demo {
        greeting += "The link works once, for 30 minutes. Emails are printed here.\n";
    }
    // Immediately, and ignoring errors: a program that waits for the address may stop reading once it has it.
    let _ = std::io::stdout().write_all(greeting.as_bytes());
    let _ = std::io::stdout().flush();
    Ok(())
}
