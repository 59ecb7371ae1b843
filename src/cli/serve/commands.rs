//! The socket by which commands reach the server.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::LOOK;
use crate::admin::AdminError;
use crate::admin::socket::AdminSocket;
use crate::app::App;

/// Creates the socket for commands; `None` if the disk is full.
pub fn admin_socket(data: &Path) -> Result<Option<AdminSocket>, AdminError> {
    match AdminSocket::bind(data) {
        Ok(socket) => Ok(Some(socket)),
        Err(error) if is_full(&error) => {
            tracing::warn!(
                "the disk has no room for the socket by which commands reach this server: they will not work until there is room"
            );
            Ok(None)
        }
        Err(error) => Err(AdminError::new(format!(
            "The socket for commands cannot be made: {error}."
        ))),
    }
}

fn is_full(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded
    )
}

/// Serves commands. If the disk was full, creates the socket first.
pub async fn take_commands(mut socket: Option<AdminSocket>, data: PathBuf, app: App) {
    loop {
        if let Some(socket) = socket {
            return socket.serve(app).await;
        }
        tokio::time::sleep(LOOK).await;
        socket = AdminSocket::bind(&data).ok();
        if socket.is_some() {
            tracing::info!("commands reach this server again");
        }
    }
}
