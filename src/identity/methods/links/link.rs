//! The rules for one sign-in link: when it may be used, and what ends it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::mail::EmailAddress;

/// How long a link works, from the moment at which its e-mail was completely sent to the mail server.
pub const LIFE: Duration = Duration::from_secs(30 * 60);

/// How many links of one owner work at a time.
pub const LIVE_AT_MOST: usize = 3;

/// How many ended links of one owner are kept. Making the next link reads them all, so without a bound it would take longer the
/// more often links were requested.
pub const ENDED_AT_MOST: usize = 3;

/// How many wrong addresses end a link.
const WRONG_EMAILS: u8 = 5;

/// How long an ended link is kept, to report why it doesn't work.
const MEMORY: Duration = Duration::from_secs(24 * 60 * 60);

/// A sign-in link, without its token.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The guardian who is signed in by it. `None` if no guardian had the address when the link was made.
    pub guardian: Option<GuardianId>,
    pub email: EmailAddress,
    pub made_at: Timestamp,
    #[serde(default)]
    pub wrong_emails: u8,
    #[serde(default)]
    pub state: LinkState,
    /// Whether it was requested from a household where a guardian was signed in.
    #[serde(default)]
    pub from_home: bool,
    /// Whether it was made by the command `sign-in-link`. Using it counts as stepping up.
    #[serde(default)]
    pub by_administrator: bool,
}

/// Links are limited per owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    Guardian(GuardianId),
    /// An address that no guardian has.
    Address(EmailAddress),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// Unused.
    #[default]
    Live,
    Used,
    /// Ended by newer links.
    Replaced,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The token is invalid, or the link ended long ago.
    #[error("This sign-in link is not valid. Please ask for a new one.")]
    Unknown,
    #[error("This sign-in link has already been used. Please ask for a new one.")]
    Used,
    /// It is older than thirty minutes.
    #[error("This sign-in link has expired. Please ask for a new one.")]
    Expired,
    /// A newer link took its place: at most three work.
    #[error("This sign-in link was replaced by a newer one. Please open the latest e-mail.")]
    Replaced,
    /// It was sent to another address.
    #[error("This sign-in link was sent to another e-mail address. Please check the address.")]
    WrongEmail,
    /// Five wrong addresses were tried.
    #[error(
        "This sign-in link was tried with too many wrong e-mail addresses. Please ask for a new one."
    )]
    TooManyWrongEmails,
}

refusals! {
    LinkError {
        WrongEmail => unauthorized(LinkOfOtherEmail) at "/email",
        Unknown => unauthorized(LinkInvalid) at "/token",
        Used => unauthorized(LinkUsed) at "/token",
        Expired => unauthorized(LinkExpired) at "/token",
        Replaced => unauthorized(LinkReplaced) at "/token",
        TooManyWrongEmails => unauthorized(LinkTooManyWrongEmails) at "/token",
    }
}

impl Link {
    pub fn new(guardian: Option<GuardianId>, email: EmailAddress, now: Timestamp) -> Self {
        Self {
            guardian,
            email,
            made_at: now,
            wrong_emails: 0,
            state: LinkState::Live,
            from_home: false,
            by_administrator: false,
        }
    }

    /// Marks the link as made by the administrator.
    #[must_use]
    pub fn by_administrator(self) -> Self {
        Self {
            from_home: true,
            by_administrator: true,
            ..self
        }
    }

    /// Sets whether it was requested from a household where a guardian was signed in.
    #[must_use]
    pub fn asked_from_home(self, from_home: bool) -> Self {
        Self { from_home, ..self }
    }

    pub fn owner(&self) -> Owner {
        match &self.guardian {
            Some(guardian) => Owner::Guardian(guardian.clone()),
            None => Owner::Address(self.email.clone()),
        }
    }

