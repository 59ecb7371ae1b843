//! The command line: one file for each command.
//!
//! A command prints for people, or with `--json` for programs, on standard output. Errors go to standard error, and so do
//! remarks about a key, a token or a link, so that standard output has nothing but the secret. Exit codes: 0 success, 1
//! failure, 2 invalid command line.

mod access;
mod assistant;
mod backup;
mod check;
mod child;
mod clock;
mod context;
mod environment;
mod export;
mod guardian;
mod installed;
mod licences;
mod manual;
mod notify_test;
mod openapi;
mod output;
mod progress;
mod qr;
mod reviewer;
mod rules;
mod seed;
mod serve;
mod upstream;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use rustix::process::{Resource, Rlimit, setrlimit};

use context::{Context, Outcome};

use crate::admin::owner::RUNNER_COMMAND;
use crate::admin::{AdminError, Client, SignInArguments};
use crate::config::ServeOptions;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::words::plain_lines;
use crate::kernel::store::Recipient;

/// The default data folder.
const DEFAULT_DATA: &str = "./porchlight-data";

/// How long to wait for threads that are still busy when a command is done.
const END: Duration = Duration::from_secs(2);

const AFTER_HELP: &str = "\
First steps:
  porchlight serve --demo                         look around with a demonstration family
  porchlight serve --home                         set up a family with a phone at home
Or by hand:
  porchlight guardian add ada@example.org         add a parent
  porchlight child add Mia --guardian ada@example.org
  porchlight assistant add kitchen --child 1      make a key for a voice assistant
  porchlight serve                                run it

All commands work while the server runs and when it doesn't.
Every option can also come from the environment, as PORCHLIGHT_….
Exit codes: 0 done, 1 not done, 2 the command was not understood.";

/// Shows a parent, per child, what the child and a voice assistant talk about.
#[derive(Parser)]
#[command(name = "porchlight", version, after_help = AFTER_HELP)]
struct Cli {
    /// The data folder. Default: ./porchlight-data, or the data folder of the service that was installed with this program
    #[arg(long, global = true, env = "PORCHLIGHT_DATA", value_name = "DIR")]
    data: Option<PathBuf>,

    /// Encrypt backups for this key of age, age1…, whose secret key stays elsewhere; can be repeated. Default: not encrypted
    #[arg(
        long = "backup-recipient",
        global = true,
        env = "PORCHLIGHT_BACKUP_RECIPIENT",
        value_name = "KEY",
        value_delimiter = ',',
        hide_env_values = true
    )]
    // Parsed later: clap would print a secret key that was given by mistake.
    recipients: Vec<String>,

    /// Print JSON instead of sentences
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server
    Serve(Box<ServeOptions>),
    /// Add, list, change and remove guardians
    #[command(subcommand)]
    Guardian(guardian::Guardian),
    /// Add, list, change and remove children
    #[command(subcommand)]
    Child(child::Child),
    /// Add, list and revoke voice assistants, and rotate their keys
    #[command(subcommand)]
    Assistant(assistant::Assistant),
    /// Add, list, test and remove the servers with the models that assistants talk through
    #[command(subcommand)]
    Upstream(upstream::Upstream),
    /// Test the model that reads along
    #[command(subcommand)]
    Reviewer(Box<reviewer::Reviewer>),
    /// Try a child's rules with made-up questions
    #[command(subcommand)]
    Rules(rules::Rules),
    /// Accept the time of this machine's clock
    #[command(subcommand)]
    Clock(clock::Clock),
    /// Print the setup link, while there is no guardian yet and the server runs
    SetupLink,
    /// Print a sign-in link, for a server without e-mail
    SignInLink(SignInArguments),
    /// Print an identity token, for the Swagger UI and for scripts
    Token(SignInArguments),
    /// Send a guardian one message by each channel, and print what the servers answered; takes the options of serve
    NotifyTest(Box<notify_test::NotifyTest>),
    /// Import a family from a file, all of it or nothing
    Seed(seed::Seed),
    /// Write a backup to one file, while the server runs or not. It is as private as the data folder
    Backup(backup::Backup),
    /// Restore a backup into an empty or new data folder
    Restore(backup::Restore),
    /// Reinstate guardians and assistants that a restored backup suspended
    Reinstate(backup::Naming),
    /// Read everything in the store, or in a backup, and report damage
    Verify(backup::Verify),
    /// Write everything stored about one child, or about all, as JSON that `seed` can import
    Export(export::Export),
    /// Print the OpenAPI description of the API
    Openapi(openapi::Openapi),
    /// Check a configuration; takes the options of serve
    Check(Box<check::Check>),
    /// Exit with 0 if the running server is ready
    Health,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    Manual(manual::Manual),
    /// Print the licences of everything that this program contains
    Licences,
    /// Run an operation for the process that started this one
    #[command(name = RUNNER_COMMAND, hide = true)]
    RunFromInput,
}

impl Command {
    fn uses_data(&self) -> bool {
        !matches!(
            self,
            Self::Openapi(_) | Self::Completions { .. } | Self::Manual(_) | Self::Licences
        )
    }
}

