//! What is measured, row by row.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use porchlight::kernel::store::Store;
use serde_json::Value;

use super::Options;
use super::data::{
    CHILD_OF_MANY_MESSAGES, CHILD_OF_MANY_SESSIONS, Failed, MESSAGES_OF_A_SESSION, READ_CHILD,
    SESSIONS_OF_A_PAGE, guardian_of,
};
use super::floor;
use super::house::House;
use super::load::{Answer, Delivery, Load, Measured, What, ask};
use super::table::{Series, Table, Target, thousands};

/// How many connections read at once.
const READERS: u32 = 32;

/// How many rows a page has when nobody says, and at most.
const PAGE: usize = 50;
const LARGEST_PAGE: usize = 500;

/// How many messages a batch has.
const BATCH: u32 = 100;

/// How many deliver batches.
const BATCH_WRITERS: u32 = 4;

/// How many sessions are delivered to.
const SESSIONS: u32 = 64;

/// The measuring.
pub struct Bench {
    options: Options,
    folder: PathBuf,
    served: PathBuf,
    bare: PathBuf,
    table: Table,
    runs: u32,
}

/// Who asks.
struct Callers {
    guardian: String,
    assistant: String,
}

impl Bench {
    pub fn new(options: Options, folder: PathBuf, served: PathBuf, bare: PathBuf) -> Self {
        Self {
            options,
            folder,
            served,
            bare,
            table: Table::default(),
            runs: 0,
        }
    }

    /// Measures everything.
    pub async fn measure(mut self) -> Result<Table, Failed> {
        self.measure_fresh()?;
        let house = House::start(&self.served, "/readyz", &[])?;
        let callers = callers(&house)?;
        house.end()?;
        let house = self.measure_starts(&callers)?;
        if self.wants("reads") {
            self.measure_reads(&house, &callers).await?;
        }
        if self.wants("pages") {
            self.measure_pages(&house)?;
        }
        open_sessions(&house, &callers)?;
        if self.wants("deliveries") {
            self.measure_deliveries(&house, &callers)?;
        }
        if self.wants("batches") {
            self.measure_batches(&house, &callers).await?;
        }
        self.measure_memory(&house)?;
        house.end()?;
        self.measure_size()?;
        Ok(self.table)
    }

    fn wants(&self, name: &str) -> bool {
        self.options
            .only
            .as_ref()
            .is_none_or(|only| name.contains(only.as_str()))
    }

    fn measure_fresh(&mut self) -> Result<(), Failed> {
        let data = self.folder.join("fresh");
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        let house = House::start(&data, "/readyz", &[])?;
        let resident = house.resident_memory()?;
        house.end()?;
        self.table.add(
            "resident memory, fresh",
            "",
            resident,
            " MB",
            Target::AtMost(20.0),
        );
        Ok(())
    }

    /// Starts and ends the server several times, and leaves it running.
    fn measure_starts(&mut self, callers: &Callers) -> Result<House, Failed> {
        let start = |data: &Path| {
            House::start(
                data,
                "/api/children",
                std::slice::from_ref(&callers.guardian),
            )
        };
        let mut times = Series::default();
        for _ in 0..self.options.rounds {
            let house = start(&self.served)?;
            times.push(house.first_answer_after);
            house.end()?;
        }
        let house = start(&self.served)?;
        let messages = thousands(self.options.messages as f64);
        let what = format!("cold start with {messages} messages, to the first answer");
        self.table
            .add(what, "", times.median(), " ms", Target::AtMost(250.0));
        let resident = house.resident_memory()?;
        self.table.add(
            "resident memory after that",
            "",
            resident,
            " MB",
            Target::None,
        );
        Ok(house)
    }

