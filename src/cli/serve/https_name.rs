//! The home's name for https in `serve`: its listener, the renewal of its certificate, and the e-mails before that expires.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::listening;
use crate::admin::AdminError;
use crate::app::App;
use crate::config::{Config, HttpsConfig};
use crate::identity::to_guardian;
use crate::kernel::host::addresses::{NameStatus, NamedAddress};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::home_network::HomeNetwork;
use crate::kernel::host::https_name::{HttpsName, NamesPerson, words_of_address};
use crate::kernel::host::language::Language;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::texts::text;
use crate::kernel::host::zones::Zone;
use crate::kernel::outgoing::acme::{
    CertificateStatus, HttpsFolder, HttpsStatus, Keeper, KeeperEnvironment, Warned,
};
use crate::kernel::outgoing::mail::{Draft, EmailAddress, Mailer};
use crate::server::listener::{BoundListener, TlsReloader};

/// How often the certificate's end is looked at.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// A name whose socket is bound.
pub struct BoundName {
    config: HttpsConfig,
    folder: HttpsFolder,
    socket: TcpListener,
    pub address: NamedAddress,
}

/// Binds the socket for https; `None` without a name.
pub async fn bind(config: &Config, data: &Path) -> Result<Option<BoundName>, AdminError> {
    let Some(https) = config.https.clone() else {
        return Ok(None);
    };
    let socket = listening::listen(https.listen).await?;
    let port = socket.local_addr().unwrap_or(https.listen).port();
    Ok(Some(BoundName {
        address: NamedAddress {
            url: url(&https, port)?,
            status: NameStatus::default(),
        },
        folder: HttpsFolder::within(data),
        config: https,
        socket,
    }))
}

/// The URL of the name at a port.
pub fn url(config: &HttpsConfig, port: u16) -> Result<PublicUrl, AdminError> {
    let url = format!("https://{}:{port}", config.acme.name);
    url.parse().map_err(AdminError::new)
}

/// This machine's IPv4 address in the home network.
pub fn own_address(home: &HomeNetwork) -> Option<Ipv4Addr> {
    let own = home.own_addresses().ok()?;
    own.iter().find_map(|own| match own.address {
        IpAddr::V4(address) => Some(address),
        IpAddr::V6(_) => None,
    })
}

impl BoundName {
    /// Begins to keep the name and its certificate up to date.
    pub fn keep(
        &self,
        app: &App,
        home: Option<HomeNetwork>,
        told: Recipients,
    ) -> Result<[JoinHandle<()>; 2], AdminError> {
        let [people, family] = [(); 2].map(|()| app.clone());
        let due = app.due.clone();
        let environment = KeeperEnvironment {
            clock: app.clock.clone(),
            is_due: Arc::new(move |at| due.due().is_due(at)),
            address: Arc::new(move || home.as_ref().and_then(own_address)),
            is_set_up: Arc::new(move || is_set_up(&family)),
            names_person: Arc::new(move |name| names_person(&people, name)),
        };
        let keeper = Keeper::new(
            self.config.acme.clone(),
            self.folder.clone(),
            environment,
            self.address.status.clone(),
        );
        let keeper = keeper.map_err(|error| {
            AdminError::new(format!(
                "The folder `https` in the data folder cannot be read: {error}."
            ))
        })?;
        let warning = ExpiryWarning {
            app: app.clone(),
            folder: self.folder.clone(),
            name: self.config.acme.name.clone(),
            recipients: told,
            reached: HashSet::new(),
        };
        Ok([tokio::spawn(keeper.run()), tokio::spawn(warning.run())])
    }

    pub fn into_listener(self) -> BoundListener {
        let tls = TlsReloader::expect(self.folder.certificate());
        BoundListener {
            is_named: true,
            ..BoundListener::new(self.socket, Some(Arc::new(tls)))
        }
    }
}

/// Whether there is a guardian and a child: only then it is known whose names must not be in the name.
fn is_set_up(app: &App) -> bool {
    let children = app.children.all_numbers(&app.store);
    app.identity.setup.is_over().unwrap_or(false) && children.is_ok_and(|all| !all.is_empty())
}

