//! One run through the authority's protocol: account, order, challenge, certificate (RFC 8555, section 7).
//!
//! What a later step needs is on the disk before it begins. If the process is killed, the next run finds the order, continues it
//! with the same key, or starts over if the authority doesn't have it any more.

use std::sync::Arc;
use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, ChallengeType, Identifier, Key, NewOrder, Order, OrderStatus,
    RetryPolicy,
};
use rcgen::{CertificateParams, DistinguishedName, KeyPair};
use rustls::pki_types::PrivatePkcs8KeyDer;

use super::AcmeSettings;
use super::client::Client;
use super::dns::DnsProvider;
use super::folder::{AccountFile, HttpsFolder, OrderFile};
use super::problem::CertificateProblem;
use super::status::{Certificate, usable_certificate};
use crate::kernel::host::clock::Clock;

/// For the authority's checks, and for its certificate.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Issuing {
    pub settings: AcmeSettings,
    pub folder: HttpsFolder,
    pub provider: Arc<dyn DnsProvider>,
    pub client: Client,
    pub clock: Clock,
    /// How long to wait until the name servers have a challenge.
    pub wait: Duration,
    /// Before the first question whether the authority is ready; later waits are longer.
    pub first_poll: Duration,
}

impl Issuing {
    /// Gets a certificate and replaces the file. Challenges that could not be removed are removed after the next run.
    pub async fn run(&self) -> Result<(), CertificateProblem> {
        let account = self.account().await?;
        let outcome = match self.resumed_order(&account).await? {
            Some((order, file)) => self.finish(order, &file).await,
            None => {
                let (order, file) = self.new_order(&account).await?;
                self.finish(order, &file).await
            }
        };
        match &outcome {
            // The order may still become valid.
            Err(
                CertificateProblem::Unreachable
                | CertificateProblem::TooSlow
                | CertificateProblem::Dns(_)
                | CertificateProblem::Disk(_),
            ) => {}
            _ => {
                self.folder.remove_order()?;
                self.clear_challenges().await?;
            }
        }
        if outcome == Err(CertificateProblem::AccountRefused) {
            self.folder.remove_account()?;
        }
        outcome
    }

    /// Removes what was published, as far as the provider can be reached.
    async fn clear_challenges(&self) -> Result<(), CertificateProblem> {
        let mut left = Vec::new();
        for value in self.folder.challenges()? {
            if self.provider.clear_challenge(&value).await.is_err() {
                left.push(value);
            }
        }
        Ok(self.folder.save_challenges(&left)?)
    }

    /// The account whose key is in the folder. Asking for one that exists returns it (RFC 8555, section 7.3.1), so it doesn't matter
    /// whether an earlier run did.
    async fn account(&self) -> Result<Account, CertificateProblem> {
        let directory = self.settings.directory.to_string();
        let kept = self.folder.account()?;
        let kept = kept.filter(|kept| kept.directory == directory);
        let key = kept.and_then(|kept| {
            let key = Key::from_pkcs8_der(PrivatePkcs8KeyDer::from(&*kept.key)).ok()?;
            Some((key, PrivatePkcs8KeyDer::from(kept.key)))
        });
        let is_old = key.is_some();
        let (key, der) = match key {
            Some(key) => key,
            None => {
                let (key, der) = Key::generate_pkcs8()?;
                self.folder.save_account(&AccountFile {
                    directory: directory.clone(),
                    key: der.secret_pkcs8_der().to_vec(),
                })?;
                (key, der)
            }
        };
        let builder = Account::builder_with_http(Box::new(self.client.clone()));
        let made = builder.create_from_key((key, der.into()), directory).await;
        made.map(|(account, _)| account).map_err(|error| {
            match CertificateProblem::from(error) {
                // The account was deactivated, by its owner or by the authority.
                CertificateProblem::NotSeen | CertificateProblem::Refused if is_old => {
                    let _ = self.folder.remove_account();
                    let _ = self.folder.remove_order();
                    CertificateProblem::AccountRefused
                }
                CertificateProblem::NotSeen => CertificateProblem::Refused,
                other => other,
            }
        })
    }

