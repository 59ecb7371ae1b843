//! Random traffic of many kinds of clients.

use super::habits::{Forgets, Habits, Id, habits};
use super::texts::{Dice, GREETING, THINGS, beginning, reply, title, words};
use super::*;

/// One request of the traffic.
pub struct Event {
    pub at: f64,
    pub conversation: usize,
    pub headers: Vec<(String, String)>,
    pub body: Value,
    pub answer: Value,
    pub is_background: bool,
}

impl Event {
    pub fn request(&self) -> Request {
        let headers = self.headers.iter();
        let headers = headers.map(|(name, value)| (name.as_str(), value.as_str()));
        parsed(Dialect::OpenAi, &self.body, &headers.collect::<Vec<_>>())
    }

    /// Gives the request and its answer to the caller.
    pub fn play(&self, caller: &mut Caller) -> Begun {
        let now = time(self.at);
        let begun = caller.begin(&self.request(), now);
        match self.answer() {
            Some(answer) => caller.answered(begun.turn, &answer, now),
            None => caller.failed(begun.turn, now),
        }
        begun
    }

    /// `None` if nothing was sent.
    pub fn answer(&self) -> Option<Answer> {
        if self.answer["status"] != 200 {
            return None;
        }
        let choice = json!({"choices": [{"message": {
            "content": self.answer["text"],
            "tool_calls": self.answer["tool_calls"],
        }}]});
        let mut reader = AnswerReader::new();
        reader.push(choice.to_string().as_bytes());
        let mut answer = reader.finish();
        answer.cut = self.answer["cut"].is_object().then_some(CutBy::Client);
        Some(answer)
    }
}

/// Source, text, whether it was interrupted.
pub type Said = (&'static str, String, bool);

/// The traffic of one key and child.
pub struct Run {
    pub events: Vec<Event>,
    pub said: Vec<Said>,
}

struct Conversation<'a> {
    dice: &'a mut Dice,
    habits: Habits,
    is_unique: bool,
    number: usize,
    at: f64,
    /// What the client remembers.
    history: Vec<Value>,
    events: Vec<Event>,
    said: Vec<Said>,
    /// The child's words that only the client's history has so far.
    unsent: Vec<Said>,
    /// The index in `said` of an answer that was heard as this text. It counts as soon as a request says so.
    heard: Option<(usize, String)>,
}

