//! Drafts of e-mails: blocks that become the plain-text part and the HTML part, so that each sentence stands once.

use super::fragment::Fragment;
use super::{Email, EmailAddress, escaped};
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::text;
use crate::kernel::host::words::visible_name_in_sentence;

const TOP: &str = include_str!("draft/top.html");
const BOTTOM: &str = include_str!("draft/bottom.html");

const FONT: &str =
    "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size";
const STRONG: &str = ";font-size:18px;line-height:26px;font-weight:600";
const CODE: &str = ";font-size:28px;line-height:36px;font-weight:600;letter-spacing:2px";
const ADDRESS: &str = ";font-size:18px;line-height:26px;font-weight:600;word-break:break-all";

/// The longest line of the plain-text part, in characters. Links and long words are longer.
const WIDTH: usize = 78;

/// An e-mail in the language of its reader. The methods add a block each, in their order.
pub struct Draft {
    language: Language,
    subject: String,
    is_urgent: bool,
    blocks: Vec<Block>,
}

struct Block {
    kind: Kind,
    format: Format,
}

/// The formats of an e-mail that have a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Both,
    Text,
    Html,
}

enum Kind {
    Paragraph(String),
    /// In large type.
    Strong(String, &'static str),
    /// Above everything else, and marked.
    Urgent(String),
    /// One of several sentences in large type.
    Headline(String),
    Quote(String),
    Rows(Fragment),
    Link(Link),
    Note(String),
    /// The link once more, as text: in HTML only.
    Copy(String),
}

struct Link {
    label: String,
    url: String,
    in_text: LinkInText,
}

/// Where the label of a link stands in the plain text.
pub enum LinkInText {
    /// The sentence before says what the link is.
    WithoutLabel,
    Beside,
    Above,
}

impl Draft {
    /// `subject` is the key of a text.
    pub fn new(language: Language, subject: &str) -> Self {
        Self {
            language,
            subject: text(language, subject, &[]),
            is_urgent: false,
            blocks: Vec::new(),
        }
    }

    #[must_use]
    pub fn paragraph(self, text: String) -> Self {
        self.with(Kind::Paragraph(text))
    }

    /// What the e-mail is about, in large type.
    #[must_use]
    pub fn strong(self, text: String) -> Self {
        self.with(Kind::Strong(text, STRONG))
    }

    #[must_use]
    pub fn address(self, address: &EmailAddress) -> Self {
        self.with(Kind::Strong(address.to_string(), ADDRESS))
    }

    #[must_use]
    pub fn code(self, digits: &str) -> Self {
        self.with(Kind::Strong(digits.to_owned(), CODE))
    }

    /// Says that the e-mail is urgent, which mail programs show, too.
    #[must_use]
    pub fn urgent(mut self, text: String) -> Self {
        self.is_urgent = true;
        self.with(Kind::Urgent(text))
    }

    #[must_use]
    pub fn headline(self, text: String) -> Self {
        self.with(Kind::Headline(text))
    }

    #[must_use]
    pub fn quote(self, text: String) -> Self {
        self.with(Kind::Quote(text))
    }

    /// Rows of the HTML part's table, with their plain text.
    #[must_use]
    pub fn rows(self, rows: Fragment) -> Self {
        self.with(Kind::Rows(rows))
    }

    /// A button. `label` is the key of a text.
    #[must_use]
    pub fn link(self, label: &str, url: &str, in_text: LinkInText) -> Self {
        let link = Link {
            label: text(self.language, label, &[]),
            url: url.to_owned(),
            in_text,
        };
        self.with(Kind::Link(link))
    }

    /// Small print below.
    #[must_use]
    pub fn note(self, text: String) -> Self {
        self.with(Kind::Note(text))
    }

    /// A note with the address of the button above.
    #[must_use]
    pub fn link_to_copy(self, url: &str) -> Self {
        self.with(Kind::Copy(url.to_owned())).in_html()
    }

    /// Leaves the last block out of the HTML part.
    #[must_use]
    pub fn in_text(self) -> Self {
        self.only(Format::Text)
    }

    /// Leaves the last block out of the plain-text part.
    #[must_use]
    pub fn in_html(self) -> Self {
        self.only(Format::Html)
    }

    fn only(mut self, format: Format) -> Self {
        if let Some(last) = self.blocks.last_mut() {
            last.format = format;
        }
        self
    }

    fn with(mut self, kind: Kind) -> Self {
        let format = Format::Both;
        self.blocks.push(Block { kind, format });
        self
    }

    /// The e-mail to this reader. `name` is theirs.
    pub fn to(self, name: Option<&str>, to: &EmailAddress) -> Email {
        let greeting = match name.and_then(visible_name_in_sentence) {
            Some(name) => text(self.language, "greeting", &[("name", name.into())]),
            None => text(self.language, "greeting-without-name", &[]),
        };
        Email {
            to: to.clone(),
            text: self.text(&greeting),
            html: self.html(&greeting),
            subject: self.subject,
            is_urgent: self.is_urgent,
            message_id: None,
            unsubscribe: None,
        }
    }

