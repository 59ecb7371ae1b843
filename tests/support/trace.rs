//! The server's writes, syncs and responses in one order, as recorded by strace.

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

/// A recorded event. Writes are ordered by their start, the others by their end.
#[derive(Debug)]
pub enum Event {
    /// A file was opened with `O_CREAT`, perhaps with `O_TRUNC`.
    Created {
        path: PathBuf,
        truncated: bool,
    },
    CreatedFolder(PathBuf),
    Written {
        path: PathBuf,
        at: u64,
        bytes: Vec<u8>,
    },
    Truncated {
        path: PathBuf,
        length: u64,
    },
    /// All changes before event number `began` are durable.
    Synced {
        path: PathBuf,
        began: usize,
    },
    Renamed {
        from: PathBuf,
        to: PathBuf,
    },
    Removed(PathBuf),
    /// The worker's write with this number got a successful response.
    Acknowledged {
        worker: usize,
        number: usize,
    },
}

/// Checks that strace works here. Prints the reason if it doesn't.
pub fn can_trace() -> bool {
    let tried = Command::new("strace")
        .args(["-f", "-D", "-o", "/dev/null", "true"])
        .stdin(Stdio::null())
        .output();
    match tried {
        Ok(output) if output.status.success() => true,
        Ok(output) => {
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            eprintln!("Skipped: strace may not trace here: {error}");
            false
        }
        Err(_) => {
            eprintln!("Skipped: strace is missing. Run: apt-get install strace");
            false
        }
    }
}

/// The timeout of a traced command, in seconds. After some errors sled waits for ever.
const TIMEOUT: &str = "60";

/// The exit status of [`trace_calls`] after a timeout.
pub const TIMED_OUT: Option<i32> = Some(137);

/// Runs a command under strace. Records these system calls in `trace`, injects a fault, and returns the exit status.
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

/// Returns the calls in a trace with their occurrence numbers. strace counts per thread, so the busiest thread decides.
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

pub struct Recording(JoinHandle<Vec<u8>>);

impl Recording {
    /// Opens the pipe. Returns the command prefix that records a program.
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
        // With `-D` the command stays our child process.
        let prefix = ["strace", "-f", "-D", "--seccomp-bpf", "-y", "-xx", "-s"];
        let mut prefix = prefix.map(str::to_owned).to_vec();
        prefix.extend(["100000000", "-e", CALLS, "-o"].map(str::to_owned));
        prefix.push(pipe.display().to_string());
        (Self(reading), prefix)
    }

    /// Returns the recording. Waits for the command to exit.
    pub fn end(self) -> Vec<u8> {
        self.0.join().unwrap()
    }
}

/// Parses strace recordings, in order, and collects the events that concern files in `folder`.
pub struct Reader<'a> {
    folder: &'a Path,
    pub events: Vec<Event>,
    /// Unfinished calls by thread.
    pending: HashMap<String, PendingCall>,
    /// File positions by descriptor.
    positions: HashMap<String, u64>,
    /// The worker and the number of a connection's current write, by descriptor.
    requests: HashMap<String, (usize, usize)>,
}

struct PendingCall {
    text: String,
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn of(folder: &'a Path) -> Self {
        Self {
            folder,
            events: Vec::new(),
            pending: HashMap::new(),
            positions: HashMap::new(),
            requests: HashMap::new(),
        }
    }

    pub fn read(&mut self, recorded: &[u8]) {
        self.pending.clear();
        self.positions.clear();
        self.requests.clear();
        for line in std::str::from_utf8(recorded).unwrap().lines() {
            self.read_line(line);
        }
    }

    fn read_line(&mut self, line: &str) {
        let Some((thread, rest)) = line.split_once(' ') else {
            return;
        };
        let rest = rest.trim_start();
        if let Some(pending) = rest.strip_suffix(" <unfinished ...>") {
            self.call_started(pending);
            let pending = PendingCall {
                text: pending.to_owned(),
                at: self.events.len(),
            };
            self.pending.insert(thread.to_owned(), pending);
        } else if rest.starts_with("<... ") {
            let Some(pending) = self.pending.remove(thread) else {
                return;
            };
            let (_, ended) = rest.split_once(" resumed>").unwrap();
            self.call_finished(&format!("{}{ended}", pending.text), pending.at);
        } else if !rest.starts_with("+++") && !rest.starts_with("---") {
            let at = self.events.len();
            self.call_started(rest);
            self.call_finished(rest, at);
        }
    }

