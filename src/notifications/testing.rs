//! Sends test messages without the queue, so that the servers' answers can be shown: one by each channel for the administrator,
//! or one by a channel that a guardian chooses.

use std::time::Duration;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::immediate::Destination;
use super::push::{end_if_same, find_device, record_arrival};
use super::push_devices::devices_of;
use super::servers::{EMAIL, NTFY, Servers};
use super::{Dependencies, Notifications, NotificationsError, arrivals, notification, webhook};
use crate::identity::{EmailError, Guardian, GuardianId, Guardians, SignInError, SignedIn};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::language::Language;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::texts::text;
use crate::kernel::outgoing::mail::{Draft, EmailAddress, HandedOver, Mailer};
use crate::kernel::outgoing::ntfy::{Topic, error_code};
use crate::kernel::outgoing::post::{Post, PostAnswer, PostError, Verdict};
use crate::kernel::outgoing::queue::{Arrival, Transport};
use crate::kernel::store::{Purpose, Read, StoreError};

/// How long a guardian waits for the mail server.
const PATIENCE: Duration = Duration::from_secs(30);

/// The recipient of the messages. It contains the guardian's topic.
#[derive(Clone, Serialize, Deserialize)]
pub struct TestRecipient {
    id: GuardianId,
    email: EmailAddress,
    verified: bool,
    name: Option<String>,
    topic: Option<Topic>,
    #[serde(default)]
    language: Language,
}

/// What became of a message, in a sentence without secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome", content = "sentence")]
pub enum Tested {
    /// The server took it.
    Sent(String),
    /// Nothing was sent, because nothing is to be sent.
    NotSent(String),
    Failed(String),
}

/// What became of the message of each channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelsTested {
    pub email: Tested,
    pub ntfy: Tested,
    pub devices: Tested,
    pub webhook: Tested,
}

impl ChannelsTested {
    pub fn all(&self) -> [(&'static str, &Tested); 4] {
        [
            ("email", &self.email),
            ("ntfy", &self.ntfy),
            ("devices", &self.devices),
            ("webhook", &self.webhook),
        ]
    }
}

impl Notifications {
    pub fn test_recipient(
        &self,
        view: &impl Read,
        guardian: Guardian,
    ) -> Result<TestRecipient, StoreError> {
        let subscription = Self::find(view, &guardian.id)?;
        let topic = subscription.and_then(|subscription| subscription.topic);
        Ok(TestRecipient {
            language: guardian.language(),
            id: guardian.id,
            email: guardian.email,
            verified: guardian.verified,
            name: guardian.name,
            topic: topic.map(|topic| topic.name),
        })
    }

    /// Sends the messages; `None` if no channel is configured.
    pub async fn test(&self, to: &TestRecipient) -> Option<ChannelsTested> {
        let servers = &self.dependencies.servers;
        let transport = self.queue.transport();
        let has_email = !matches!(transport.mailer, Mailer::Nobody);
        let has_servers = servers.ntfy.is_some() || servers.webhook.is_some();
        if !has_email && !has_servers && !self.has_https() {
            return None;
        }
        let tested = test_channels(&transport, servers, &self.clock, &self.randomness, to);
        Some(ChannelsTested {
            devices: self.test_devices(&to.id).await,
            ..tested.await
        })
    }

    /// Sends a test to each of a guardian's devices. The first failure is the outcome.
    async fn test_devices(&self, guardian: &GuardianId) -> Tested {
        let none = || not_sent("This guardian is notified on no device.");
        let Ok(devices) = self.store.texts_below(&devices_of(guardian)) else {
            return none();
        };
        let mut outcome = none();
        for device in devices {
            let to = Destination {
                guardian: guardian.clone(),
                device,
            };
            outcome = match self.test_device(to).await {
                Ok(tested) => tested,
                Err(error) => Tested::Failed(error.to_string()),
            };
            if matches!(outcome, Tested::Failed(_)) {
                break;
            }
        }
        outcome
    }