/// The definition of the command line: its commands, their options and variables.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Parses the command line, runs the command, and turns an error into an exit code.
pub fn main() -> ExitCode {
    disable_core_dumps();
    let (
        Cli {
            data,
            recipients,
            json,
            mut command,
        },
        matches,
    ) = parse();
    match &mut command {
        Command::Serve(options) => options.note_what_was_typed(&matches),
        Command::Check(check) => check.options.note_what_was_typed(&matches),
        _ => {}
    }
    let outcome = data_folder(data, &command).and_then(|data| {
        let recipients = recipients_of(&recipients)?;
        let client = Client { data, recipients };
        let context = Context { client, json };
        run_to_end(&context, command)
    });
    let code = match outcome {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{}", plain_lines(&error.to_string()));
            1
        }
    };
    // Everything is flushed by now. Don't wait for sled's own threads: about one destructor in thirty hangs.
    // hangs.
    let _ = std::io::stdout().flush();
    std::process::exit(code)
}

fn recipients_of(given: &[String]) -> Result<Vec<Recipient>, AdminError> {
    let parsed = given.iter().map(|key| key.parse());
    let parsed = parsed.collect::<Result<_, String>>();
    parsed.map_err(|error| AdminError::new(format!("{error} (--backup-recipient)")))
}

/// The given data folder, or the installed service's, or the default.
fn data_folder(named: Option<PathBuf>, command: &Command) -> Result<PathBuf, AdminError> {
    let found = match named {
        None if command.uses_data() => installed::data_folder()?,
        named => named,
    };
    Ok(found.unwrap_or_else(|| DEFAULT_DATA.into()))
}

fn run_to_end(context: &Context, command: Command) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => {
            let outcome = runtime.block_on(run(context, command));
            // Without a timeout, a thread that hangs on damaged files would block the exit.
            runtime.shutdown_timeout(END);
            outcome
        }
        Err(error) => Err(AdminError::new(format!(
            "The system gives no threads: {error}."
        ))),
    }
}

/// Parses the command line; also returns the source of each argument's value.
fn parse() -> (Cli, ArgMatches) {
    let mut matches = environment::without_unset_variables(command()).get_matches();
    let parsed = Cli::from_arg_matches_mut(&mut matches.clone());
    let cli = parsed.unwrap_or_else(|error| error.format(&mut command()).exit());
    let subcommand = matches.remove_subcommand();
    (
        cli,
        subcommand.map(|(_, matches)| matches).unwrap_or_default(),
    )
}

/// Disables core dumps, so that a crash doesn't write memory to a file.
fn disable_core_dumps() {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    // Lowering a limit never fails.
    let _ = setrlimit(Resource::Core, none);
}

/// Before 1970 neither the store's files nor certificates work.
fn require_a_clock_after_1970() -> Outcome {
    let now = Clock::System.now();
    if now.micros() < 0 {
        Err(AdminError::new(format!(
            "The clock of this machine shows {now}, a time before 1970. Please set it and try again."
        )))
    } else {
        Ok(())
    }
}

async fn run(context: &Context, command: Command) -> Outcome {
    require_a_clock_after_1970()?;
    match command {
        Command::Serve(options) => serve::run(context, *options).await,
        Command::Guardian(command) => guardian::run(context, command).await,
        Command::Child(command) => child::run(context, command).await,
        Command::Assistant(command) => assistant::run(context, command).await,
        Command::Upstream(command) => upstream::run(context, command).await,
        Command::Reviewer(command) => reviewer::run(context, *command).await,
        Command::Rules(command) => rules::run(context, command).await,
        Command::Clock(command) => clock::run(context, command).await,
        Command::SetupLink => access::setup_link(context).await,
        Command::SignInLink(access) => access::sign_in_link(context, access).await,
        Command::Token(access) => access::token(context, access).await,
        Command::NotifyTest(command) => notify_test::run(context, *command).await,
        Command::Seed(command) => seed::run(context, command).await,
        Command::Backup(command) => backup::back_up(context, command).await,
        Command::Restore(command) => backup::restore(context, command).await,
        Command::Reinstate(naming) => backup::reinstate(context, naming).await,
        Command::Verify(command) => backup::verify(context, command).await,
        Command::Export(command) => export::run(context, command).await,
        Command::Openapi(command) => openapi::run(command).await,
        Command::Check(command) => check::run(context, *command).await,
        Command::Health => health(context).await,
        Command::Completions { shell } => {
            let mut command = self::command();
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "porchlight", &mut script);
            output::print(String::from_utf8_lossy(&script));
            Ok(())
        }
        Command::Manual(command) => manual::run(&command, self::command()),
        Command::Licences => licences::run(context),
        Command::RunFromInput => {
            let carried_out = context.client.clone().serve_standard_input().await;
            carried_out.map_err(AdminError::new)
        }
    }
}

async fn health(context: &Context) -> Outcome {
    let ready = context.client.is_ready().await;
    if context.json {
        output::print_line(format_args!("{:#}", serde_json::json!({ "ready": ready })));
    } else if ready {
        output::print_line("The server is ready.");
    }
    if ready {
        Ok(())
    } else {
        Err(AdminError::new("No server is ready to take requests."))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_well_formed() {
        super::command().debug_assert();
    }
}