    /// Whether it still works with the right address.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.problem(now).is_none()
    }

    /// Whether it can be removed.
    pub fn is_forgotten(&self, now: Timestamp) -> bool {
        is_forgotten(self.made_at, now)
    }

    fn problem(&self, now: Timestamp) -> Option<LinkError> {
        match self.state {
            LinkState::Used => Some(LinkError::Used),
            LinkState::Replaced => Some(LinkError::Replaced),
            LinkState::Live if self.wrong_emails >= WRONG_EMAILS => {
                Some(LinkError::TooManyWrongEmails)
            }
            // Setting the clock back must not prolong a link, so one from the future has ended too.
            LinkState::Live if now >= self.made_at.after(LIFE) || now < self.made_at => {
                Some(LinkError::Expired)
            }
            LinkState::Live => None,
        }
    }

    /// Uses the link. The changed link must be stored even on an error: a wrong address is counted, and the fifth ends the link.
    pub fn use_up(&mut self, email: &EmailAddress, now: Timestamp) -> Result<(), LinkError> {
        if let Some(problem) = self.problem(now) {
            return Err(problem);
        }
        if self.email != *email {
            self.wrong_emails += 1;
            return Err(match self.wrong_emails {
                WRONG_EMAILS.. => LinkError::TooManyWrongEmails,
                _ => LinkError::WrongEmail,
            });
        }
        self.state = LinkState::Used;
        Ok(())
    }
}

/// Like [`Link::is_forgotten`], for a link made at this time.
pub fn is_forgotten(made_at: Timestamp, now: Timestamp) -> bool {
    now >= made_at.after(LIFE).after(MEMORY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::randomness::Randomness;

    fn at(minutes: u64) -> Timestamp {
        Timestamp::from_micros(0).after(Duration::from_secs(minutes * 60))
    }

    fn address(text: &str) -> EmailAddress {
        text.parse().unwrap()
    }

    fn link() -> Link {
        let guardian = GuardianId::generate(&Randomness::repeatable());
        Link::new(Some(guardian), address("ada@example.org"), at(0))
    }

    #[test]
    fn a_link_works_once() {
        let mut link = link();

        assert_eq!(link.use_up(&address("Ada@Example.org"), at(1)), Ok(()));
        assert_eq!(
            link.use_up(&address("ada@example.org"), at(1)),
            Err(LinkError::Used)
        );
    }

    #[test]
    fn a_link_works_for_thirty_minutes() {
        assert_eq!(link().use_up(&address("ada@example.org"), at(29)), Ok(()));
        assert_eq!(
            link().use_up(&address("ada@example.org"), at(30)),
            Err(LinkError::Expired)
        );
    }

    #[test]
    fn a_link_does_not_outlive_a_clock_that_is_set_back() {
        let mut link = link();
        link.made_at = at(60);

        assert_eq!(
            link.use_up(&address("ada@example.org"), at(59)),
            Err(LinkError::Expired)
        );
    }

    #[test]
    fn four_wrong_addresses_do_not_end_a_link_and_the_fifth_does() {
        let mut link = link();
        let wrong = address("eve@example.org");

        for _ in 0..4 {
            assert_eq!(link.use_up(&wrong, at(1)), Err(LinkError::WrongEmail));
        }
        assert!(link.is_live(at(1)));
        assert_eq!(
            link.use_up(&wrong, at(1)),
            Err(LinkError::TooManyWrongEmails)
        );

        let right = link.use_up(&address("ada@example.org"), at(1));
        assert_eq!(right, Err(LinkError::TooManyWrongEmails));
    }

    #[test]
    fn a_replaced_link_says_so() {
        let mut link = link();
        link.state = LinkState::Replaced;

        assert_eq!(
            link.use_up(&address("ada@example.org"), at(1)),
            Err(LinkError::Replaced)
        );
    }

    #[test]
    fn a_link_is_remembered_for_a_day_after_its_end() {
        assert!(!link().is_forgotten(at(30 + 24 * 60 - 1)));
        assert!(link().is_forgotten(at(30 + 24 * 60)));
    }
}
