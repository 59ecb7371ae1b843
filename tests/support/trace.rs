//! What a server asked the system to write and to sync, and what it answered meanwhile, in one order: as strace saw it.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;

use rustix::fs::{FileType, Mode};

const CALLS: &str = "trace=openat,pwrite64,write,writev,pwritev,pwritev2,fsync,fdatasync,ftruncate,\
                     fallocate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,\
                     symlink,symlinkat,copy_file_range,sendfile,recvfrom,read,sendto,sendmsg";

/// Something that happened, at the place in the order where it began or, for what only then holds, ended.
#[derive(Debug)]
pub enum Event {
    /// A file is there that perhaps wasn't, or is empty now.
    Made {
        path: PathBuf,
        emptied: bool,
    },
    MadeFolder(PathBuf),
    Wrote {
        path: PathBuf,
        at: u64,
        bytes: Vec<u8>,
    },
    Truncated {
        path: PathBuf,
        length: u64,
    },
    /// All that began before the event with the number `began` is on the disk.
    Synced {
        path: PathBuf,
        began: usize,
    },
    Renamed {
        from: PathBuf,
        to: PathBuf,
    },
    Removed(PathBuf),
    /// A line's write with this number is answered with success.
    Acknowledged {
        line: usize,
        number: usize,
    },
}

/// Whether strace can be used here; says why not.
pub fn can_trace() -> bool {
    let tried = Command::new("strace")
        .args(["-f", "-D", "-o", "/dev/null", "true"])
        .stdin(Stdio::null())
        .output();
    match tried {
        Ok(output) if output.status.success() => true,
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            eprintln!("Skipped: strace may not trace here: {said}");
            false
        }
        Err(_) => {
            eprintln!("Skipped: strace is missing. Run: apt-get install strace");
            false
        }
    }
}

/// The longest that a traced command may take, in seconds: sled waits for ever after some errors.
const TIMEOUT: &str = "60";

/// The exit status of [`trace_calls`] for a command that took longer.
pub const HANGS: Option<i32> = Some(137);

/// Runs a command under strace, which writes these calls of it to `trace`, and lets one of them fail as `inject` says; the
/// exit status.
pub fn trace_calls(
    command: &Command,
    calls: &str,
    trace: &Path,
    inject: Option<&str>,
) -> Option<i32> {
    let mut strace = Command::new("timeout");
    strace.args(["--signal=KILL", TIMEOUT, "strace", "-f", "-o"]);
    strace.arg(trace).arg("-e").arg(format!("trace={calls}"));
    if let Some(inject) = inject {
        strace.args(["-e", inject]);
    }
    strace.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        strace.current_dir(folder);
    }
    let nothing = strace.stdin(Stdio::null()).stdout(Stdio::null());
    nothing.stderr(Stdio::null()).status().unwrap().code()
}

/// The calls of a trace: each by name, as often as the thread made it that made it most. strace counts for each thread by
/// itself.
pub fn calls_in(trace: &str) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::<(&str, &str), usize>::new();
    for line in trace.lines() {
        if let Some((thread, rest)) = line.split_once(' ')
            && let Some((call, _)) = rest.trim_start().split_once('(')
        {
            *counts.entry((call, thread)).or_default() += 1;
        }
    }
    let mut most = BTreeMap::<&str, usize>::new();
    for ((call, _), count) in counts {
        let known = most.entry(call).or_default();
        *known = count.max(*known);
    }
    let calls = most.into_iter();
    let calls = calls.flat_map(|(call, most)| (1..=most).map(move |n| (call.to_owned(), n)));
    calls.collect()
}

/// A recording under way.
pub struct Recording(JoinHandle<Vec<u8>>);

impl Recording {
    /// Starts to listen, and says with which words in front a command is recorded.
    pub fn begin(pipe: &Path) -> (Self, Vec<String>) {
        let _ = std::fs::remove_file(pipe);
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, pipe, FileType::Fifo, mode, 0).unwrap();
        let from = pipe.to_owned();
        let reading = std::thread::spawn(move || {
            let mut recorded = Vec::new();
            let mut pipe = File::open(from).unwrap();
            pipe.read_to_end(&mut recorded).unwrap();
            recorded
        });
        // `-D`: the command stays our child, and strace goes beside it.
        let words = ["strace", "-f", "-D", "--seccomp-bpf", "-y", "-xx", "-s"];
        let mut words = words.map(str::to_owned).to_vec();
        words.extend(["100000000", "-e", CALLS, "-o"].map(str::to_owned));
        words.push(pipe.display().to_string());
        (Self(reading), words)
    }

    /// What was recorded, once the command has ended.
    pub fn end(self) -> Vec<u8> {
        self.0.join().unwrap()
    }
}

