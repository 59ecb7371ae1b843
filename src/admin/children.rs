//! Children and their guardians.

use std::str::FromStr;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::AdminError;
use super::changing::{
    Compacted, change, change_and_run_maintenance, residual_data, run_maintenance,
};
use super::entries::Entries;
use super::operation::{Operation, Reports};
use crate::app::App;
use crate::children::{Child, ChildId, NotAPeriod, Period};
use crate::household::NewChild;
use crate::identity::{Caller, GuardianName, Guardians};
use crate::kernel::host::language::Language;
use crate::kernel::host::name::valid_name;
use crate::kernel::host::zones::Zone;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Purpose, Read, StoreError, readable};
use crate::retention::deletions::Reason;
use crate::rules::Profile;
use crate::rules::age::BirthMonth;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChildEntry {
    pub child_id: ChildId,
    pub name: String,
    /// The guardians who see the child.
    pub guardians: Vec<EmailAddress>,
    /// The assistants that deliver for the child.
    pub assistants: Vec<String>,
}

fn child_entry(app: &App, view: &impl Read, child: Child) -> Result<ChildEntry, StoreError> {
    let Child { child_id, name } = child;
    let (mut guardians, mut assistants) = (Vec::new(), Vec::new());
    for caller in app.children.callers_of(view, child_id)? {
        match caller {
            Caller::Guardian(id) => {
                let found = Guardians::find_readable(view, &id)?;
                guardians.extend(found.map(|guardian| guardian.email));
            }
            Caller::Assistant(id) => {
                let found = app.identity.assistants.find_by_id(view, &id)?;
                assistants.extend(found.map(|assistant| assistant.name));
            }
        }
    }
    guardians.sort_by_cached_key(EmailAddress::key);
    assistants.sort();
    Ok(ChildEntry {
        child_id,
        name,
        guardians,
        assistants,
    })
}

#[derive(Args, Clone, Default, Serialize, Deserialize)]
pub struct AddChild {
    /// The child's name
    pub name: String,
    /// A guardian of the child, by address or id; may be given more than once
    #[arg(long = "guardian", value_name = "EMAIL", required = true)]
    pub guardians: Vec<GuardianName>,
    /// The child's time zone, such as Europe/Berlin. Default: the server's; parents can choose another
    #[arg(long, value_name = "NAME")]
    pub time_zone: Option<Zone>,
    /// The month in which the child was born, such as 2018-05. Assistants are told the age
    #[arg(long, value_name = "YYYY-MM")]
    pub born: Option<BirthMonth>,
    /// The language that the child speaks with its assistants: en, de, fr or es
    #[arg(long, value_name = "LANGUAGE")]
    pub language: Option<Language>,
}

impl Operation for AddChild {
    type Answer = ChildEntry;

    async fn run(self, app: &App, _: &Reports) -> Result<ChildEntry, AdminError> {
        let add = move |app: &App, change: &mut Change| {
            let new = NewChild {
                name: valid_name(&self.name)?,
                period: None,
                time_zone: self.time_zone,
                profile: Profile {
                    born: self.born,
                    language: self.language,
                },
            };
            let guardians = self.guardians.iter().map(|whom| caller(app, change, whom));
            let guardians = guardians.collect::<Result<Vec<_>, _>>()?;
            let child = app.household.profiles.create(change, new, guardians)?;
            Ok(child_entry(app, change, child)?)
        };
        change(app, Purpose::Ordinary, add).await
    }
}

fn caller(app: &App, view: &Change, whom: &GuardianName) -> Result<Caller, AdminError> {
    let guardian = app.identity.guardians.named_for_certain(view, whom)?;
    Ok(Caller::Guardian(guardian.id))
}

#[derive(Clone, Serialize, Deserialize)]
pub struct ListChildren;

impl Operation for ListChildren {
    type Answer = Entries<ChildEntry>;

    async fn run(self, app: &App, _: &Reports) -> Result<Self::Answer, AdminError> {
        let all = app.children.list_all(&app.store)?;
        Ok(Entries::of(all, |it| child_entry(app, &app.store, it))?)
    }
}

#[derive(Args, Clone, Serialize, Deserialize)]
pub struct RenameChild {
    /// The child's number
    #[arg(id = "id", value_name = "ID")]
    pub child: ChildId,
    /// The new name
    pub name: String,
}

impl Operation for RenameChild {
    type Answer = Compacted<ChildEntry>;

    async fn run(self, app: &App, reports: &Reports) -> Result<Self::Answer, AdminError> {
        let rename = move |app: &App, change: &mut Change| {
            let name = valid_name(&self.name)?;
            let child = app.children.rename(change, self.child, name, None)?;
            Ok(child_entry(app, change, child)?)
        };
        change_and_run_maintenance(app, reports, Purpose::Ordinary, rename).await
    }
}

#[derive(Args, Clone, Serialize, Deserialize)]
pub struct LinkChild {
    /// The child's number
    #[arg(id = "id", value_name = "ID")]
    pub child: ChildId,
    /// The guardian's address or id
    #[arg(long = "guardian", value_name = "EMAIL")]
    pub email: GuardianName,
}