    /// Sends a test to a device. If its push service doesn't know it any more, the device is ended.
    async fn test_device(&self, to: Destination) -> Result<Tested, StoreError> {
        let off = not_sent("This device is not notified. Switch it on again.");
        let Dependencies {
            guardians,
            sign_ins,
            ..
        } = &self.dependencies;
        let found = find_device(&self.store, guardians, sign_ins.validity(), &to)?;
        let Some(device) = found else { return Ok(off) };
        let language = Guardians::language_of(&self.store, &to.guardian)?;
        let test = notification::test_sentence(language);
        let Some(post) = self.push_sender.request(&device, &test) else {
            return Ok(off);
        };
        let answer = self.queue.transport().client.send_to_internet(&post).await;
        if answer.as_ref().is_ok_and(PostAnswer::is_gone) {
            let now = self.clock.now();
            let ended = self.store.commit_for(Purpose::Essential, move |change| {
                end_if_same(change, &to, &device, now)
            });
            ended.await?;
            return Ok(Tested::Failed(
                "The push service doesn't know this device any more. Switch it on again.".into(),
            ));
        }
        let tested = tested(answer, &self.clock, |_| String::new());
        let arrival = arrival(&tested, self.clock.now());
        let noted = self.store.commit_for(Purpose::Essential, move |change| {
            record_arrival(change, &to, arrival)
        });
        noted.await?;
        Ok(tested)
    }
}

/// Sends the messages.
pub async fn test_channels(
    transport: &Transport,
    servers: &Servers,
    clock: &Clock,
    randomness: &Randomness,
    to: &TestRecipient,
) -> ChannelsTested {
    let id = hex::encode(&randomness.bytes()[..16]);
    ChannelsTested {
        email: test_email(transport, to).await,
        ntfy: test_ntfy(transport, servers, clock, &id, to).await,
        devices: not_sent("Only a running server with https can notify devices."),
        webhook: match &servers.webhook {
            None => not_sent("No webhook is configured (--webhook)."),
            Some(webhook) => {
                let now = clock.now();
                let post = webhook.request(&id, now, webhook::test(now));
                test_post(transport, clock, &post, |_| String::new()).await
            }
        },
    }
}

async fn test_ntfy(
    transport: &Transport,
    servers: &Servers,
    clock: &Clock,
    id: &str,
    to: &TestRecipient,
) -> Tested {
    let Some(server) = &servers.ntfy else {
        return not_sent("No ntfy server is configured (--ntfy).");
    };
    let Some(topic) = &to.topic else {
        return not_sent("This guardian has not switched notifications on.");
    };
    let post = server.publish(topic, &notification::test(to.language), id);
    let code = |answer: &PostAnswer| match error_code(&answer.body) {
        Some(code) => format!(" It is ntfy's error {code}."),
        None => String::new(),
    };
    test_post(transport, clock, &post, code).await
}

/// A channel that a guardian can try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "TestedChannel", rename_all = "snake_case")]
pub enum TestedChannel {
    Email,
    /// By ntfy.
    Notification,
    /// By Web Push, to the caller's device.
    Push,
}

impl Notifications {
    /// Sends the guardian a message by this channel, and records what became of it.
    pub async fn test_own(
        &self,
        by: &SignedIn,
        channel: TestedChannel,
    ) -> Result<Tested, NotificationsError> {
        let id = by.guardian().clone();
        let counted = self.tests.take(id.clone());
        counted.map_err(EmailError::TooMany)?;
        let guardian = self.dependencies.guardians.find_by_id(&self.store, &id)?;
        let guardian = guardian.ok_or(SignInError::Gone)?;
        let to = self.test_recipient(&self.store, guardian)?;
        let (transport, servers) = (self.queue.transport(), self.servers());
        let (name, tested) = match channel {
            TestedChannel::Email => {
                let tested = tokio::time::timeout(PATIENCE, test_email(&transport, &to)).await;
                let late = "The mail server did not answer within 30 seconds.";
                (
                    EMAIL,
                    tested.unwrap_or_else(|_| Tested::Failed(late.into())),
                )
            }
            TestedChannel::Notification => {
                let message = hex::encode(&self.randomness.bytes()[..16]);
                let tested = test_ntfy(&transport, servers, &self.clock, &message, &to).await;
                (NTFY, tested)
            }
            TestedChannel::Push => {
                let device = by.sign_in().to_string();
                let to = Destination {
                    guardian: id,
                    device,
                };
                return Ok(self.test_device(to).await?);
            }
        };
        if matches!(tested, Tested::NotSent(_)) {
            return Ok(tested);
        }
        let arrival = arrival(&tested, self.clock.now());
        let noted = self.store.commit_for(Purpose::Essential, move |change| {
            arrivals::record(change, name, Some(&id), arrival)
        });
        noted.await?;
        Ok(tested)
    }
}

fn arrival(tested: &Tested, now: Timestamp) -> Arrival {
    match tested {
        Tested::Sent(_) => Arrival::Taken(now),
        Tested::Failed(why) | Tested::NotSent(why) => Arrival::NotTaken(now, why.clone()),
    }
}

fn not_sent(why: &str) -> Tested {
    Tested::NotSent(why.to_owned())
}

async fn test_email(transport: &Transport, to: &TestRecipient) -> Tested {
    if matches!(transport.mailer, Mailer::Nobody) {
        return not_sent("No mail server is configured (--smtp).");
    }
    if !to.verified {
        return not_sent(
            "This guardian has not confirmed the address, so it gets no such e-mails.",
        );
    }
    let email = test_draft(to.language).to(to.name.as_deref(), &to.email);
    match transport.mailer.hand_over(&email, || ()).await {
        Ok(HandedOver::Accepted) => Tested::Sent("The mail server accepted it.".into()),
        Ok(HandedOver::Unknown) => {
            Tested::Failed("The mail server got all of it and did not answer.".into())
        }
        Err(error) => Tested::Failed(error.to_string()),
    }
}

fn test_draft(language: Language) -> Draft {
    Draft::new(language, "test-email-subject").paragraph(text(language, "test-email-arrives", &[]))
}

async fn test_post(
    transport: &Transport,
    clock: &Clock,
    post: &Post,
    more: impl FnOnce(&PostAnswer) -> String,
) -> Tested {
    tested(transport.client.send(post).await, clock, more)
}

fn tested(
    answer: Result<PostAnswer, PostError>,
    clock: &Clock,
    more: impl FnOnce(&PostAnswer) -> String,
) -> Tested {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Tested::Failed(error.to_string()),
    };
    match answer.verdict(clock.now()) {
        Verdict::Received => {
            let status = answer.status.as_u16();
            Tested::Sent(format!("The server answered with the status {status}."))
        }
        Verdict::Later(_) | Verdict::Refused => Tested::Failed(answer.complaint() + &more(&answer)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::mail::check_in_each_language;

    #[test]
    fn the_email_is_in_each_language() {
        check_in_each_language("test-email", test_draft);
    }
}
