//! A keep-alive HTTP connection, as an assistant uses it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

pub struct Connection {
    host: String,
    stream: BufReader<TcpStream>,
}

pub struct Response {
    pub status: u16,
    pub etag: String,
    /// The `set-cookie` header without its attributes.
    pub cookie: String,
    pub body: String,
}

impl Connection {
    pub fn open(url: &str) -> Option<Self> {
        let host = url.strip_prefix("http://").unwrap().to_owned();
        let stream = BufReader::new(TcpStream::connect(&host).ok()?);
        Some(Self { host, stream })
    }

    /// Sends a request. Returns the response, or `None` if the server is gone.
    pub fn call(
        &mut self,
        method: &str,
        path: &str,
        bearer: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Option<Response> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {bearer}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n",
            self.host,
            body.len()
        );
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("\r\n");
        request.push_str(&body);
        self.stream.get_mut().write_all(request.as_bytes()).ok()?;
        self.read()
    }

    fn read(&mut self) -> Option<Response> {
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
                .find(|(key, _)| key.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.to_owned())
        };
        let length = header("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).ok()?;
        Some(Response {
            status: head.first()?.split(' ').nth(1)?.parse().ok()?,
            etag: header("etag").unwrap_or_default(),
            cookie: header("set-cookie")
                .and_then(|cookie| cookie.split(';').next().map(str::to_owned))
                .unwrap_or_default(),
            body: String::from_utf8(body).ok()?,
        })
    }
}
