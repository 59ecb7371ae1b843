//! Random texts.

/// SplitMix64, so that the traffic stays the same with every version of every library.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

pub const THINGS: [&str; 20] = [
    "sea", "moon", "volcano", "penguin", "rainbow", "shark", "castle", "train", "star", "tree",
    "bee", "robot", "river", "cloud", "desert", "spider", "whale", "island", "bridge", "fox",
];

/// A child says these again and again.
const PHRASES: [&str; 8] = [
    "Hello!",
    "Why?",
    "Yes.",
    "No.",
    "Tell me another one.",
    "What?",
    "And then?",
    "Okay.",
];

/// What some clients say by themselves before each conversation.
pub const GREETING: &str = "Hi, I am Bo! What do you want to know?";

pub fn words(dice: &mut Dice) -> String {
    if dice.percent(20) {
        return dice.one(&PHRASES).to_owned();
    }
    let (one, other) = (dice.one(&THINGS), dice.one(&THINGS));
    match dice.below(4) {
        0 => format!("Why does the {one} need a {other}?"),
        1 => format!("Tell me a story about a {one} and a {other}."),
        2 => format!("Is a {one} bigger than a {other}?"),
        _ => format!("What does a {one} think of the {other} today?"),
    }
}

pub fn reply(dice: &mut Dice) -> String {
    if dice.percent(12) {
        return "Hello! What shall we talk about?".to_owned();
    }
    let (one, other, third) = (dice.one(&THINGS), dice.one(&THINGS), dice.one(&THINGS));
    format!(
        "Once upon a time a {one} met a {other}, and together they went to see the {third}. What happened next?"
    )
}

/// The first words of a text.
pub fn beginning(text: &str, dice: &mut Dice) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>();
    words[..1 + dice.below(words.len() - 1)].join(" ")
}

/// Open WebUI's request for a title.
pub fn title(history: &str) -> String {
    let template = include_str!("../../../../../tests/fixtures/gateway/open-webui-title.txt");
    template[2..].replace("{history}", history)
}
