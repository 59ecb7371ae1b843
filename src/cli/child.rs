//! `porchlight child …`

use std::io::{IsTerminal, Write};

use clap::Subcommand;

use super::output::{listed, traces};
use super::{Context, Outcome};
use crate::admin::{
    AddChild, AdminError, ChildEntry, ChooseRetention, LinkChild, ListChildren, RemoveChild,
    RenameChild, UnlinkChild,
};
use crate::children::ChildId;
use crate::kernel::host::words::plain;

/// Children and their guardians.
#[derive(Subcommand)]
pub enum Child {
    /// Add a child
    Add(AddChild),
    /// List the children, their guardians and their assistants
    List,
    /// Rename a child
    Rename(RenameChild),
    /// Add a guardian to a child
    Link(LinkChild),
    /// Remove a guardian from a child
    Unlink(UnlinkChild),
    /// Set for how long a child's conversations are kept, without asking the guardians
    Retention(ChooseRetention),
    /// Erase everything of a child: sessions, transcripts, activities, blocked topics. Asks for the name
    Remove {
        /// The child's number
        id: ChildId,
        /// The child's name, instead of a prompt
        #[arg(long, value_name = "NAME")]
        confirm: Option<String>,
    },
}

pub async fn run(context: &Context, command: Child) -> Outcome {
    match command {
        Child::Add(add) => context.ask(add, added).await,
        Child::List => {
            let heads = ["Number", "Name", "Guardians", "Assistants"];
            let empty = "There are no children yet. Add one with: porchlight child add NAME --guardian EMAIL";
            context.list(ListChildren, &heads, row, empty).await
        }
        Child::Rename(rename) => {
            let renamed = context.ask(rename, |renamed| seen(&renamed.entry) + &traces(renamed));
            renamed.await
        }
        Child::Link(link) => context.ask(link, seen).await,
        Child::Unlink(unlink) => context.ask(unlink, seen).await,
        Child::Retention(choose) => {
            let chosen = context.ask(choose, |chosen| {
                let (child, period) = (&chosen.child, chosen.period.0);
                let period = period.map(|period| format!("for {} days", period.days()));
                format!(
                    "Conversations of {} (number {}) are kept {}.\n",
                    plain(&child.name),
                    child.child_id,
                    period.as_deref().unwrap_or("for ever")
                )
            });
            chosen.await
        }
        Child::Remove { id, confirm } => {
            let name = match confirm {
                Some(name) => name,
                None => ask_for_name(context, id).await?,
            };
            let removed = context.ask(RemoveChild { child: id, name }, |removed| {
                format!(
                    "Erased everything of {} (number {}). Backups made before keep it.\n{}",
                    plain(&removed.entry.name),
                    removed.entry.child_id,
                    traces(removed)
                )
            });
            removed.await
        }
    }
}

/// Shows what would be erased and asks the administrator to type the name.
async fn ask_for_name(context: &Context, id: ChildId) -> Result<String, AdminError> {
    let children = context.run(ListChildren).await?;
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

fn added(child: &ChildEntry) -> String {
    format!(
        "Added {} with the number {1}.\nLet an assistant deliver with: porchlight assistant add \
         NAME --child {1}\n",
        plain(&child.name),
        child.child_id
    )
}

fn seen(child: &ChildEntry) -> String {
    format!(
        "{} (number {}) is seen by {}.\n",
        plain(&child.name),
        child.child_id,
        listed(&child.guardians, "nobody")
    )
}

fn row(child: &ChildEntry) -> Vec<String> {
    vec![
        child.child_id.to_string(),
        child.name.clone(),
        listed(&child.guardians, "without a guardian"),
        listed(&child.assistants, "-"),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::output::table;
    use super::*;
    use crate::kernel::host::words::plain_lines;

    #[test]
    fn a_name_in_a_table_or_a_sentence_can_neither_hide_nor_move_the_text_around_it() {
        let child = ChildEntry {
            child_id: ChildId::new(1),
            name: "Mia\u{202e}gnorw\n2  Leo\u{1b}[2K\u{200b}".to_owned(),
            guardians: Vec::new(),
            assistants: Vec::new(),
        };

        let listed = table(
            &["Number", "Name", "Guardians", "Assistants"],
            [row(&child)],
            "",
        );
        let text = added(&child);

        assert_eq!(
            plain_lines(&listed),
            "Number  Name                                            Guardians           Assistants\n\
             1       Mia[RLO]gnorw[U+000A]2  Leo[U+001B][2K[U+200B]  without a guardian  -\n"
        );
        assert!(
            plain_lines(&text).starts_with(
                "Added Mia[RLO]gnorw[U+000A]2  Leo[U+001B][2K[U+200B] with the number 1.\n"
            ),
            "{text}"
        );
    }
}
