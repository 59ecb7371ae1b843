//! Warns about secrets on the command line: other users of the machine see them with `ps`.

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::{MailConfig, ServeOptions};

/// An option that holds a secret and was given on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Smtp,
    OidcClientSecret,
}

impl Typed {
    /// All of them, with clap's name for each.
    const ALL: [(Self, &str); 2] = [
        (Self::Smtp, "smtp"),
        (Self::OidcClientSecret, "oidc_client_secret"),
    ];
}

impl ServeOptions {
    /// Finds the secrets that were given on the command line.
    pub fn note_what_was_typed(&mut self, matches: &ArgMatches) {
        let typed = |name| matches.value_source(name) == Some(ValueSource::CommandLine);
        let options = Typed::ALL.into_iter().filter(|(_, name)| typed(name));
        self.typed = options.map(|(option, _)| option).collect();
    }

    /// Every user of the machine can read arguments with `ps`.
    pub(super) fn warn_of_typed_secrets(&self, mail: &MailConfig, warnings: &mut Vec<String>) {
        for typed in &self.typed {
            let (what, option, file) = match (typed, mail) {
                (Typed::Smtp, MailConfig::Smtp { settings, .. }) if settings.has_password() => {
                    ("The mail server's password", "--smtp", "--smtp-file")
                }
                (Typed::Smtp, _) => continue,
                (Typed::OidcClientSecret, _) => (
                    "The provider's secret",
                    "--oidc-client-secret",
                    "--oidc-client-secret-file",
                ),
            };
            warnings.push(format!(
                "{what} stands on the command line ({option}), where everybody on this machine can read it with ps. \
                 Put it into a file that only you can read, and name that: {file} FILE."
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches, Parser};

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: ServeOptions,
    }

    #[test]
    fn a_secret_that_was_typed_is_warned_of_and_one_from_a_file_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        std::fs::write(&file, "smtps://me:s3cret@mail.example\n").unwrap();
        let file = file.to_str().unwrap();
        let from = ["--mail-from", "porch@light.example"];
        let provider = [
            "--oidc-issuer",
            "https://id.example.org",
            "--oidc-client-id",
            "p",
        ];
        let cases: [(&[&str], &str); 6] = [
            (&["--smtp", "smtps://me:s3cret@mail.example"], "--smtp-file"),
            (&["--smtp", "smtp://127.0.0.1:25"], ""),
            (&["--smtp-file", file], ""),
            (&["--smtp", "smtps://me:s3cret@mail.example", "--demo"], ""),
            (
                &["--oidc-client-secret", "s3cret"],
                "--oidc-client-secret-file",
            ),
            (&["--oidc-client-secret-file", file], ""),
        ];

        for (arguments, named) in cases {
            let line = [&["serve"], arguments, &from, &provider].concat();
            let matches = Line::command().get_matches_from(line);
            let mut options = Line::from_arg_matches(&matches).unwrap().options;
            options.note_what_was_typed(&matches);
            let warnings = options.check().unwrap().warnings;
            let warned = warnings
                .iter()
                .filter(|warning| warning.contains(" with ps."));

            let warned = warned.cloned().collect::<String>();
            assert_eq!(
                warned.is_empty(),
                named.is_empty(),
                "{arguments:?}: {warned}"
            );
            assert!(
                warned.contains(named) && !warned.contains("s3cret"),
                "{warned}"
            );
        }
    }
}