    async fn measure_reads(&mut self, house: &House, callers: &Callers) -> Result<(), Failed> {
        let child = READ_CHILD;
        let page = format!("/api/sessions?child_id={child}&limit={SESSIONS_OF_A_PAGE}");
        let newest = json(&get(house, &page, callers)?)?["sessions"][0]["session_id"].clone();
        let asked = [
            ("`GET /children`", "/api/children".to_owned()),
            (
                "`GET /blocked_topics`",
                format!("/api/child/{child}/blocked_topics"),
            ),
            (
                "20 activities",
                format!("/api/child/{child}/activities/completed"),
            ),
            ("20 sessions", page),
            (
                "a page of 200 messages",
                format!("/api/sessions/{newest}/messages?limit={MESSAGES_OF_A_SESSION}"),
            ),
        ];
        let answers = asked.iter().map(|(_, path)| get(house, path, callers));
        let answers = answers.collect::<Result<Vec<_>, _>>()?;
        let lengths = answers
            .iter()
            .map(|answer| answer.body.len())
            .collect::<Vec<_>>();
        let bare = floor::serve(&answers).await?;
        let (unchanged, known) = self.unchanged(house, callers)?;

        let all = pages_of_all_sessions(house, CHILD_OF_MANY_MESSAGES)?;
        let mut hello = Series::default();
        let mut assistants = Series::default();
        let mut anew = Series::default();
        let mut series = vec![<[Series; 3]>::default(); asked.len()];
        for _ in 0..self.options.rounds {
            let guardian = renewed(house)?;
            hello.push(self.read(bare, "/hello", &[])?.rate);
            for (number, (_, path)) in asked.iter().enumerate() {
                let [real, same, p99] = &mut series[number];
                let measured = self.read(house.address, path, std::slice::from_ref(&guardian))?;
                real.push(measured.rate);
                p99.push(measured.p99);
                // The same request, so that as much is sent.
                let path = format!("/same/{number}");
                same.push(
                    self.read(bare, &path, std::slice::from_ref(&guardian))?
                        .rate,
                );
            }
            assistants.push(self.read(house.address, &unchanged, &known)?.rate);
            let guardian = std::slice::from_ref(&guardian);
            anew.push(self.read_each(house.address, &all, guardian)?.rate);
        }
        let told = format!("{} a second", thousands(hello.median()));
        self.table
            .add("hello, by poem alone", told, 1.0, "×", Target::None);
        for (number, (what, _)) in asked.iter().enumerate() {
            let [real, same, p99] = &series[number];
            let is_long = number + 1 == asked.len();
            let told = format!(
                "{} a second, from memory {} ({} bytes)",
                thousands(real.median()),
                thousands(same.median()),
                thousands(lengths[number] as f64)
            );
            let bar = if is_long { 0.75 } else { 0.80 };
            let against = format!("{what}, against the same bytes from memory");
            self.table.add(
                against,
                told,
                real.ratio_to(same),
                "×",
                Target::AtLeast(bar),
            );
            if is_long {
                let slow = format!("{what}, 99 of 100 within, at {READERS} connections");
                self.table
                    .add(slow, "", p99.median(), " ms", Target::AtMost(10.0));
            } else {
                let against = format!("{what}, against hello");
                self.table.add(
                    against,
                    "",
                    real.ratio_to(&hello),
                    "×",
                    Target::AtLeast(0.60),
                );
            }
        }
        if let Some([_, same, _]) = series.last() {
            let told = format!(
                "{} a second, of {} sessions",
                thousands(anew.median()),
                thousands(all.len() as f64)
            );
            let what =
                "such a page of another session each time, which is read anew, against the same";
            self.table
                .add(what, told, anew.ratio_to(same), "×", Target::None);
        }
        let told = format!("{} a second", thousands(assistants.median()));
        let what = "the assistant's blocked topics, unchanged (304), against hello";
        self.table.add(
            what,
            told,
            assistants.ratio_to(&hello),
            "×",
            Target::AtLeast(0.75),
        );
        Ok(())
    }

    fn read(&self, server: SocketAddr, path: &str, headers: &[String]) -> Result<Measured, Failed> {
        self.load(What::Same, headers)
            .on(&format!("http://{server}{path}"))
    }

    /// Reads one page after the other.
    fn read_each(
        &self,
        server: SocketAddr,
        paths: &[String],
        headers: &[String],
    ) -> Result<Measured, Failed> {
        self.load(What::Each(paths.to_vec()), headers)
            .on(&format!("http://{server}/"))
    }

    fn load(&self, what: What, headers: &[String]) -> Load {
        Load {
            seconds: self.options.seconds,
            connections: READERS,
            threads: 2,
            headers: headers.to_vec(),
            what,
        }
    }

