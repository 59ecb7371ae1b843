//! Budgets for the bytes of bodies and responses in memory.
//!
//! A request with a credential is charged to its guardian or assistant, and all assistants connected by a guardian together to
//! that guardian, from a budget that unauthenticated requests can't use. Each gets at most a quarter of what is free, so that a
//! caller who holds nothing always gets something: of 128 MiB one can hold 25, and after ten there are 13 left. A request without
//! a credential is charged to its household and to the network around it; a household in which a guardian was signed in has a
//! budget that other unauthenticated requests can't use. Sign-in requests are small, so these budgets are small.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foldhash::fast::RandomState;
use ipnet::IpNet;

use crate::identity::api::ClientNetworks;
use crate::identity::{BudgetOwner, Caller};
use crate::kernel::http::problem::{Code, Refusal};

const MIB: usize = 1024 * 1024;

/// For all bodies and responses of all requests with a credential, in bytes.
const OF_CALLERS: usize = 128 * MIB;

/// For one guardian or assistant: four of the largest batches, or a page's requests on several devices.
const OF_A_CALLER: usize = 16 * MIB;

/// A guardian with all assistants that they connected gets one in so many of the free bytes.
const SHARE: usize = 4;

/// For all bodies without a credential.
const OF_STRANGERS: usize = 16 * MIB;

/// For one network: an IPv4 /24 or an IPv6 /48.
const OF_A_NETWORK: usize = MIB;

/// For one household's address: 64 bodies of the largest size that is read without a credential.
const OF_A_HOUSEHOLD: usize = 256 * 1024;

/// For all homes of one network.
const OF_HOMES: usize = 8 * MIB;

/// Who is charged for a request's body and its response.
#[derive(Clone, Debug)]
pub enum Payer {
    /// The caller whose credential the request carries.
    Caller {
        caller: Caller,
        /// `None` for an assistant that the administrator added.
        owner: Option<BudgetOwner>,
    },
    /// The origin of a request without a credential.
    Stranger(ClientNetworks),
}

/// An account that bytes are charged to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Account {
    Caller(Caller),
    Budget(BudgetOwner),
    Callers,
    Home(IpNet),
    Homes,
    Household(IpNet),
    Network(IpNet),
    Strangers,
}

impl Account {
    /// How much may be charged to it, in bytes.
    fn limit(&self, used: &Used) -> usize {
        let share_of_callers = || OF_CALLERS.saturating_sub(used.of(&Self::Callers)) / SHARE;
        match self {
            Self::Caller(_) => OF_A_CALLER.min(share_of_callers()),
            Self::Budget(_) => share_of_callers(),
            Self::Callers => OF_CALLERS,
            Self::Home(_) | Self::Household(_) => OF_A_HOUSEHOLD,
            Self::Homes => OF_HOMES,
            Self::Network(_) => OF_A_NETWORK,
            Self::Strangers => OF_STRANGERS,
        }
    }
}

impl Payer {
    fn accounts(&self) -> Vec<Account> {
        match self {
            Self::Caller { caller, owner } => {
                let budget = owner.iter().map(|owner| Account::Budget(owner.clone()));
                let others = [Account::Caller(caller.clone()), Account::Callers];
                budget.chain(others).collect()
            }
            Self::Stranger(place) if place.is_home => {
                vec![Account::Home(place.household), Account::Homes]
            }
            Self::Stranger(place) => vec![
                Account::Household(place.household),
                Account::Network(place.network),
                Account::Strangers,
            ],
        }
    }
}

/// The budget is used up at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMemory;

impl From<NoMemory> for Refusal {
    fn from(_: NoMemory) -> Self {
        Self::not_now(
            Code::Overloaded,
            "Porchlight has more to do than it can just now. Please try again in a moment.",
            5,
        )
    }
}

/// The bytes charged to each account that isn't at zero.
#[derive(Default)]
struct Used(HashMap<Account, usize, RandomState>);

impl Used {
    fn of(&self, account: &Account) -> usize {
        self.0.get(account).copied().unwrap_or(0)
    }

    /// Whether each account can take this many more bytes.
    fn fit(&self, accounts: &[Account], bytes: usize) -> bool {
        let fits =
            |account: &Account| self.of(account).saturating_add(bytes) <= account.limit(self);
        accounts.iter().all(fits)
    }

