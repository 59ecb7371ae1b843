//! The rules for blocked topics exist in Rust and in TypeScript. This compares both on generated texts; Node runs the TypeScript
//! code.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use porchlight::kernel::host::words;
use porchlight::rules::blocked_topics::{BlockedTopic, MANDATORY};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_public_assigned;

/// A typed text and the topics that are already blocked.
#[derive(Debug, Serialize)]
struct Question {
    typed: String,
    own: Vec<String>,
}

/// The rules' result.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Answer {
    topic: String,
    length: usize,
    caseless: String,
    refusal: Option<String>,
    /// Whether Node's Unicode version knows every character.
    known: bool,
}

/// A seeded random number generator (SplitMix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % sides as u64).unwrap()
    }

    fn of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// Texts that the two languages may treat differently: white space that only one `trim` removes, letters whose length depends
/// on their case, a final sigma, combining marks, and characters outside the BMP.
const PIECES: [&str; 64] = [
    "a",
    "e",
    "s",
    "o",
    "I",
    "K",
    "Z",
    "-",
    "'",
    "\"",
    " ",
    "  ",
    "\t",
    "\n",
    "\u{b}",
    "\u{85}",
    "\u{a0}",
    "\u{feff}",
    "\u{180e}",
    "\u{200b}",
    "\u{200d}",
    "\u{2028}",
    "\u{3000}",
    "\u{ad}",
    "\u{0}",
    "é",
    "É",
    "e\u{301}",
    "E\u{301}",
    "\u{301}",
    "\u{300}\u{316}",
    "\u{316}\u{300}",
    "\u{345}",
    "ß",
    "ẞ",
    "İ",
    "i̇",
    "ı",
    "Σ",
    "σ",
    "ς",
    "ΑΣ",
    "Σ\u{301}",
    "ﬁ",
    "ǅ",
    "Ω",
    "\u{2126}",
    "\u{212a}",
    "\u{212b}",
    "Å",
    "\u{1100}\u{1161}",
    "가",
    "\u{11a8}",
    "\u{958}",
    "\u{1d160}",
    "Ꭰ",
    "ꭰ",
    "Ა",
    "𐐀",
    "𞤀",
    "👩‍🚀",
    "🏳️‍🌈",
    "\u{fb2c}",
    "\u{1e9b}\u{323}",
];

const GENERAL: [&str; 9] = ["the", "a", "is", "and", "or", "it", "to", "in", "on"];

/// Returns an assigned character. Newer Unicode versions reach server and browser at different times.
fn any_character(rng: &mut Rng) -> char {
    loop {
        let plane = [0x80, 0x800, 0x1_0000, 0x2_0000, 0x11_0000][rng.below(5)];
        let character = char::from_u32(u32::try_from(rng.below(plane)).unwrap());
        if let Some(character) = character.filter(|character| is_public_assigned(*character)) {
            return character;
        }
    }
}

fn text(rng: &mut Rng, pieces: usize) -> String {
    let mut text = String::new();
    for _ in 0..pieces {
        match rng.below(4) {
            0 => text.push(any_character(rng)),
            _ => text.push_str(rng.of(&PIECES)),
        }
    }
    text
}

/// Varies a text: its case, its normalization, an added or removed character.
fn variant(rng: &mut Rng, text: &str) -> String {
    let mut variant = match rng.below(6) {
        0 => text.to_uppercase(),
        1 => text.to_lowercase(),
        2 => text.nfd().collect(),
        3 => text.nfkc().collect(),
        4 => text.chars().rev().collect(),
        _ => text.to_owned(),
    };
    if rng.below(3) == 0 {
        let places = variant.char_indices().map(|(place, _)| place);
        let places = places.chain([variant.len()]).collect::<Vec<_>>();
        let place = places[rng.below(places.len())];
        match rng.below(2) {
            0 => variant.insert_str(place, rng.of(&PIECES)),
            _ => variant.truncate(place),
        }
    }
    format!("{}{variant}{}", edge_case(rng), edge_case(rng))
}

fn edge_case(rng: &mut Rng) -> String {
    let pieces = rng.below(3);
    (0..pieces).map(|_| rng.of(&PIECES[10..24])).collect()
}

fn keep(sent: Vec<String>) -> Result<Vec<String>, String> {
    let kept = BlockedTopic::list(sent).map_err(|refusal| refusal.to_string())?;
    let json = serde_json::to_value(kept).unwrap();
    Ok(serde_json::from_value(json).unwrap())
}

fn question(rng: &mut Rng) -> Question {
    let mut own = Vec::new();
    for _ in 0..rng.below(4) {
        let pieces = 2 + rng.below(6);
        own.push(text(rng, pieces));
    }
    // Rare, as such lists are long.
    if rng.below(500) == 0 {
        own = (0..498 + rng.below(3))
            .map(|number| format!("topic {number}"))
            .collect();
    }
    let own = own
        .into_iter()
        .filter(|topic| keep(vec![topic.clone()]).is_ok());
    let own = keep(own.collect()).unwrap();
    let typed = match rng.below(8) {
        0 => {
            let known = rng.of(&MANDATORY);
            variant(rng, known)
        }
        1 => {
            let known = rng.of(&GENERAL);
            variant(rng, known)
        }
        2 if !own.is_empty() => {
            let known = own[rng.below(own.len())].clone();
            variant(rng, &known)
        }
        3 => {
            let piece = rng.of(&PIECES).to_owned();
            piece.repeat(197 + rng.below(6))
        }
        4 => {
            let pieces = 190 + rng.below(20);
            text(rng, pieces)
        }
        _ => {
            let pieces = rng.below(8);
            text(rng, pieces)
        }
    };
    Question { typed, own }
}