    /// The assistant's question about blocked topics, and the headers to which the answer is 304.
    fn unchanged(&self, house: &House, callers: &Callers) -> Result<(String, Vec<String>), Failed> {
        let path = format!("/api/assistant/child/{READ_CHILD}/blocked_topics");
        let key = std::slice::from_ref(&callers.assistant);
        let first = ask(house.address, "GET", &path, key, "")?;
        let tag = first.headers.iter().find(|(name, _)| name == "etag");
        let (_, tag) = tag.ok_or("the blocked topics have no tag")?;
        let known = vec![callers.assistant.clone(), format!("If-None-Match: {tag}")];
        match ask(house.address, "GET", &path, &known, "")?.status {
            304 => Ok((path, known)),
            status => Err(format!("unchanged topics were answered with {status}").into()),
        }
    }

    fn measure_pages(&mut self, house: &House) -> Result<(), Failed> {
        let list = format!("/api/sessions?child_id={CHILD_OF_MANY_SESSIONS}");
        let guardian = renewed(house)?;
        let mut paths = vec![list.clone()];
        loop {
            let path = paths.last().ok_or("there is a first page")?;
            let page = json(&ask(
                house.address,
                "GET",
                path,
                std::slice::from_ref(&guardian),
                "",
            )?)?;
            match page["next"].as_str() {
                Some(next) => paths.push(format!("{list}&before={next}")),
                None => break,
            }
        }
        // The last place from which there are as many sessions as the longest page has.
        let deepest = paths.len().saturating_sub(LARGEST_PAGE / PAGE);
        let starts = [0, deepest.min(99), deepest];
        let starts = starts.map(|start| {
            let lengths = 1..=LARGEST_PAGE;
            let pages = lengths.map(|length| format!("{}&limit={length}", paths[start]));
            pages.collect::<Vec<_>>()
        });
        let mut series = <[Series; 3]>::default();
        for _ in 0..self.options.rounds {
            for (pages, series) in starts.iter().zip(&mut series) {
                let guardian = std::slice::from_ref(&guardian);
                series.push(self.read_each(house.address, pages, guardian)?.rate);
            }
        }
        let [first, hundredth, last] = &series;
        let rates = series.each_ref().map(|series| thousands(series.median()));
        let slowest = hundredth.ratio_to(first).min(last.ratio_to(first));
        let what = format!(
            "page 1, 100 and {} of {} sessions of one child, in every length so that none is remembered: \
             the first against the slowest",
            thousands((deepest + 1) as f64),
            thousands(self.options.sessions as f64)
        );
        let told = format!("{} a second", rates.join(", "));
        self.table
            .add(what, told, 1.0 / slowest, "×", Target::AtMost(1.5));
        Ok(())
    }

    fn measure_deliveries(&mut self, house: &House, callers: &Callers) -> Result<(), Failed> {
        let writers = [1, 16, 64];
        let mut bare = Series::default();
        let mut series = <[Series; 3]>::default();
        for _ in 0..self.options.rounds {
            bare.push(floor::append_and_sync(
                &self.served,
                256,
                self.options.seconds,
            )?);
            for (writers, series) in writers.iter().zip(&mut series) {
                series.push(self.deliver(house, callers, 1, *writers)?.rate);
            }
        }
        for ((writers, bar), series) in writers.iter().zip([0.9, 3.0, 3.0]).zip(&series) {
            let what = match writers {
                1 => "one message delivered, on the disk, 1 writer, against append and fdatasync"
                    .to_owned(),
                _ => format!("the same by {writers} writers"),
            };
            let told = format!(
                "{} a second, bare {}",
                thousands(series.median()),
                thousands(bare.median())
            );
            self.table.add(
                what,
                told,
                series.ratio_to(&bare),
                "×",
                Target::AtLeast(bar),
            );
        }
        Ok(())
    }

    async fn measure_batches(&mut self, house: &House, callers: &Callers) -> Result<(), Failed> {
        let store = Store::open(&self.bare, false)?;
        let (mut real, mut bare) = (Series::default(), Series::default());
        for _ in 0..self.options.rounds {
            let (writers, seconds) = (u64::from(BATCH_WRITERS), self.options.seconds);
            bare.push(floor::commit_batches(&store, u64::from(BATCH), writers, seconds).await?);
            real.push(self.deliver(house, callers, BATCH, BATCH_WRITERS)?.rate);
        }
        store.close();
        let told = format!(
            "{} messages a second, the store alone {}",
            thousands(real.median() * f64::from(BATCH)),
            thousands(bare.median() * f64::from(BATCH))
        );
        let what = "batches of 100 by 4 writers, against the store's own commits of the same";
        self.table
            .add(what, told, real.ratio_to(&bare), "×", Target::AtLeast(0.5));
        Ok(())
    }