    fn add(&mut self, accounts: &[Account], bytes: usize) {
        for account in accounts {
            match self.0.get_mut(account) {
                Some(charged) => *charged += bytes,
                None => {
                    self.0.insert(account.clone(), bytes);
                }
            }
        }
    }

    fn subtract(&mut self, accounts: &[Account], bytes: usize) {
        for account in accounts {
            if let Some(charged) = self.0.get_mut(account) {
                *charged -= bytes;
                if *charged == 0 {
                    self.0.remove(account);
                }
            }
        }
    }
}

/// The budget of all accounts. Clones share it.
#[derive(Clone, Default)]
pub struct MemoryBudget(Arc<Mutex<Used>>);

impl MemoryBudget {
    fn used(&self) -> MutexGuard<'_, Used> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether some caller may have no capacity left: while all callers together use less than one may, each has some.
    pub fn is_scarce(&self) -> bool {
        self.used().of(&Account::Callers) >= OF_A_CALLER
    }

    /// Opens a charge of zero bytes.
    pub fn open(&self, payer: &Payer) -> Charge {
        Charge {
            budget: self.clone(),
            accounts: payer.accounts(),
            bytes: 0,
        }
    }
}

/// Bytes that are charged until this is dropped.
pub struct Charge {
    budget: MemoryBudget,
    accounts: Vec<Account>,
    bytes: usize,
}

impl Charge {
    /// Fails if no account's capacity is left.
    pub fn require_capacity(&self) -> Result<(), NoMemory> {
        let fits = self.budget.used().fit(&self.accounts, 1);
        fits.then_some(()).ok_or(NoMemory)
    }

    /// Charges more bytes, if all accounts have capacity for them.
    pub fn add(&mut self, bytes: usize) -> Result<(), NoMemory> {
        let mut used = self.budget.used();
        if !used.fit(&self.accounts, bytes) {
            return Err(NoMemory);
        }
        self.bytes += bytes;
        used.add(&self.accounts, bytes);
        Ok(())
    }

    /// Charges a response. One that is larger than the account's limit fits while nothing else is charged to the account.
    pub fn add_answer(&mut self, bytes: usize) -> Result<(), NoMemory> {
        let mut used = self.budget.used();
        let own = self.accounts.first().expect("somebody pays");
        if used.of(own) != self.bytes && !used.fit(&self.accounts, bytes) {
            return Err(NoMemory);
        }
        self.bytes += bytes;
        used.add(&self.accounts, bytes);
        Ok(())
    }

