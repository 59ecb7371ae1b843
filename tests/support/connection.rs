//! A connection that stays open, as an assistant's does.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// One connection to a server.
pub struct Connection {
    host: String,
    stream: BufReader<TcpStream>,
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub etag: String,
    /// The cookie that is set, as a browser sends it back.
    pub cookie: String,
    pub body: String,
}

impl Connection {
    pub fn open(url: &str) -> Option<Self> {
        let host = url.strip_prefix("http://").unwrap().to_owned();
        let stream = BufReader::new(TcpStream::connect(&host).ok()?);
        Some(Self { host, stream })
    }

    /// Asks, and waits for the answer; nothing when the server is gone.
    pub fn call(
        &mut self,
        method: &str,
        path: &str,
        bearer: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Option<Answer> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut asked = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {bearer}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n",
            self.host,
            body.len()
        );
        for (name, value) in headers {
            asked.push_str(&format!("{name}: {value}\r\n"));
        }
        asked.push_str("\r\n");
        asked.push_str(&body);
        self.stream.get_mut().write_all(asked.as_bytes()).ok()?;
        self.read()
    }

    fn read(&mut self) -> Option<Answer> {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                line => head.push(line.to_owned()),
            }
        }
        let header = |name: &str| {
            head.iter()
                .filter_map(|line| line.split_once(": "))
                .find(|(there, _)| there.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.to_owned())
        };
        let length = header("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).ok()?;
        Some(Answer {
            status: head.first()?.split(' ').nth(1)?.parse().ok()?,
            etag: header("etag").unwrap_or_default(),
            cookie: header("set-cookie")
                .and_then(|cookie| cookie.split(';').next().map(str::to_owned))
                .unwrap_or_default(),
            body: String::from_utf8(body).ok()?,
        })
    }
}