    fn blocks_of(&self, format: Format) -> Vec<&Kind> {
        let blocks = self.blocks.iter();
        let blocks = blocks.filter(|block| block.format == Format::Both || block.format == format);
        blocks.map(|block| &block.kind).collect()
    }

    fn text(&self, greeting: &str) -> String {
        let mut paragraphs = vec![greeting.to_owned()];
        for block in self.blocks_of(Format::Text) {
            match block {
                Kind::Paragraph(text)
                | Kind::Strong(text, _)
                | Kind::Urgent(text)
                | Kind::Headline(text)
                | Kind::Note(text) => paragraphs.push(wrapped(&straight(text))),
                Kind::Quote(text) => paragraphs.push(wrapped(&format!("  {text}"))),
                Kind::Rows(rows) => {
                    let lines = rows.text.trim_end().split('\n').map(wrapped);
                    paragraphs.push(lines.collect::<Vec<_>>().join("\n"));
                }
                Kind::Link(link) => paragraphs.extend(self.link_in_text(link)),
                Kind::Copy(url) => paragraphs.push(url.clone()),
            }
        }
        paragraphs.push("Porchlight\n".to_owned());
        paragraphs.join("\n\n")
    }

    fn link_in_text(&self, link: &Link) -> Vec<String> {
        let Link { label, url, .. } = link;
        let labelled = |value: &str| {
            let args = [("label", label.as_str().into()), ("value", value.into())];
            text(self.language, "label-and-value", &args)
        };
        match link.in_text {
            LinkInText::WithoutLabel => vec![url.clone()],
            LinkInText::Beside => vec![wrapped(&labelled(url))],
            LinkInText::Above => {
                let label = labelled("");
                vec![label.trim_end().to_owned(), url.clone()]
            }
        }
    }

    fn html(&self, greeting: &str) -> String {
        // The greeting last: a name may look like a placeholder.
        let top = TOP
            .replace("{language}", self.language.code())
            .replace("{subject}", &escaped(&self.subject))
            .replace("{greeting}", &escaped(greeting));
        let mut html = Sections::of(top);
        let blocks = self.blocks_of(Format::Html);
        let mut before = None::<&Kind>;
        for (index, block) in blocks.iter().copied().enumerate() {
            let next = blocks.get(index + 1).copied();
            match block {
                Kind::Paragraph(text) => {
                    let below = match next {
                        None => "0",
                        Some(Kind::Paragraph(_) | Kind::Strong(..)) => "0 0 16px 0",
                        Some(Kind::Rows(_)) => "0 0 20px 0",
                        Some(_) => "0 0 24px 0",
                    };
                    html.line(below, "", &escaped(text));
                }
                Kind::Urgent(text) => html.urgent(&escaped(text)),
                Kind::Strong(text, style) => html.line("0 0 24px 0", style, &escaped(text)),
                Kind::Headline(text) => html.line("0 0 12px 0", STRONG, &escaped(text)),
                Kind::Quote(text) => html.line("0 16px 12px 16px", "", &escaped(text)),
                Kind::Rows(rows) => html.rows(&rows.html),
                Kind::Link(link) => {
                    let above = match before {
                        Some(Kind::Rows(_)) => "8px",
                        Some(Kind::Headline(_) | Kind::Quote(_)) => "12px",
                        _ => "0",
                    };
                    html.button(above, link);
                }
                Kind::Note(text) => html.note(next.is_none(), &escaped(text)),
                Kind::Copy(url) => {
                    let sentence = escaped(&text(self.language, "copy-link", &[]));
                    let url = escaped(url);
                    let text =
                        format!("{sentence}<br><span style=\"word-break:break-all\">{url}</span>");
                    html.note(next.is_none(), &text);
                }
            }
            before = Some(block);
        }
        html.html + BOTTOM
    }
}

/// The HTML part, whose table has a row for each section.
struct Sections {
    html: String,
    /// Whether the last row is to be closed.
    is_open: bool,
    has_notes: bool,
}

impl Sections {
    fn of(top: String) -> Self {
        Self {
            html: top,
            is_open: true,
            has_notes: false,
        }
    }

    fn line(&mut self, margin: &str, style: &str, html: &str) {
        self.html += &format!("<p style=\"margin:{margin}{style}\">{html}</p>\n");
    }

    fn urgent(&mut self, html: &str) {
        self.html += &format!(
            "<p class=\"note ink\" style=\"margin:0 0 16px 0;padding:10px 14px;border:1px solid #d17414;border-radius:8px;\
             background-color:#fceed6;color:#262b45{STRONG}\">{html}</p>\n"
        );
    }

    fn close(&mut self) {
        if self.is_open {
            self.html += "</td></tr>\n";
        }
    }

    fn rows(&mut self, html: &str) {
        self.close();
        self.is_open = false;
        self.html += html;
    }

    fn button(&mut self, above: &str, link: &Link) {
        self.close();
        self.is_open = true;
        let (label, url) = (escaped(&link.label), escaped(&link.url));
        self.html += &format!(
            "<tr><td class=\"pad\" style=\"padding:{above} 32px 24px 32px\">\n\
             <a class=\"button\" href=\"{url}\" style=\"display:inline-block;padding:14px 28px;border-radius:10px;\
             background-color:#3f4a8c;color:#ffffff;{FONT}:16px;line-height:20px;font-weight:600;text-align:center;\
             text-decoration:none\">{label}</a>\n"
        );
    }