/// Whether a name contains that of a child or a guardian. If they cannot be read, it counts as if it did: the name would be public
/// for good. The command line adds guardians without a name, whose address may contain it.
fn names_person(app: &App, name: &HttpsName) -> NamesPerson {
    let (Ok((children, 0)), Ok((guardians, 0))) = (
        app.children.list_all(&app.store),
        app.identity.guardians.list(&app.store),
    ) else {
        return NamesPerson::Yes;
    };
    let mut people = Vec::from_iter(children.iter().map(|child| child.name.as_str()));
    for guardian in &guardians {
        match &guardian.name {
            Some(own) => people.push(own),
            None => people.extend(words_of_address(guardian.email.as_str())),
        }
    }
    name.names_person(people)
}

/// Who gets an e-mail when a certificate nears its end.
pub struct Recipients {
    pub mailer: Mailer,
    /// The administrator.
    pub administrator: Option<EmailAddress>,
}

struct ExpiryWarning {
    app: App,
    folder: HttpsFolder,
    name: HttpsName,
    recipients: Recipients,
    /// Who was told since the start, so that a failed e-mail doesn't repeat the others.
    reached: HashSet<String>,
}

impl ExpiryWarning {
    async fn run(mut self) {
        loop {
            self.warn_if_due().await;
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Tells everybody once of each certificate of whose life a quarter is left, and at most once a day.
    async fn warn_if_due(&mut self) {
        let now = self.app.clock.now();
        if self.app.due.waits().is_some() {
            // The clock may be months ahead.
            return;
        }
        let Ok(status) = HttpsStatus::read(&self.folder, &self.name, now) else {
            return;
        };
        let end = match status.certificate {
            CertificateStatus::Valid {
                until,
                is_urgent: true,
                ..
            } => until,
            CertificateStatus::Expired { at } => at,
            _ => return,
        };
        let warned = self.folder.warned().ok().flatten();
        if warned.is_some_and(|warned| warned.suffices(end, now)) {
            return;
        }
        tracing::warn!(until = %end, "the certificate for https could not be renewed; `porchlight check` says why");
        if self.warn_all(end).await
            && let Err(error) = self.folder.save_warned(Warned { end, at: now })
        {
            tracing::warn!(error = %error.kind(), "that guardians were told could not be noted");
        }
    }

    /// Returns whether everybody has it.
    async fn warn_all(&mut self, end: Timestamp) -> bool {
        if matches!(self.recipients.mailer, Mailer::Nobody) {
            return true;
        }
        let Ok((guardians, _)) = self.app.identity.guardians.list(&self.app.store) else {
            return false;
        };
        let guardians = guardians.into_iter().filter(|guardian| {
            let suspended = self
                .app
                .identity
                .guardians
                .is_suspended(&self.app.store, &guardian.id);
            guardian.verified && suspended.is_ok_and(|is_suspended| !is_suspended)
        });
        let draft = |language| draft(language, &self.name, end);
        let mut emails = guardians
            .map(|guardian| to_guardian(&guardian, draft))
            .collect::<Vec<_>>();
        if let Some(administrator) = &self.recipients.administrator {
            emails.push(draft(Language::En).to(None, administrator));
        }
        let mut everybody = true;
        for email in emails {
            let to = email.to.to_string();
            if self.reached.contains(&to) {
                continue;
            }
            match self.recipients.mailer.send(&email).await {
                Ok(()) => drop(self.reached.insert(to)),
                Err(error) => {
                    everybody = false;
                    tracing::warn!(%error, "somebody could not be told of the certificate's end");
                }
            }
        }
        everybody
    }
}

fn draft(language: Language, name: &HttpsName, end: Timestamp) -> Draft {
    let day = Zone::UTC.day_of(end).in_words(language);
    let ends = [("name", name.to_string().into()), ("day", day.into())];
    let command = [("command", "porchlight check --online".into())];
    Draft::new(language, "certificate-subject")
        .strong(text(language, "certificate-ends", &ends))
        .note(text(language, "certificate-then", &[]))
        .note(text(language, "certificate-administrator", &command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::mail::check_in_each_language;

    #[test]
    fn the_email_is_in_each_language() {
        let (name, end) = (
            "blue-lamp.dedyn.io".parse().unwrap(),
            "2026-12-05T18:01:59Z".parse().unwrap(),
        );
        check_in_each_language("certificate", |language| draft(language, &name, end));
    }
}