    /// The order of an earlier run; `None` if it doesn't exist, its certificate is in use, or the authority doesn't have it any more.
    async fn resumed_order(
        &self,
        account: &Account,
    ) -> Result<Option<(Order, OrderFile)>, CertificateProblem> {
        let Some(file) = self.folder.order()? else {
            return Ok(None);
        };
        // The process was killed before it removed the order.
        let is_done = self
            .folder
            .read_certificate()?
            .is_some_and(|pem| pem.starts_with(file.key.trim().as_bytes()));
        let is_for_this = !is_done
            && file.directory == self.settings.directory.as_str()
            && file.name == self.settings.name.as_str()
            && KeyPair::from_pem(&file.key).is_ok();
        if is_for_this {
            match account.order(file.url.clone()).await {
                Ok(mut order) => {
                    if order.state().status != OrderStatus::Invalid {
                        return Ok(Some((order, file)));
                    }
                }
                Err(instant_acme::Error::Api(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.folder.remove_order()?;
        Ok(None)
    }

    async fn new_order(&self, account: &Account) -> Result<(Order, OrderFile), CertificateProblem> {
        let name = self.settings.name.as_str();
        let names = [Identifier::Dns(name.to_owned())];
        let order = account.new_order(&NewOrder::new(&names)).await;
        let order = order.map_err(|error| match CertificateProblem::from(error) {
            // Nothing was looked for in the DNS yet.
            CertificateProblem::NotSeen => CertificateProblem::AccountRefused,
            other => other,
        })?;
        let key = KeyPair::generate().map_err(|_| CertificateProblem::Refused)?;
        let file = OrderFile {
            directory: self.settings.directory.to_string(),
            name: name.to_owned(),
            url: order.url().to_owned(),
            key: key.serialize_pem(),
        };
        self.folder.save_order(&file)?;
        Ok((order, file))
    }

    async fn finish(&self, mut order: Order, file: &OrderFile) -> Result<(), CertificateProblem> {
        let polling = RetryPolicy::new()
            .initial_delay(self.first_poll)
            .timeout(PATIENCE);
        if order.state().status == OrderStatus::Pending {
            self.prove(&mut order).await?;
            if order.poll_ready(&polling).await? != OrderStatus::Ready {
                return Err(CertificateProblem::NotSeen);
            }
        }
        if order.state().status == OrderStatus::Ready {
            order.finalize_csr(&self.request_for(file)?).await?;
        }
        let chain = order.poll_certificate(&polling).await?;
        let pem = format!("{}\n{}\n", file.key.trim(), chain.trim());
        let made = Certificate::read(pem.as_bytes());
        let made = made.filter(|made| made.is_for(&self.settings.name));
        let made = made.ok_or(CertificateProblem::WrongCertificate)?;
        let (now, old) = (
            self.clock.now(),
            usable_certificate(&self.folder, &self.settings.name)?,
        );
        let is_better =
            made.from <= now && now < made.until && old.is_none_or(|old| old.until < made.until);
        if !is_better {
            return Err(CertificateProblem::CertificateTimes);
        }
        Ok(self.folder.write_certificate(&pem)?)
    }

    /// Publishes the challenge, and tells the authority.
    async fn prove(&self, order: &mut Order) -> Result<(), CertificateProblem> {
        // One name was ordered. Each further authorization could take minutes.
        if order.state().authorizations.len() != 1 {
            return Err(CertificateProblem::NotAcme);
        }
        let mut authorizations = order.authorizations();
        let authorization = authorizations
            .next()
            .await
            .ok_or(CertificateProblem::NotAcme)?;
        let mut authorization = authorization?;
        if authorization.identifier().to_string() != self.settings.name.as_str() {
            return Err(CertificateProblem::NotAcme);
        }
        match authorization.status {
            AuthorizationStatus::Pending => {}
            AuthorizationStatus::Valid => return Ok(()),
            _ => return Err(CertificateProblem::NotSeen),
        }
        let challenge = authorization.challenge(ChallengeType::Dns01);
        let mut challenge = challenge.ok_or(CertificateProblem::NameRefused)?;
        let value = challenge.key_authorization().dns_value();
        let mut published = self.folder.challenges()?;
        if !published.contains(&value) {
            published.push(value.clone());
        }
        // Before it is published, so that it is removed in any case.
        self.folder.save_challenges(&published)?;
        self.provider.add_challenge(&value).await?;
        tokio::time::sleep(self.wait).await;
        Ok(challenge.set_ready().await?)
    }

    /// The request for the certificate (PKCS #10): the name, and nothing else.
    fn request_for(&self, file: &OrderFile) -> Result<Vec<u8>, CertificateProblem> {
        let made = || {
            let key = KeyPair::from_pem(&file.key)?;
            let mut wanted = CertificateParams::new(vec![self.settings.name.to_string()])?;
            wanted.distinguished_name = DistinguishedName::new();
            let request = wanted.serialize_request(&key)?;
            Ok::<_, rcgen::Error>(request.der().to_vec())
        };
        made().map_err(|_| CertificateProblem::Refused)
    }
}