/// Reads recordings, one after the other, of what concerns one folder.
pub struct Reader<'a> {
    folder: &'a Path,
    pub events: Vec<Event>,
    /// Calls that have begun in a thread.
    begun: HashMap<String, Begun>,
    /// Where the next `write` goes, by descriptor.
    positions: HashMap<String, u64>,
    /// The write that a connection's request is, by descriptor.
    asked: HashMap<String, (usize, usize)>,
}

struct Begun {
    text: String,
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn of(folder: &'a Path) -> Self {
        Self {
            folder,
            events: Vec::new(),
            begun: HashMap::new(),
            positions: HashMap::new(),
            asked: HashMap::new(),
        }
    }

    pub fn read(&mut self, recorded: &[u8]) {
        self.begun.clear();
        self.positions.clear();
        self.asked.clear();
        for line in std::str::from_utf8(recorded).unwrap().lines() {
            self.line(line);
        }
    }

    fn line(&mut self, line: &str) {
        let Some((thread, rest)) = line.split_once(' ') else {
            return;
        };
        let rest = rest.trim_start();
        if let Some(begun) = rest.strip_suffix(" <unfinished ...>") {
            self.begins(begun);
            let begun = Begun {
                text: begun.to_owned(),
                at: self.events.len(),
            };
            self.begun.insert(thread.to_owned(), begun);
        } else if rest.starts_with("<... ") {
            let Some(begun) = self.begun.remove(thread) else {
                return;
            };
            let (_, ended) = rest.split_once(" resumed>").unwrap();
            self.ends(&format!("{}{ended}", begun.text), begun.at);
        } else if !rest.starts_with("+++") && !rest.starts_with("---") {
            let at = self.events.len();
            self.begins(rest);
            self.ends(rest, at);
        }
    }

    /// What may have an effect from its beginning on: bytes on their way to the disk or to a client.
    fn begins(&mut self, call: &str) {
        let Some(call) = Call::read(call) else { return };
        match call.name {
            "write" | "pwrite64" => {
                let Some(path) = self.ours(call.path_of(0)) else {
                    return self.answers(&call);
                };
                let bytes = call.bytes();
                let at = match call.name {
                    "write" => {
                        let position = self.positions.entry(call.descriptor()).or_default();
                        *position += bytes.len() as u64;
                        *position - bytes.len() as u64
                    }
                    _ => call.arguments[3].parse().unwrap(),
                };
                self.events.push(Event::Wrote { path, at, bytes });
            }
            "sendto" | "sendmsg" | "writev" => {
                assert!(self.ours(call.path_of(0)).is_none(), "{}", call.name);
                self.answers(&call);
            }
            _ => {}
        }
    }

    fn answers(&mut self, call: &Call<'_>) {
        let answer = call.first_bytes(10);
        // A refusal, such as that somebody was faster, is an answer too, and what follows answers something else.
        if answer.starts_with(b"HTTP/1.1 ")
            && let Some((line, number)) = self.asked.remove(&call.descriptor())
            && answer.ends_with(b"2")
        {
            self.events.push(Event::Acknowledged { line, number });
        }
    }