impl Conversation<'_> {
    fn hold(&mut self) {
        if self.habits.greets {
            self.history
                .push(json!({"role": "assistant", "content": GREETING}));
            self.said.push(("assistant", GREETING.to_owned(), false));
        }
        for _ in 0..1 + self.dice.below(9) {
            self.turn();
            self.at += 3.0 + 57.0 * self.dice.below(1_000) as f64 / 1_000.0;
            if self.dice.percent(3) {
                self.at += 600.0;
            }
        }
        if self.habits.titles {
            let role = |message: &Value| message["role"].as_str().unwrap().to_uppercase();
            let lines = self.history.iter();
            let lines = lines.map(|it| {
                format!(
                    "{}: {}",
                    role(it),
                    it["content"].as_str().unwrap_or_default()
                )
            });
            let lines = lines.collect::<Vec<_>>().join("\n");
            let messages = vec![json!({"role": "user", "content": title(&lines)})];
            self.send(
                messages,
                json!({"status": 200, "text": "{\"title\": \"A talk\"}"}),
                false,
                true,
            );
        }
    }

    fn words(&mut self) -> String {
        let words = words(self.dice);
        if self.is_unique {
            format!("{}x{}x {words}", self.number, self.said.len())
        } else {
            words
        }
    }

    fn reply(&mut self) -> String {
        let reply = reply(self.dice);
        if self.is_unique {
            format!("{}x{}x {reply}", self.number, self.events.len())
        } else {
            reply
        }
    }

    fn turn(&mut self) {
        let text = self.words();
        if self.dice.percent(self.habits.edits) && self.history.len() >= 2 {
            self.forget_turn();
        }
        let before = self.history.len();
        if self.dice.percent(self.habits.several) && !self.habits.has_no_memory {
            let first = self.words();
            self.history.push(json!({"role": "user", "content": first}));
            self.said.push(("child", first, false));
        }
        self.said.push(("child", text.clone(), false));
        if self.dice.percent(self.habits.interim) && text.len() > 12 {
            let mut messages = self.history.clone();
            let early = beginning(&text, self.dice);
            messages.push(json!({"role": "user", "content": early}));
            let answer = if self.dice.percent(50) {
                // What was passed on stays, although nobody heard it.
                let unheard = self.reply();
                self.said
                    .insert(self.said.len() - 1, ("child", early, false));
                self.said
                    .insert(self.said.len() - 1, ("assistant", unheard.clone(), false));
                json!({"status": 200, "text": unheard})
            } else {
                json!({"status": 500})
            };
            self.send(messages, answer, false, false);
            self.at += 0.7;
        }
        self.history.push(json!({"role": "user", "content": text}));
        if self.dice.percent(self.habits.is_away) && !self.habits.has_no_memory {
            self.unsent.extend(self.said.pop());
            if self.habits.writes_errors {
                let error = "Sorry, something went wrong.";
                self.remember(error);
            }
            return;
        }
        if self.dice.percent(self.habits.fails) && !self.fail() {
            if self.habits.writes_errors {
                let error = "Sorry, something went wrong.";
                self.history
                    .push(json!({"role": "assistant", "content": error}));
            }
            return;
        }
        if self.dice.percent(self.habits.tools) {
            let function = json!({"name": "look_up", "arguments": json!({"thing": self.dice.one(&THINGS)}).to_string()});
            let calls = json!([{"id": "call_1", "type": "function", "function": function}]);
            self.ask(json!({"status": 200, "tool_calls": calls}), false);
            self.history
                .push(json!({"role": "assistant", "content": null, "tool_calls": calls}));
            self.history
                .push(json!({"role": "tool", "tool_call_id": "call_1", "content": "42"}));
            self.at += 0.2;
        }
        let text = self.reply();
        if self.dice.percent(self.habits.cuts) {
            let sent = beginning(&text, self.dice);
            self.ask(
                json!({"status": 200, "text": sent, "cut": {"by": "client"}}),
                false,
            );
            self.said.push(("assistant", sent.clone(), true));
            match self.habits.forgets {
                Forgets::Nothing => self.remember(&sent),
                Forgets::Answer => {}
                Forgets::Turn => self.history.truncate(before),
            }
            return;
        }
        self.ask(json!({"status": 200, "text": text}), false);
        self.said.push(("assistant", text.clone(), false));
        if self.dice.percent(self.habits.regenerates) {
            self.at += 8.0;
            let other = self.reply();
            self.ask(json!({"status": 200, "text": other}), false);
            if other != text {
                self.said.push(("assistant", other.clone(), false));
            }
            self.remember(&other);
        } else if self.dice.percent(self.habits.interrupts) {
            let heard = beginning(&text, self.dice);
            self.heard = Some((self.said.len() - 1, heard.clone()));
            self.remember(&heard);
        } else if self.dice.percent(self.habits.empties) {
            self.remember("");
        } else {
            self.remember(&text);
        }
    }

    /// The upstream fails, and the client asks again. Returns whether it does so until it gets an answer.
    fn fail(&mut self) -> bool {
        let error = json!({"status": 500});
        self.ask(error.clone(), false);
        self.at += 0.6;
        if self.dice.percent(30) {
            self.ask(error, true);
            self.at += 1.2;
        }
        self.dice.percent(80)
    }

    fn remember(&mut self, text: &str) {
        self.history
            .push(json!({"role": "assistant", "content": text}));
    }

    /// Removes the last words of the child and what follows them.
    fn forget_turn(&mut self) {
        let last = self
            .history
            .iter()
            .rposition(|message| message["role"] == "user");
        self.history.truncate(last.unwrap_or(0));
        // The client no longer says what was heard.
        self.heard = None;
    }

    fn ask(&mut self, answer: Value, is_retry: bool) {
        let mut messages = self.history.clone();
        if let Some(size) = self.habits.trims_to {
            messages.drain(..messages.len().saturating_sub(size));
        }
        if self.habits.has_no_memory {
            messages.drain(..messages.len() - 1);
        } else if let Some((index, heard)) = self.heard.take() {
            // A trimmed history may not have it any more.
            if messages
                .iter()
                .any(|message| message["content"] == heard.as_str())
            {
                self.said[index] = ("assistant", heard, true);
            }
        }
        if self.habits.adds_context && messages.last().is_some_and(|last| last["role"] == "user") {
            let context = format!("The time is {:.3}.", self.at);
            self.said.push(("child", context.clone(), false));
            messages.insert(
                messages.len() - 1,
                json!({"role": "user", "content": context}),
            );
        }
        if self.dice.percent(self.habits.adds_knowledge)
            && messages.last().is_some_and(|last| last["role"] == "user")
        {
            messages.extend(self.knowledge());
        }
        if self.habits.has_examples {
            let examples = [
                json!({"role": "user", "content": "Sing a song."}),
                json!({"role": "assistant", "content": "La la la!"}),
            ];
            messages.splice(..0, examples);
        }
        self.send(messages, answer, is_retry, false);
    }

    /// What a program knows of the child's words, in one of the forms in which programs say it.
    fn knowledge(&mut self) -> Vec<Value> {
        let fact = format!("Fact {}: {}", self.events.len(), self.dice.one(&THINGS));
        if self.dice.percent(50) {
            return vec![json!({"role": "assistant", "content": fact})];
        }
        let function = json!({"name": "look_up", "arguments": "{}"});
        let calls = json!([{"id": "call_0", "type": "function", "function": function}]);
        vec![
            json!({"role": "assistant", "content": null, "tool_calls": calls}),
            json!({"role": "tool", "tool_call_id": "call_0", "content": fact}),
        ]
    }

    fn send(&mut self, messages: Vec<Value>, answer: Value, is_retry: bool, is_background: bool) {
        let mut messages = messages;
        let sent = self.unsent.extract_if(.., |(_, text, _)| {
            messages
                .iter()
                .any(|message| message["content"] == text.as_str())
        });
        self.said.extend(sent);
        if !is_background {
            let system = json!({"role": "system", "content": "You are a friendly helper."});
            messages.insert(0, system);
        }
        let mut body = json!({"model": "m", "stream": !is_background, "messages": messages});
        let mut headers = Vec::new();
        if self.habits.says_retry {
            let count = if is_retry { "1" } else { "0" };
            headers.push(("x-stainless-retry-count".to_owned(), count.to_owned()));
        }
        match self.habits.id {
            Id::None => {}
            Id::Session => headers.push((
                "x-porchlight-session".to_owned(),
                format!("c{}", self.number),
            )),
            Id::User => body["user"] = json!(format!("c{}", self.number)),
        }
        // No two requests of a run come at the same time.
        self.at += 0.01;
        self.events.push(Event {
            at: self.at + self.number as f64 / 10_000.0,
            conversation: self.number,
            headers,
            body,
            answer,
            is_background,
        });
    }
}

pub fn run(seed: u64) -> Run {
    run_of(seed, false)
}

/// With `is_unique`, no two texts of the run begin alike, and no words are asked about again after their answer.
pub fn run_of(seed: u64, is_unique: bool) -> Run {
    let mut dice = Dice::new(seed);
    let mut habits = habits(&mut dice);
    if is_unique {
        habits.has_no_memory = false;
        habits.regenerates = 0;
    }
    let mut start = 0.0;
    let mut run = Run {
        events: Vec::new(),
        said: Vec::new(),
    };
    for number in 0..3 + dice.below(6) {
        start += 1.0 + dice.below(habits.gap) as f64;
        let mut conversation = Conversation {
            dice: &mut dice,
            habits: habits.clone(),
            is_unique,
            number,
            at: start,
            history: Vec::new(),
            events: Vec::new(),
            said: Vec::new(),
            unsent: Vec::new(),
            heard: None,
        };
        conversation.hold();
        run.events.append(&mut conversation.events);
        run.said.append(&mut conversation.said);
    }
    run.events.sort_by(|one, other| one.at.total_cmp(&other.at));
    run
}
