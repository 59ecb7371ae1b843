//! The results of testing a model on conversations whose concerns are known.

use serde::{Deserialize, Serialize};

use super::ReviewerError;
use crate::alerts::Concern;
use crate::kernel::host::clock::Timestamp;

/// More false alarms than this in an ordinary week are too many.
const MOST_A_WEEK: u64 = 2;

/// The figures of one concern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConcernFigures {
    pub concern: Concern,
    pub found: u64,
    pub missed: u64,
    pub false_alarms: u64,
    pub quotes_not_there: u64,
    /// The mean time of an answer.
    pub millis: u64,
}

/// The figures of a model, also as they are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFigures {
    pub model: String,
    /// The host of its server, as [`Model::host`](super::Model::host) says it.
    pub host: String,
    pub at: Timestamp,
    pub concerns: Vec<ConcernFigures>,
    /// The number of ordinary weeks that were reviewed, and the false alarms in them.
    pub weeks: u64,
    pub false_alarms_in_weeks: u64,
}

impl ModelFigures {
    /// Whether the model gives more than two false alarms a week, or finds less than half.
    pub fn is_unfit(&self) -> bool {
        self.finds_too_little() || self.is_noisy()
    }

    /// Fails if the model is unfit.
    pub fn require_fit(&self) -> Result<(), ReviewerError> {
        let (found, missed) = (self.sum(|it| it.found), self.sum(|it| it.missed));
        if found + missed == 0 || self.weeks == 0 {
            Err(ReviewerError::Untested)
        } else if found == 0 {
            Err(ReviewerError::FindsNothing(missed))
        } else if self.finds_too_little() {
            Err(ReviewerError::FindsTooLittle(found, found + missed))
        } else if self.is_noisy() {
            Err(ReviewerError::TooNoisy(
                self.false_alarms_in_weeks,
                self.weeks,
            ))
        } else {
            Ok(())
        }
    }

    /// Whether it finds less than half.
    pub fn finds_too_little(&self) -> bool {
        let (found, missed) = (self.sum(|it| it.found), self.sum(|it| it.missed));
        found + missed == 0 || found < missed
    }

    /// Whether it gives more than two false alarms a week.
    pub fn is_noisy(&self) -> bool {
        self.weeks == 0 || self.false_alarms_in_weeks > MOST_A_WEEK * self.weeks
    }

    /// The sum over all concerns.
    pub fn sum(&self, of: fn(&ConcernFigures) -> u64) -> u64 {
        self.concerns.iter().map(of).sum()
    }

    pub fn false_alarms_a_week(&self) -> f64 {
        if self.weeks == 0 {
            return 0.0;
        }
        self.false_alarms_in_weeks as f64 / self.weeks as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(found: u64, missed: u64, false_alarms_in_weeks: u64) -> ModelFigures {
        let of = |concern, found, missed| ConcernFigures {
            concern,
            found,
            missed,
            false_alarms: 1,
            quotes_not_there: 0,
            millis: 900,
        };
        ModelFigures {
            model: "m".to_owned(),
            host: "127.0.0.1:1".to_owned(),
            at: Timestamp::from_micros(0),
            concerns: vec![
                of(Concern::SelfHarm, found, 0),
                of(Concern::Danger, 0, missed),
            ],
            weeks: 12,
            false_alarms_in_weeks,
        }
    }

    #[test]
    fn a_model_is_unfit_if_it_finds_less_than_half_or_alarms_more_than_twice_a_week() {
        assert!(!figures(40, 40, 24).is_unfit());
        assert!(figures(39, 40, 0).is_unfit());
        assert!(figures(80, 0, 25).is_unfit());
        assert!(figures(0, 0, 0).is_unfit(), "nothing was measured");
        let mut without_weeks = figures(80, 0, 0);
        without_weeks.weeks = 0;
        assert!(without_weeks.is_unfit());
        assert!((figures(80, 0, 18).false_alarms_a_week() - 1.5).abs() < 1e-9);
    }
}