impl Operation for LinkChild {
    type Answer = ChildEntry;

    async fn run(self, app: &App, _: &Reports) -> Result<ChildEntry, AdminError> {
        let add = move |app: &App, change: &mut Change| {
            let guardian = caller(app, change, &self.email)?;
            app.children.link(change, self.child, &guardian)?;
            let child = app.children.get(change, self.child)?;
            Ok(child_entry(app, change, child)?)
        };
        change(app, Purpose::Ordinary, add).await
    }
}

#[derive(Args, Clone, Serialize, Deserialize)]
pub struct UnlinkChild {
    /// The child's number
    #[arg(id = "id", value_name = "ID")]
    pub child: ChildId,
    /// The guardian's address or id
    #[arg(long = "guardian", value_name = "EMAIL")]
    pub email: GuardianName,
}

impl Operation for UnlinkChild {
    type Answer = ChildEntry;

    async fn run(self, app: &App, _: &Reports) -> Result<ChildEntry, AdminError> {
        let Self { child, email } = self;
        let unlink = move |app: &App, change: &mut Change| {
            let guardian = caller(app, change, &email)?;
            let found = app.children.get(change, child)?;
            if !app.children.unlink(change, child, &guardian)? {
                let sentence = format!("{email} does not have the child {child}.");
                return Err(AdminError::new(sentence));
            }
            Ok(child_entry(app, change, found)?)
        };
        change(app, Purpose::Essential, unlink).await
    }
}

/// Sets for how long a child's conversations are kept, without the guardians' agreement.
#[derive(Args, Clone, Serialize, Deserialize)]
pub struct ChooseRetention {
    /// The child's number
    #[arg(id = "id", value_name = "ID")]
    pub child: ChildId,
    /// 30, 90 or 365, or `forever`
    #[arg(id = "days", value_name = "DAYS")]
    pub period: KeptFor,
}

/// `None` is for ever.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeptFor(pub Option<Period>);

impl FromStr for KeptFor {
    type Err = NotAPeriod;

    fn from_str(text: &str) -> Result<Self, NotAPeriod> {
        if text == "forever" {
            return Ok(Self(None));
        }
        let days = text.parse::<u16>().map_err(|_| NotAPeriod)?;
        Period::try_from(days).map(Some).map(Self)
    }
}

#[derive(Serialize, Deserialize)]
pub struct ChosenRetention {
    pub child: ChildEntry,
    pub period: KeptFor,
}

impl Operation for ChooseRetention {
    type Answer = ChosenRetention;

    async fn run(self, app: &App, _: &Reports) -> Result<ChosenRetention, AdminError> {
        let Self { child, period } = self;
        let choose = move |app: &App, change: &mut Change| {
            app.household
                .requests
                .impose_retention(change, child, period.0)?;
            let child = child_entry(app, change, app.children.get(change, child)?)?;
            Ok(ChosenRetention { child, period })
        };
        change(app, Purpose::Ordinary, choose).await
    }
}

/// Erases all data of a child.
#[derive(Clone, Serialize, Deserialize)]
pub struct RemoveChild {
    pub child: ChildId,
    /// Its name, typed again as confirmation.
    pub name: String,
}

impl Operation for RemoveChild {
    type Answer = Compacted<ChildEntry>;

    /// Removes all links to the child in one change, then erases its remaining data.
    async fn run(self, app: &App, reports: &Reports) -> Result<Self::Answer, AdminError> {
        let Self { child, name } = self;
        let remove = move |app: &App, change: &mut Change| {
            let found = confirmed(app, change, child, name.trim())?;
            let entry = child_entry(app, change, found)?;
            // If nobody knows who they were, nobody gets the e-mail.
            let guardians = readable(app.children.guardians_of(change, child))?.unwrap_or_default();
            let access = app.children.remove(change, child)?;
            app.retention.record_child_deletion(
                change,
                &access,
                Reason::Administrator,
                guardians,
            )?;
            Ok((entry, access))
        };
        let (entry, access) = change(app, Purpose::Essential, remove).await?;
        let traces = match app.erase(access).await {
            Ok(()) => run_maintenance(app, reports).await,
            Err(error) => Some(residual_data(&error)),
        };
        Ok(Compacted { entry, traces })
    }
}

/// The child to erase, if the name was confirmed; or its number, if its name is unreadable.
fn confirmed(
    app: &App,
    view: &impl Read,
    child: ChildId,
    typed: &str,
) -> Result<Child, AdminError> {
    let sentence = match readable(app.children.get(view, child))? {
        Some(found) if found.name == typed => return Ok(found),
        Some(_) => format!(
            "The child {child} has another name, so nothing was erased. \
             `porchlight child list` shows the names."
        ),
        None if typed == child.to_string() => {
            return Ok(Child {
                child_id: child,
                name: typed.to_owned(),
            });
        }
        None => format!(
            "The name of the child {child} cannot be read, so nothing was erased. \
             To erase everything of it, type its number instead of its name."
        ),
    };
    Err(AdminError::new(sentence))
}
