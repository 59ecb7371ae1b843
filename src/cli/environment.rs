//! Treats empty environment variables as unset, as compose files need it.

use clap::builder::Resettable;
use clap::{Arg, ArgAction, Command};

use crate::config::on_or_off;

/// Removes unset variables. An empty one counts as unset, because a compose file's `${VAR:-}` makes it empty. A flag's variable
/// is a boolean, and `false` counts as unset too.
pub fn without_unset_variables(command: Command) -> Command {
    command
        .mut_args(understood)
        .mut_subcommands(without_unset_variables)
}

fn understood(arg: Arg) -> Arg {
    let Some(variable) = arg.get_env().map(std::ffi::OsStr::to_owned) else {
        return arg;
    };
    let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
    let arg = if is_flag {
        arg.value_parser(on_or_off)
    } else {
        arg
    };
    let value = std::env::var_os(variable).unwrap_or_default();
    let value = value.to_string_lossy();
    if value.trim().is_empty() || is_flag && on_or_off(&value) == Ok(false) {
        arg.env(Resettable::Reset)
    } else {
        arg
    }
}
