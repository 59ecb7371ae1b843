//! The command's side: through the running server where there is one, else by opening the store.

use std::io;
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::BufReader;
use tokio::net::UnixStream;

use super::operations::on_store;
use super::protocol::{Hello, Reply, VERSION, read_line, write_line};
use super::stream::{self, Pieces};
use super::{AdminError, Answer, OnProgress, Request, execute, socket};
use crate::app::{App, Surroundings};
use crate::identity::{self, IdentitySettings};
use crate::kernel::clock::Clock;
use crate::kernel::mail::Mailer;
use crate::kernel::public_url::PublicUrl;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{OpenError, Store};

/// How often the store is tried while another command, or a server that is just starting, holds it.
const TRIES: u32 = 100;

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(100);

/// Carries out a request in this data folder.
///
/// # Errors
///
/// A sentence that says why nothing was done.
pub async fn run(
    data: &Path,
    public_url: Option<PublicUrl>,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Answer, AdminError> {
    for _ in 0..TRIES {
        if let Some(stream) = connect(data).await {
            return through_server(stream, request, progress, pieces)
                .await
                .unwrap_or_else(|error| {
                    Err(AdminError::new(format!(
                        "The running server did not answer: {error}."
                    )))
                });
        }
        match Store::open(data, false) {
            Ok(store) => return alone(store, public_url, request, progress, pieces).await,
            Err(OpenError::InUse(_)) => tokio::time::sleep(PAUSE).await,
            Err(error) => return Err(AdminError::new(sentence(&error))),
        }
    }
    let in_use = OpenError::InUse(data.to_owned());
    Err(AdminError::new(sentence(&in_use)))
}

/// Asks the running server whether it may take traffic; `false` when there is none.
pub async fn is_ready(data: &Path) -> bool {
    let Some(stream) = connect(data).await else {
        return false;
    };
    let (pieces, _nobody) = stream::pieces();
    let asked = through_server(stream, Request::Ready, &|_| {}, &pieces);
    let answer = tokio::time::timeout(Duration::from_secs(5), asked).await;
    matches!(answer, Ok(Ok(Ok(Answer::Ready { ready: true }))))
}

/// An error as a whole sentence.
fn sentence(error: &OpenError) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

async fn connect(data: &Path) -> Option<UnixStream> {
    UnixStream::connect(socket::path(data).ok()?).await.ok()
}

async fn through_server(
    stream: UnixStream,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> io::Result<Result<Answer, AdminError>> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    write_line(&mut writer, &Hello { version: VERSION }).await?;
    write_line(&mut writer, &request).await?;
    while let Some(reply) = read_line(&mut reader).await? {
        match reply {
            Reply::Progress(made) => progress(made),
            Reply::Piece(piece) => {
                let piece = STANDARD.decode(piece).map_err(io::Error::other)?;
                let taken = pieces.send(piece).await;
                taken.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            }
            Reply::Done(answer) => return Ok(Ok(answer)),
            Reply::Refused(refused) => return Ok(Err(refused)),
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

async fn alone(
    store: Store,
    public_url: Option<PublicUrl>,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Answer, AdminError> {
    // What only reads the store as it is needs nothing to be set up, and goes on where something is damaged.
    if let Some(done) = on_store(&store, &Clock::System, &request, progress, pieces).await {
        store.close();
        return done;
    }
    let public_url = match public_url {
        Some(given) => given,
        None => identity::remembered_public_url(&store)?,
    };
    let app = App::start(Surroundings {
        store: store.clone(),
        clock: Clock::System,
        randomness: Randomness::System,
        mailer: Mailer::Nobody,
        identity: IdentitySettings::usual(public_url),
    });
    let app = app.await?;
    app.leave_no_trace(|_| {}).await?;
    let answer = execute(&app, request, progress, pieces).await;
    store.close();
    answer
}
