//! `porchlight child …`

use std::io::{IsTerminal, Write};
use std::str::FromStr;

use clap::Subcommand;

use super::progress::Shown;
use super::{Context, Outcome};
use crate::admin::{AdminError, Answer, Progress, Request};
use crate::children::ChildId;
use crate::children::{NotAPeriod, Period};
use crate::identity::GuardianName;
use crate::kernel::zones::Zone;

/// Children and their guardians.
#[derive(Subcommand)]
pub enum Child {
    /// Add a child
    Add {
        /// The child's name
        name: String,
        /// A guardian of the child, by address or id; may be given more than once
        #[arg(long = "guardian", value_name = "EMAIL", required = true)]
        guardians: Vec<GuardianName>,
        /// The child's time zone, such as Europe/Berlin. Default: the server's; parents can choose another
        #[arg(long, value_name = "NAME")]
        time_zone: Option<Zone>,
    },
    /// List the children, their guardians and their assistants
    List,
    /// Rename a child
    Rename {
        /// The child's number
        id: ChildId,
        /// The new name
        name: String,
    },
    /// Add a guardian to a child
    Link {
        /// The child's number
        id: ChildId,
        /// The guardian's address or id
        #[arg(long = "guardian", value_name = "EMAIL")]
        guardian: GuardianName,
    },
    /// Remove a guardian from a child
    Unlink {
        /// The child's number
        id: ChildId,
        /// The guardian's address or id
        #[arg(long = "guardian", value_name = "EMAIL")]
        guardian: GuardianName,
    },
    /// Set for how long a child's conversations are kept, without asking the guardians
    Retention {
        /// The child's number
        id: ChildId,
        /// 30, 90 or 365, or `forever`
        #[arg(value_name = "DAYS")]
        days: KeptFor,
    },
    /// Erase everything of a child: sessions, transcripts, activities, blocked topics. Asks for the name
    Remove {
        /// The child's number
        id: ChildId,
        /// The child's name, instead of a prompt
        #[arg(long, value_name = "NAME")]
        confirm: Option<String>,
    },
}

/// `None` is for ever.
#[derive(Clone, Copy, Debug)]
pub struct KeptFor(Option<Period>);

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

pub async fn run(context: &Context, command: Child) -> Outcome {
    let request = match command {
        Child::Add {
            name,
            guardians,
            time_zone,
        } => Request::AddChild {
            name,
            guardians,
            time_zone,
        },
        Child::List => Request::ListChildren,
        Child::Rename { id, name } => Request::RenameChild { child: id, name },
        Child::Link { id, guardian } => Request::LinkChild {
            child: id,
            email: guardian,
        },
        Child::Unlink { id, guardian } => Request::UnlinkChild {
            child: id,
            email: guardian,
        },
        Child::Retention { id, days } => Request::ChooseRetention {
            child: id,
            period: days.0,
        },
        Child::Remove { id, confirm } => {
            let name = match confirm {
                Some(name) => name,
                None => ask_for_name(context, id).await?,
            };
            Request::RemoveChild { child: id, name }
        }
    };
    let shown = Shown::new("Records copied:");
    let show = |progress: Progress| shown.show(progress);
    let answer = context.answer(request, None, &show).await;
    drop(shown);
    context.print(&answer?)
}

/// Shows what would be erased and asks the administrator to type the name.
async fn ask_for_name(context: &Context, id: ChildId) -> Result<String, AdminError> {
    let answer = context.answer(Request::ListChildren, None, &|_| {}).await?;
    let Answer::Children(children) = answer else {
        return Err(AdminError::new("The children could not be listed."));
    };
    let is_listed = children.entries.iter().any(|child| child.child_id == id);
    if !is_listed && children.unreadable == 0 {
        return Err(AdminError::new(format!(
            "There is no child with the number {id}."
        )));
    }
    if !std::io::stdin().is_terminal() {
        let sentence = "Nobody is here to ask, so nothing was erased. Say --confirm NAME.";
        return Err(AdminError::new(sentence));
    }
    eprint!(
        "Everything of the child {id} will be erased. Older backups keep it.\n\
         Type the child's name to go on: "
    );
    let mut typed = String::new();
    let read = std::io::stderr()
        .flush()
        .and_then(|()| std::io::stdin().read_line(&mut typed));
    read.map_err(|error| AdminError::new(format!("The name could not be read: {error}.")))?;
    Ok(typed)
}