    /// What holds once it has ended, and well.
    fn ends(&mut self, call: &str, began: usize) {
        let Some(call) = Call::read(call) else { return };
        if call.result.starts_with('-') || call.result.starts_with('?') {
            return;
        }
        match call.name {
            "read" | "recvfrom" => self.hears(&call),
            "openat" => {
                let (descriptor, path) = call.result.split_once('<').unwrap_or((call.result, ""));
                self.positions.insert(descriptor.trim().to_owned(), 0);
                let path = path.rsplit_once('>').map(|(path, _)| decode(path));
                if let Some(path) = self.ours(path)
                    && call.arguments[2].contains("O_CREAT")
                {
                    assert!(!call.arguments[2].contains("O_APPEND"), "{path:?}");
                    let emptied = call.arguments[2].contains("O_TRUNC");
                    self.events.push(Event::Made { path, emptied });
                }
            }
            "fsync" | "fdatasync" => {
                if let Some(path) = self.ours(call.path_of(0)) {
                    self.events.push(Event::Synced { path, began });
                }
            }
            "ftruncate" | "fallocate" => {
                if let Some(path) = self.ours(call.path_of(0)) {
                    let length = call.arguments.last().unwrap().parse().unwrap();
                    self.events.push(Event::Truncated { path, length });
                }
            }
            "rename" | "unlink" | "rmdir" | "mkdir" => {
                let named = |place: usize| self.ours(call.text(place));
                let event = match call.name {
                    "rename" => named(0)
                        .zip(named(1))
                        .map(|(from, to)| Event::Renamed { from, to }),
                    "mkdir" => named(0).map(Event::MadeFolder),
                    _ => named(0).map(Event::Removed),
                };
                self.events.extend(event);
            }
            "unlinkat" | "mkdirat" => {
                let within = call.path_of(0).unwrap_or_default();
                let path = call.text(1).map(|name| join(&within, &name));
                if let Some(path) = self.ours(path) {
                    self.events.push(match call.name {
                        "mkdirat" => Event::MadeFolder(path),
                        _ => Event::Removed(path),
                    });
                }
            }
            "write" | "pwrite64" | "sendto" | "sendmsg" | "writev" => {}
            // A call that the store doesn't make today, and of which this knows nothing.
            other => {
                let touches =
                    (0..call.arguments.len()).any(|place| self.ours(call.path_of(place)).is_some());
                assert!(!touches, "{other} is not understood");
            }
        }
    }

    fn hears(&mut self, call: &Call<'_>) {
        let heard = call.first_bytes(4_096);
        let head = String::from_utf8_lossy(&heard);
        let Some((_, mark)) = head.split_once("\r\nx-write: ") else {
            return;
        };
        let mark = mark.lines().next().unwrap();
        let (line, number) = mark.split_once('-').unwrap();
        let write = (line.parse().unwrap(), number.parse().unwrap());
        self.asked.insert(call.descriptor(), write);
    }

    fn ours(&self, path: Option<Vec<u8>>) -> Option<PathBuf> {
        let path = PathBuf::from(String::from_utf8(path?).ok()?);
        Some(path.strip_prefix(self.folder).ok()?.to_owned())
    }
}

/// A call as strace writes it, in parts.
struct Call<'a> {
    name: &'a str,
    arguments: Vec<&'a str>,
    result: &'a str,
}

impl<'a> Call<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (name, rest) = text.split_once('(')?;
        let (arguments, result) = match rest.rsplit_once(" = ") {
            Some((arguments, result)) => (arguments.trim_end().trim_end_matches(')'), result),
            None => (rest, ""),
        };
        // All texts are in hexadecimal, so a comma always separates.
        Some(Self {
            name,
            arguments: arguments.split(", ").collect(),
            result,
        })
    }

    /// The descriptor's number.
    fn descriptor(&self) -> String {
        let first = self.arguments[0];
        first.split('<').next().unwrap_or_default().to_owned()
    }

    /// The path behind a descriptor.
    fn path_of(&self, place: usize) -> Option<Vec<u8>> {
        let (_, path) = self.arguments.get(place)?.split_once('<')?;
        Some(decode(path.rsplit_once('>')?.0))
    }

    fn text(&self, place: usize) -> Option<Vec<u8>> {
        let text = self.arguments.get(place)?.split('"').nth(1)?;
        Some(decode(text))
    }

    fn bytes(&self) -> Vec<u8> {
        self.text(1).unwrap_or_default()
    }

    /// The first bytes that were sent or received, wherever the call has them.
    fn first_bytes(&self, many: usize) -> Vec<u8> {
        let text = self
            .arguments
            .iter()
            .find_map(|part| part.split('"').nth(1));
        let text = text.unwrap_or_default();
        decode(&text[..text.len().min(4 * many)])
    }
}

fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    match name.starts_with(b"/") {
        true => name.to_vec(),
        false => [folder, b"/", name].concat(),
    }
}

/// Text in which bytes may be written as `\x2f`.
fn decode(text: &str) -> Vec<u8> {
    let text = text.as_bytes();
    let digit = |byte: u8| match byte {
        b'a'..=b'f' => byte - b'a' + 10,
        _ => byte - b'0',
    };
    let mut bytes = Vec::with_capacity(text.len() / 4);
    let mut place = 0;
    while place < text.len() {
        if text[place..].starts_with(b"\\x") {
            bytes.push(digit(text[place + 2]) * 16 + digit(text[place + 3]));
            place += 4;
        } else {
            bytes.push(text[place]);
            place += 1;
        }
    }
    bytes
}