    fn note(&mut self, is_last: bool, html: &str) {
        if !self.has_notes {
            self.close();
            self.is_open = true;
            self.has_notes = true;
            self.html += &format!(
                "<tr><td class=\"pad muted\" style=\"padding:0 32px 32px 32px;{FONT}:14px;line-height:21px;\
                 color:#565b73\">\n"
            );
        }
        self.line(if is_last { "0" } else { "0 0 12px 0" }, "", html);
    }
}

/// Plain text has straight apostrophes.
fn straight(text: &str) -> String {
    text.replace(['‘', '’'], "'")
}

/// How far the rest of an indented line that is broken stands from the margin, so that it isn't taken for another one.
const HANGING: usize = 4;

/// Breaks a line where it is too long.
fn wrapped(line: &str) -> String {
    let text = line.trim_start_matches([' ', '!']);
    let indent = line.len() - text.len();
    let hanging = if indent == 0 { 0 } else { HANGING };
    let mut broken = line[..indent].to_owned();
    let mut length = indent;
    for (index, word) in words(text).enumerate() {
        let added = word.chars().count();
        if index == 0 {
            length += added;
        } else if length + 1 + added <= WIDTH {
            broken.push(' ');
            length += 1 + added;
        } else {
            broken.push('\n');
            broken.push_str(&" ".repeat(hanging));
            length = hanging + added;
        }
        broken.push_str(word);
    }
    broken
}

/// The parts of a text between its spaces. A line's end would end the isolation of a name from right to left, so that it stays whole.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |character| {
        match character {
            '\u{2066}'..='\u{2068}' => depth += 1,
            '\u{2069}' => depth -= 1,
            _ => {}
        }
        character == ' ' && depth <= 0
    })
}

#[cfg(test)]
pub mod tests {
    pub mod checks;

    use super::*;

    fn draft(language: Language) -> Draft {
        Draft::new(language, "sign-in-subject")
            .paragraph("<i>one</i> ‘two’".to_owned())
            .link(
                "sign-in-button",
                "https://porchlight.example/?a&b",
                LinkInText::Above,
            )
            .note("note ".repeat(20).trim_end().to_owned())
    }

    fn email(language: Language, name: &str) -> Email {
        draft(language).to(Some(name), &"ada@example.org".parse().unwrap())
    }

    #[test]
    fn the_plain_text_has_lines_of_limited_length() {
        let note = "note ".repeat(16).trim_end().to_owned();

        assert_eq!(
            email(Language::En, "Ada").text,
            format!(
                "Hello Ada,\n\n<i>one</i> 'two'\n\nSign in to Porchlight:\n\n\
                 https://porchlight.example/?a&b\n\n{}\n{}\n\nPorchlight\n",
                &note[..74],
                "note note note note note"
            )
        );
        assert_eq!(
            email(Language::En, "Ada")
                .text
                .lines()
                .nth(8)
                .unwrap()
                .len(),
            74
        );
    }

    #[test]
    fn a_long_line_is_broken_between_words_and_not_within_a_name_from_right_to_left() {
        let name = "\u{2068}مريم فاطمة\u{2069}";
        let long = format!("  ! {} {name} end", "w".repeat(70));
        assert_eq!(
            wrapped(&long),
            format!("  ! {}\n    {name} end", "w".repeat(70))
        );
        for unbroken in ["", "  ! one", "w".repeat(90).as_str()] {
            assert_eq!(wrapped(unbroken), unbroken);
        }
    }

    #[test]
    fn a_name_that_cannot_be_seen_is_left_out() {
        for name in ["", "\u{202e}", "\u{200b}\u{200b}", " \u{feff}"] {
            let text = email(Language::En, name).text;
            assert!(text.starts_with("Hello,\n"), "{name:?} {text}");
        }
    }

    #[test]
    fn what_is_inserted_brings_neither_html_nor_placeholders_with_it() {
        let html = email(Language::De, "<b>{subject}").html;

        assert!(html.contains("<html lang=\"de\">"), "{html}");
        assert!(html.contains("&lt;b&gt;{subject}"), "{html}");
        assert!(html.contains("&lt;i&gt;one&lt;/i&gt; ‘two’"), "{html}");
        assert!(
            html.contains("href=\"https://porchlight.example/?a&amp;b\""),
            "{html}"
        );
    }

    #[test]
    fn a_block_of_one_part_is_not_in_the_other() {
        let draft = Draft::new(Language::En, "sign-in-subject");
        let draft = draft.paragraph("first".to_owned()).in_text();
        let draft = draft.paragraph("second".to_owned()).in_html();

        let Email { text, html, .. } = draft.to(None, &"ada@example.org".parse().unwrap());

        assert_eq!(text, "Hello,\n\nfirst\n\nPorchlight\n");
        assert!(html.contains(">second</p>") && !html.contains("first"));
    }
}
