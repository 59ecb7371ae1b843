//! What the clients of random traffic do.

use super::texts::Dice;

/// What a client does, and in how many of 100 turns.
#[derive(Clone, Default)]
pub struct Habits {
    /// Sends only so many of the last messages.
    pub trims_to: Option<usize>,
    /// The child hears only a beginning of an answer that was generated whole.
    pub interrupts: usize,
    /// Closes the stream in the middle, and then forgets …
    pub cuts: usize,
    pub forgets: Forgets,
    pub edits: usize,
    pub regenerates: usize,
    pub fails: usize,
    pub says_retry: bool,
    /// Writes an error message in the assistant's name.
    pub writes_errors: bool,
    pub tools: usize,
    pub interim: usize,
    pub several: usize,
    /// Adds a message with the role `user`, and leaves it out of later requests.
    pub adds_context: bool,
    pub has_examples: bool,
    /// Puts knowledge for the model, or a call of a tool that it made itself, behind the child's words.
    pub adds_knowledge: usize,
    /// Doesn't reach the server, and keeps what was said in its history.
    pub is_away: usize,
    /// Remembers an answer as an empty one.
    pub empties: usize,
    pub greets: bool,
    pub titles: bool,
    pub id: Id,
    /// Sends no history.
    pub has_no_memory: bool,
    /// So many seconds until the next conversation begins, at most.
    pub gap: usize,
}

#[derive(Clone, Copy, Default)]
pub enum Forgets {
    #[default]
    Nothing,
    Answer,
    Turn,
}

#[derive(Clone, Copy, Default)]
pub enum Id {
    #[default]
    None,
    Session,
    User,
}

pub fn habits(dice: &mut Dice) -> Habits {
    let mut some = |often: usize, turns: usize| if dice.percent(often) { turns } else { 0 };
    let mut habits = Habits {
        interrupts: some(30, 30),
        cuts: some(30, 20),
        edits: some(20, 15),
        regenerates: some(20, 15),
        fails: some(40, 15),
        tools: some(30, 25),
        interim: some(15, 15),
        several: some(15, 15),
        ..Habits::default()
    };
    habits.trims_to = dice.percent(30).then(|| 2 + dice.below(8));
    habits.forgets = [Forgets::Nothing, Forgets::Answer, Forgets::Turn][dice.below(3)];
    habits.says_retry = dice.percent(50);
    habits.writes_errors = dice.percent(25);
    habits.adds_context = dice.percent(10);
    habits.has_examples = dice.percent(10);
    habits.greets = dice.percent(15);
    habits.titles = dice.percent(15);
    habits.id = [Id::None, Id::None, Id::None, Id::Session, Id::User][dice.below(5)];
    habits.has_no_memory = dice.percent(5);
    habits.gap = [5, 120, 900, 5_000][dice.below(4)];
    let mut some = |often: usize, turns: usize| if dice.percent(often) { turns } else { 0 };
    habits.adds_knowledge = some(20, 40);
    habits.is_away = some(20, 15);
    habits.empties = some(10, 20);
    habits
}