/// Applies the server's rules. Messages of the page without a counterpart here are copied.
fn server_answer(question: &Question, pages: &Answer) -> Answer {
    let topic = words::trim(&question.typed);
    let sent = [
        question.own.as_slice(),
        std::slice::from_ref(&question.typed),
    ]
    .concat();
    let refusal = match keep(sent) {
        Err(sentence) => Some(sentence),
        Ok(kept) if kept.len() > question.own.len() => {
            assert_eq!(kept.last().map(String::as_str), Some(topic));
            None
        }
        Ok(_) if topic.is_empty() => None,
        Ok(_) => {
            let dropped = [
                format!("\"{topic}\" is always blocked and cannot be added manually."),
                format!("\"{topic}\" is already in your blocked list."),
            ];
            let said = pages.refusal.as_ref();
            Some(
                said.filter(|said| dropped.contains(said))
                    .cloned()
                    .unwrap_or_else(|| dropped.concat()),
            )
        }
    };
    Answer {
        topic: topic.to_owned(),
        length: words::length(topic),
        caseless: words::caseless(topic),
        refusal,
        known: true,
    }
}

/// Describes the first difference.
fn difference(servers: &Answer, pages: &Answer) -> String {
    let pairs = servers.caseless.chars().zip(pages.caseless.chars());
    let alike = pairs.take_while(|(server, page)| server == page).count();
    let around = |text: &str| -> String {
        let around = text.chars().skip(alike.saturating_sub(4)).take(8);
        around.flat_map(char::escape_unicode).collect()
    };
    let [server, page] = [&servers.caseless, &pages.caseless].map(|text| around(text));
    format!("in lower case: {server} here and {page} on the page")
}

/// Starts Node with the page's rules: the UI's own Node, or else the system's.
fn page() -> Option<Child> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = root.join("ui/node_modules/.bin/node");
    let node = if own.exists() { own } else { "node".into() };
    let runs_types = Command::new(&node)
        .args(["--input-type=module-typescript", "--eval", ""])
        .stderr(Stdio::null())
        .status();
    if !runs_types.is_ok_and(|status| status.success()) {
        let left_out = std::env::var_os("PORCHLIGHT_SKIP_UI").is_some();
        assert!(
            left_out,
            "no Node here runs TypeScript. Run: npm --prefix ui ci"
        );
        println!("skipped: the UI was left out (PORCHLIGHT_SKIP_UI), and the rules in TypeScript");
        return None;
    }
    let node = Command::new(node)
        .arg(root.join("tests/support/page-rules.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    Some(node.expect("Node runs"))
}

fn compare(count: usize) {
    let Some(mut page) = page() else {
        return;
    };
    let mut rng = Rng(20_261_121);
    let questions = (0..count).map(|_| question(&mut rng)).collect::<Vec<_>>();
    let asked = questions
        .iter()
        .map(|question| serde_json::to_string(question).unwrap() + "\n");
    let asked = asked.collect::<Vec<_>>();
    let mut to_page = page.stdin.take().unwrap();
    // A separate thread, so that full pipes can't deadlock.
    let asking = std::thread::spawn(move || {
        for line in asked {
            to_page
                .write_all(line.as_bytes())
                .expect("Node reads its input");
        }
    });
    let mut answers = BufReader::new(page.stdout.take().unwrap()).lines();
    let (mut added, mut refused, mut unknown) = (0, 0, 0);

    for question in &questions {
        let line = answers.next().expect("Node responds to each line").unwrap();
        let pages = serde_json::from_str::<Answer>(&line).unwrap();
        if !pages.known {
            unknown += 1;
            continue;
        }
        let servers = server_answer(question, &pages);
        assert_eq!(servers, pages, "{}", difference(&servers, &pages));
        match pages.refusal {
            Some(_) => refused += 1,
            None => added += 1,
        }
    }

    asking.join().unwrap();
    assert!(page.wait().unwrap().success());
    println!(
        "{added} were added or empty, {refused} refused, alike on both sides; \
         {unknown} not asked, as Node's Unicode is older"
    );
    assert!(unknown < count / 15, "Node is too old: {unknown}");
    assert!(
        added > count / 10 && refused > count / 10,
        "{added} {refused}"
    );
}

#[test]
fn the_server_and_the_page_agree_on_generated_texts() {
    compare(4_000);
}

#[test]
#[ignore = "the long form"]
fn the_server_and_the_page_agree_on_a_hundred_thousand_texts() {
    compare(106_000);
}