    fn deliver(
        &mut self,
        house: &House,
        callers: &Callers,
        batch: u32,
        writers: u32,
    ) -> Result<Measured, Failed> {
        self.runs += 1;
        let load = Load {
            seconds: self.options.seconds,
            connections: writers,
            threads: 1,
            headers: vec![callers.assistant.clone()],
            what: What::Delivery(Delivery {
                batch,
                sessions: SESSIONS.min(writers),
                run: format!("run-{}", self.runs),
            }),
        };
        load.on(&house.url("/"))
    }

    fn measure_memory(&mut self, house: &House) -> Result<(), Failed> {
        let resident = house.resident_memory()?;
        let what = "resident memory after all of this";
        self.table
            .add(what, "", resident, " MB", Target::AtMost(80.0));
        if self.wants("memory") {
            let file = self.folder.join("backup");
            let _ = fs::remove_file(&file);
            house.command(&["backup", file.to_str().ok_or("a path that is no text")?])?;
            fs::remove_file(&file)?;
            let resident = house.resident_memory()?;
            let what = "resident memory after a backup, too";
            self.table
                .add(what, "", resident, " MB", Target::AtMost(80.0));
        }
        Ok(())
    }

    fn measure_size(&mut self) -> Result<(), Failed> {
        if let Some(binary) = &self.options.dist {
            let size = fs::metadata(binary)?.len() as f64 / 1e6;
            let what = "the binary for giving away, stripped";
            self.table.add(what, "", size, " MB", Target::AtMost(12.0));
        }
        Ok(())
    }
}

/// Whoever asks, with what they show.
fn callers(house: &House) -> Result<Callers, Failed> {
    let child = READ_CHILD.to_string();
    let added = house.command(&["assistant", "add", "bench", "--child", &child])?;
    let key = added["key"].as_str().ok_or("the assistant has no key")?;
    Ok(Callers {
        guardian: renewed(house)?,
        assistant: format!("Authorization: Bearer {key}"),
    })
}

/// A guardian's token, which holds for ten minutes.
fn renewed(house: &House) -> Result<String, Failed> {
    let issued = house.command(&["token", &guardian_of(1)])?;
    let token = issued["identity_token"]
        .as_str()
        .ok_or("there is no token")?;
    Ok(format!("Authorization: Bearer {token}"))
}

fn open_sessions(house: &House, callers: &Callers) -> Result<(), Failed> {
    for number in 0..SESSIONS {
        let path = format!("/api/assistant/sessions/bench-{number}");
        let body = format!("{{\"child_id\":{READ_CHILD},\"topic\":\"Speed\"}}");
        let key = std::slice::from_ref(&callers.assistant);
        let opened = ask(house.address, "PUT", &path, key, &body)?;
        if opened.status != 200 {
            return Err(format!("a session was not opened: {}", opened.status).into());
        }
    }
    Ok(())
}

fn get(house: &House, path: &str, callers: &Callers) -> Result<Answer, Failed> {
    let answer = ask(
        house.address,
        "GET",
        path,
        std::slice::from_ref(&callers.guardian),
        "",
    )?;
    match answer.status {
        200 => Ok(answer),
        status => Err(format!("{path} was answered with {status}").into()),
    }
}

fn json(answer: &Answer) -> Result<Value, Failed> {
    Ok(serde_json::from_slice(&answer.body)?)
}

/// The first page of messages of each of a child's sessions, as far as they go into a few pages.
fn pages_of_all_sessions(house: &House, child: u64) -> Result<Vec<String>, Failed> {
    let guardian = [renewed(house)?];
    let list = format!("/api/sessions?child_id={child}&limit={LARGEST_PAGE}");
    let mut paths = Vec::new();
    let mut next = Some(list.clone());
    while let Some(path) = next.filter(|_| paths.len() < 2 * LARGEST_PAGE) {
        let page = json(&ask(house.address, "GET", &path, &guardian, "")?)?;
        let sessions = page["sessions"].as_array().into_iter().flatten();
        paths.extend(sessions.map(|session| {
            let id = &session["session_id"];
            format!("/api/sessions/{id}/messages?limit={MESSAGES_OF_A_SESSION}")
        }));
        next = page["next"]
            .as_str()
            .map(|next| format!("{list}&before={next}"));
    }
    Ok(paths)
}
