//! One run through the authority's protocol: account, order, challenge, certificate (RFC 8555, section 7).
//!
//! What a later step needs is on the disk before it begins. If the process is killed, the next run finds the order, continues it
//! with the same key, or starts over if the authority doesn't have it any more.

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
use super::folder::{AccountFile, HttpsFolder, OrderFile, State};
use super::problem::Problem;
use super::status::Certificate;

/// For the authority's checks, and for its certificate.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Issuing<'a> {
    pub settings: &'a AcmeSettings,
    pub folder: &'a HttpsFolder,
    pub provider: &'a dyn DnsProvider,
    pub client: &'a Client,
    /// How long to wait until the name servers have a challenge.
    pub wait: Duration,
    /// Before the first question whether the authority is ready; later waits are longer.
    pub first_poll: Duration,
}

impl Issuing<'_> {
    /// Gets a certificate and replaces the file. Challenges that could not be removed stay in `state`.
    pub async fn run(&self, state: &mut State) -> Result<(), Problem> {
        let account = self.account().await?;
        let outcome = match self.continued(&account).await? {
            Some((order, file)) => self.finish(order, &file, state).await,
            None => {
                let (order, file) = self.begun(&account).await?;
                self.finish(order, &file, state).await
            }
        };
        match &outcome {
            // The order may still become valid.
            Err(Problem::Unreachable | Problem::TooSlow | Problem::Dns(_) | Problem::Disk(_)) => {}
            _ => {
                self.folder.forget_order()?;
                self.clear_challenges(state).await;
            }
        }
        if outcome == Err(Problem::AccountRefused) {
            self.folder.forget_account()?;
        }
        outcome
    }

    /// Removes what was published, as far as the provider can be reached.
    pub async fn clear_challenges(&self, state: &mut State) {
        for value in state.challenges.clone() {
            if self.provider.clear_challenge(&value).await.is_ok() {
                state.challenges.retain(|it| *it != value);
            }
        }
    }

    /// The account whose key is in the folder. Asking for one that exists returns it (RFC 8555, section 7.3.1), so it doesn't matter
    /// whether an earlier run did.
    async fn account(&self) -> Result<Account, Problem> {
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
                self.folder.keep_account(&AccountFile {
                    directory: directory.clone(),
                    key: der.secret_pkcs8_der().to_vec(),
                })?;
                (key, der)
            }
        };
        let builder = Account::builder_with_http(Box::new(self.client.clone()));
        let made = builder.create_from_key((key, der.into()), directory).await;
        made.map(|(account, _)| account).map_err(|error| {
            match Problem::from(error) {
                // The account was deactivated, by its owner or by the authority.
                Problem::NotSeen | Problem::Refused if is_old => {
                    let _ = self.folder.forget_account();
                    let _ = self.folder.forget_order();
                    Problem::AccountRefused
                }
                Problem::NotSeen => Problem::Refused,
                other => other,
            }
        })
    }

    /// The order of an earlier run; `None` if there is none, or the authority doesn't have it any more.
    async fn continued(&self, account: &Account) -> Result<Option<(Order, OrderFile)>, Problem> {
        let Some(file) = self.folder.order()? else {
            return Ok(None);
        };
        let is_for_this = file.directory == self.settings.directory.as_str()
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
        self.folder.forget_order()?;
        Ok(None)
    }

    async fn begun(&self, account: &Account) -> Result<(Order, OrderFile), Problem> {
        let name = self.settings.name.as_str();
        let names = [Identifier::Dns(name.to_owned())];
        let order = account.new_order(&NewOrder::new(&names)).await;
        let order = order.map_err(|error| match Problem::from(error) {
            // Nothing was looked for in the DNS yet.
            Problem::NotSeen => Problem::AccountRefused,
            other => other,
        })?;
        let key = KeyPair::generate().map_err(|_| Problem::Refused)?;
        let file = OrderFile {
            directory: self.settings.directory.to_string(),
            name: name.to_owned(),
            url: order.url().to_owned(),
            key: key.serialize_pem(),
        };
        self.folder.keep_order(&file)?;
        Ok((order, file))
    }

    async fn finish(
        &self,
        mut order: Order,
        file: &OrderFile,
        state: &mut State,
    ) -> Result<(), Problem> {
        let polling = RetryPolicy::new()
            .initial_delay(self.first_poll)
            .timeout(PATIENCE);
        if order.state().status == OrderStatus::Pending {
            self.prove(&mut order, state).await?;
            if order.poll_ready(&polling).await? != OrderStatus::Ready {
                return Err(Problem::NotSeen);
            }
        }
        if order.state().status == OrderStatus::Ready {
            order.finalize_csr(&self.request_for(file)?).await?;
        }
        let chain = order.poll_certificate(&polling).await?;
        let pem = format!("{}\n{}\n", file.key.trim(), chain.trim());
        let made = Certificate::read(pem.as_bytes());
        if !made.is_some_and(|made| made.is_for(&self.settings.name)) {
            return Err(Problem::WrongCertificate);
        }
        Ok(self.folder.write_certificate(&pem)?)
    }

    /// Publishes the challenges, and tells the authority.
    async fn prove(&self, order: &mut Order, state: &mut State) -> Result<(), Problem> {
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization?;
            match authorization.status {
                AuthorizationStatus::Pending => {}
                AuthorizationStatus::Valid => continue,
                _ => return Err(Problem::NotSeen),
            }
            let challenge = authorization.challenge(ChallengeType::Dns01);
            let mut challenge = challenge.ok_or(Problem::NameRefused)?;
            let value = challenge.key_authorization().dns_value();
            if !state.challenges.contains(&value) {
                state.challenges.push(value.clone());
            }
            // Before it is published, so that it is removed in any case.
            self.folder.keep_state(state)?;
            self.provider.add_challenge(&value).await?;
            tokio::time::sleep(self.wait).await;
            challenge.set_ready().await?;
        }
        Ok(())
    }

    /// The request for the certificate (PKCS #10): the name, and nothing else.
    fn request_for(&self, file: &OrderFile) -> Result<Vec<u8>, Problem> {
        let made = || {
            let key = KeyPair::from_pem(&file.key)?;
            let mut wanted = CertificateParams::new(vec![self.settings.name.to_string()])?;
            wanted.distinguished_name = DistinguishedName::new();
            let request = wanted.serialize_request(&key)?;
            Ok::<_, rcgen::Error>(request.der().to_vec())
        };
        made().map_err(|_| Problem::Refused)
    }
}