    /// Handles calls that may take effect at their start: writes to the disk or to a client.
    fn call_started(&mut self, call: &str) {
        let Some(call) = Call::read(call) else { return };
        match call.name {
            "write" | "pwrite64" => {
                let Some(path) = self.path_in_folder(call.path_of(0)) else {
                    return self.response_started(&call);
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
                self.events.push(Event::Written { path, at, bytes });
            }
            "sendto" | "sendmsg" | "writev" => {
                assert!(
                    self.path_in_folder(call.path_of(0)).is_none(),
                    "{}",
                    call.name
                );
                self.response_started(&call);
            }
            _ => {}
        }
    }

    fn response_started(&mut self, call: &Call<'_>) {
        let response = call.first_bytes(10);
        // An error response, such as 412, also completes the request.
        if response.starts_with(b"HTTP/1.1 ")
            && let Some((worker, number)) = self.requests.remove(&call.descriptor())
            && response.ends_with(b"2")
        {
            self.events.push(Event::Acknowledged { worker, number });
        }
    }

    /// Handles calls that take effect once they succeed.
    fn call_finished(&mut self, call: &str, began: usize) {
        let Some(call) = Call::read(call) else { return };
        if call.result.starts_with('-') || call.result.starts_with('?') {
            return;
        }
        match call.name {
            "read" | "recvfrom" => self.request_received(&call),
            "openat" => {
                let (descriptor, path) = call.result.split_once('<').unwrap_or((call.result, ""));
                self.positions.insert(descriptor.trim().to_owned(), 0);
                let path = path.rsplit_once('>').map(|(path, _)| decode(path));
                if let Some(path) = self.path_in_folder(path)
                    && call.arguments[2].contains("O_CREAT")
                {
                    assert!(!call.arguments[2].contains("O_APPEND"), "{path:?}");
                    let truncated = call.arguments[2].contains("O_TRUNC");
                    self.events.push(Event::Created { path, truncated });
                }
            }
            "fsync" | "fdatasync" => {
                if let Some(path) = self.path_in_folder(call.path_of(0)) {
                    self.events.push(Event::Synced { path, began });
                }
            }
            "ftruncate" | "fallocate" => {
                if let Some(path) = self.path_in_folder(call.path_of(0)) {
                    let length = call.arguments.last().unwrap().parse().unwrap();
                    self.events.push(Event::Truncated { path, length });
                }
            }
            "rename" | "unlink" | "rmdir" | "mkdir" => {
                let named = |place: usize| self.path_in_folder(call.text(place));
                let event = match call.name {
                    "rename" => named(0)
                        .zip(named(1))
                        .map(|(from, to)| Event::Renamed { from, to }),
                    "mkdir" => named(0).map(Event::CreatedFolder),
                    _ => named(0).map(Event::Removed),
                };
                self.events.extend(event);
            }
            "unlinkat" | "mkdirat" => {
                let within = call.path_of(0).unwrap_or_default();
                let path = call.text(1).map(|name| join_path(&within, &name));
                if let Some(path) = self.path_in_folder(path) {
                    self.events.push(match call.name {
                        "mkdirat" => Event::CreatedFolder(path),
                        _ => Event::Removed(path),
                    });
                }
            }
            "write" | "pwrite64" | "sendto" | "sendmsg" | "writev" => {}
            // The store makes no other calls today, and this reader doesn't support them.
            other => {
                let touches = (0..call.arguments.len())
                    .any(|place| self.path_in_folder(call.path_of(place)).is_some());
                assert!(!touches, "{other} is not supported");
            }
        }
    }

    fn request_received(&mut self, call: &Call<'_>) {
        let received = call.first_bytes(4_096);
        let head = String::from_utf8_lossy(&received);
        let Some((_, mark)) = head.split_once("\r\nx-write: ") else {
            return;
        };
        let mark = mark.lines().next().unwrap();
        let (worker, number) = mark.split_once('-').unwrap();
        let write = (worker.parse().unwrap(), number.parse().unwrap());
        self.requests.insert(call.descriptor(), write);
    }

    fn path_in_folder(&self, path: Option<Vec<u8>>) -> Option<PathBuf> {
        let path = PathBuf::from(String::from_utf8(path?).ok()?);
        Some(path.strip_prefix(self.folder).ok()?.to_owned())
    }
}

/// A parsed line of strace's output.
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
        // Strings are hexadecimal, so commas only separate arguments.
        Some(Self {
            name,
            arguments: arguments.split(", ").collect(),
            result,
        })
    }

    fn descriptor(&self) -> String {
        let first = self.arguments[0];
        first.split('<').next().unwrap_or_default().to_owned()
    }

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

    /// Returns the first sent or received bytes.
    fn first_bytes(&self, count: usize) -> Vec<u8> {
        let text = self
            .arguments
            .iter()
            .find_map(|part| part.split('"').nth(1));
        let text = text.unwrap_or_default();
        decode(&text[..text.len().min(4 * count)])
    }
}

fn join_path(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if name.starts_with(b"/") {
        name.to_vec()
    } else {
        [folder, b"/", name].concat()
    }
}

/// Decodes text with escapes such as `\x2f`.
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
