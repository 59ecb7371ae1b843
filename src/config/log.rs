//! The log levels.

use std::fmt;
use std::str::FromStr;

use tracing_subscriber::filter::{LevelFilter, Targets};

/// The levels of the log: one default, and others for parts of the program.
#[derive(Clone, Debug)]
pub struct LogLevels(Targets);

/// Text that names no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "please say off, error, warn, info, debug or trace, also for a part alone, such as info,porchlight::identity=debug"
)]
pub struct NotALevel;

impl LogLevels {
    /// The filter for log events.
    pub fn filter(self) -> Targets {
        self.0
    }
}

impl FromStr for LogLevels {
    type Err = NotALevel;

    fn from_str(text: &str) -> Result<Self, NotALevel> {
        // A list that names only parts keeps the default for the rest.
        let mut targets = Targets::new().with_default(LevelFilter::INFO);
        for directive in text.split(',').map(str::trim) {
            targets = match directive.split_once('=') {
                Some((target, named)) if !target.trim().is_empty() => {
                    targets.with_target(target.trim(), level(named)?)
                }
                Some(_) => return Err(NotALevel),
                None => targets.with_default(level(directive)?),
            };
        }
        Ok(Self(targets))
    }
}

/// Parses a level, also by the names that other programs use.
fn level(name: &str) -> Result<LevelFilter, NotALevel> {
    match name.trim().to_ascii_lowercase().as_str() {
        "off" | "none" => Ok(LevelFilter::OFF),
        "error" | "err" => Ok(LevelFilter::ERROR),
        "warn" | "warning" => Ok(LevelFilter::WARN),
        "info" => Ok(LevelFilter::INFO),
        "debug" => Ok(LevelFilter::DEBUG),
        "trace" => Ok(LevelFilter::TRACE),
        _ => Err(NotALevel),
    }
}

impl fmt::Display for LogLevels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    /// Whether errors, warnings and notices of two parts of the program are logged.
    fn logged(text: &str) -> [bool; 4] {
        let filter = text.parse::<LogLevels>().unwrap().filter();
        [
            filter.would_enable("porchlight::admin", &Level::ERROR),
            filter.would_enable("porchlight::admin", &Level::WARN),
            filter.would_enable("porchlight::admin", &Level::INFO),
            filter.would_enable("porchlight::identity", &Level::DEBUG),
        ]
    }

    #[test]
    fn a_level_has_the_names_that_other_programs_give_it() {
        for text in ["warn", "warning", "WARNING", " Warn "] {
            assert_eq!(logged(text), [true, true, false, false], "{text}");
        }
        assert_eq!(logged("err"), [true, false, false, false]);
        assert_eq!(logged("off"), [false; 4]);
        assert_eq!(logged("trace"), [true; 4]);
    }

    #[test]
    fn a_part_of_the_program_may_have_a_level_of_its_own_and_the_rest_stays() {
        assert_eq!(logged("porchlight::identity=debug"), [true; 4]);
        assert_eq!(
            logged("error, porchlight::identity = debug"),
            [true, false, false, true]
        );
    }

    #[test]
    fn what_is_no_level_is_refused() {
        for text in [
            "loud",
            "",
            "=info",
            "porchlight=loud",
            "porchlight",
            "info,",
        ] {
            assert_eq!(text.parse::<LogLevels>().err(), Some(NotALevel), "{text}");
        }
    }
}
