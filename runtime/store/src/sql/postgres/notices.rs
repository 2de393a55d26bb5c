//! Notifications of the server (NOTIFY), which come between the answers of a connection.

use std::sync::{Arc, OnceLock};

use futures_util::{StreamExt, pin_mut, stream};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::AsyncMessage;

/// Called at a notification (NOTIFY), and when the connection has ended: then some may have been missed.
pub type Notice = Box<dyn Fn() + Send + Sync>;

/// The one of a connection, once it is known.
pub(super) type NoticeCell = Arc<OnceLock<Notice>>;

/// Does the work of a connection, until it is closed.
pub(super) async fn receive<S, T>(
    mut connection: tokio_postgres::Connection<S, T>,
    notice: NoticeCell,
) where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    let messages = stream::poll_fn(move |context| connection.poll_message(context));
    pin_mut!(messages);
    while let Some(Ok(message)) = messages.next().await {
        if let (AsyncMessage::Notification(_), Some(notice)) = (message, notice.get()) {
            notice();
        }
    }
    if let Some(notice) = notice.get() {
        notice();
    }
}
