//! Where in a stream the bytes end that were passed on.

use crate::assistants::gateway::answer::AnswerForm;

/// How the bytes that were passed on end.
pub struct Tail {
    is_at_line: bool,
    is_at_event: bool,
}

impl Default for Tail {
    fn default() -> Self {
        Self {
            is_at_line: true,
            is_at_event: true,
        }
    }
}

impl Tail {
    /// What ends the last event or line, if it hasn't ended.
    pub fn gap(&self, form: AnswerForm) -> &'static str {
        match form {
            AnswerForm::Events if !self.is_at_event => "\n\n",
            AnswerForm::Lines if !self.is_at_line => "\n",
            _ => "",
        }
    }

    pub fn note(&mut self, piece: &[u8]) {
        let ends_event = piece.ends_with(b"\n\n") || piece.ends_with(b"\n\r\n");
        let adds_empty_line = self.is_at_line && matches!(piece, b"\n" | b"\r\n");
        if !piece.is_empty() {
            self.is_at_event = ends_event || adds_empty_line;
            self.is_at_line = piece.ends_with(b"\n");
        }
    }
}