    /// Charges more bytes, even beyond the limits.
    pub fn add_in_any_case(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.budget.used().add(&self.accounts, bytes);
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.budget.used().subtract(&self.accounts, self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{AssistantId, GuardianId};

    fn guardian(name: &str) -> Payer {
        let id = GuardianId::from_text(name);
        Payer::Caller {
            caller: Caller::Guardian(id.clone()),
            owner: Some(BudgetOwner::Guardian(id)),
        }
    }

    fn assistant(name: &str, guardian: &str) -> Payer {
        Payer::Caller {
            caller: Caller::Assistant(AssistantId::from_text(name)),
            owner: Some(BudgetOwner::Guardian(GuardianId::from_text(guardian))),
        }
    }

    fn stranger(address: &str) -> Payer {
        Payer::Stranger(ClientNetworks::of(address.parse().unwrap(), false))
    }

    /// How many bytes this payer gets, in steps of 64 KiB; they stay charged.
    fn fill(budget: &MemoryBudget, payer: &Payer) -> usize {
        let mut charge = budget.open(payer);
        while charge.add(64 * 1024).is_ok() {}
        let bytes = charge.bytes;
        std::mem::forget(charge);
        bytes
    }

    #[test]
    fn what_strangers_use_up_nobody_with_a_credential_or_at_home_lacks() {
        let budget = MemoryBudget::default();
        let all = (0..=255).map(|network| {
            let hosts =
                (0..8).map(|host| fill(&budget, &stranger(&format!("10.0.{network}.{host}"))));
            hosts.sum::<usize>()
        });
        assert_eq!(all.sum::<usize>(), OF_STRANGERS);

        let home = Payer::Stranger(ClientNetworks::of("10.0.0.1".parse().unwrap(), true));
        assert_eq!(fill(&budget, &home), OF_A_HOUSEHOLD);
        assert_eq!(fill(&budget, &guardian("ada")), OF_A_CALLER);
        assert_eq!(fill(&budget, &stranger("192.0.2.1")), 0);
    }

    #[test]
    fn one_household_and_one_network_get_their_share_and_no_more() {
        let budget = MemoryBudget::default();

        assert_eq!(fill(&budget, &stranger("2001:db8::1")), OF_A_HOUSEHOLD);
        assert_eq!(fill(&budget, &stranger("2001:db8::ffff:1:2:3")), 0);
        let others =
            (1..100).map(|subnet| fill(&budget, &stranger(&format!("2001:db8:0:{subnet}::1"))));
        assert_eq!(others.sum::<usize>(), OF_A_NETWORK - OF_A_HOUSEHOLD);
        assert_eq!(fill(&budget, &stranger("2001:db8:1::1")), OF_A_HOUSEHOLD);
    }

    #[test]
    fn one_guardian_gets_a_share_and_another_theirs() {
        let budget = MemoryBudget::default();

        assert_eq!(fill(&budget, &guardian("ada")), OF_A_CALLER);
        assert_eq!(fill(&budget, &guardian("ada")), 0);
        assert_eq!(fill(&budget, &guardian("bob")), OF_A_CALLER);
    }

    #[test]
    fn while_capacity_is_not_scarce_everybody_has_some() {
        let budget = MemoryBudget::default();
        assert!(!budget.is_scarce());
        let mut charge = budget.open(&assistant("kitchen", "ada"));
        charge.add(OF_A_CALLER - 1).unwrap();

        assert!(!budget.is_scarce());
        assert_eq!(
            budget.open(&assistant("kitchen", "ada")).require_capacity(),
            Ok(())
        );

        charge.add(1).unwrap();
        assert!(budget.is_scarce());
        let kitchen = budget.open(&assistant("kitchen", "ada"));
        assert_eq!(kitchen.require_capacity(), Err(NoMemory));
    }

    #[test]
    fn all_keys_of_one_guardian_get_one_share() {
        let budget = MemoryBudget::default();

        let keys = (0..8).map(|key| fill(&budget, &assistant(&key.to_string(), "ada")));
        let all = keys.sum::<usize>();
        assert!(all > OF_A_CALLER && all <= OF_CALLERS / 5, "{all}");
        assert_eq!(fill(&budget, &guardian("ada")), 0);
        assert_eq!(fill(&budget, &assistant("robot", "bob")), OF_A_CALLER);
    }

    #[test]
    fn however_many_hold_all_that_they_get_the_next_one_gets_something() {
        let budget = MemoryBudget::default();
        for greedy in 0..16 {
            let guardian = greedy.to_string();
            for key in 0..8 {
                fill(&budget, &assistant(&format!("{guardian} {key}"), &guardian));
            }
        }

        assert!(fill(&budget, &guardian("ada")) >= 512 * 1024);
    }

    #[test]
    fn an_answer_that_is_larger_than_the_share_fits_alone() {
        let budget = MemoryBudget::default();
        let mut small = budget.open(&guardian("ada"));
        small.add_answer(1).unwrap();

        assert_eq!(
            budget.open(&guardian("ada")).add_answer(OF_A_CALLER),
            Err(NoMemory)
        );
        drop(small);
        let mut large = budget.open(&guardian("ada"));
        assert_eq!(large.add_answer(OF_A_CALLER + 1), Ok(()));
        assert_eq!(budget.open(&guardian("ada")).add(1), Err(NoMemory));
    }

    #[test]
    fn a_charge_that_is_dropped_is_given_back_and_nothing_is_kept_of_who_is_done() {
        let budget = MemoryBudget::default();
        let mut charge = budget.open(&guardian("ada"));
        charge.add(5).unwrap();
        charge.add_in_any_case(OF_A_CALLER);
        assert_eq!(charge.add(1), Err(NoMemory));

        drop(charge);

        assert!(budget.used().0.is_empty());
        assert_eq!(fill(&budget, &guardian("ada")), OF_A_CALLER);
    }
}
