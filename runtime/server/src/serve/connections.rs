//! Accepts connections, and ends them in order.
//!
//! What `axum::serve` does, with names of headers as `Set-Cookie`, the spelling that the client of Oozie looks for, with TLS, and with a
//! limit: where it is reached, a new connection takes the place of the one that has been silent for longest. So clients that open
//! connections and say nothing keep nobody out.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    future::{Future, poll_fn},
    net::SocketAddr,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, HttpBody},
    http::Request,
};
use hyper::{
    body::{Frame, Incoming, SizeHint},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::{AbortHandle, JoinSet},
    time,
};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

use crate::serve::call::Peer;

/// How long the head of a request may take, and an idle connection is kept.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the beginning of TLS may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long requests may go on once the server is to end.
const LAST_REQUESTS: Duration = Duration::from_secs(4);
/// How long a client may go on sending after the last answer.
const LINGER: Duration = Duration::from_secs(2);
/// The largest head of a request: a filter may be long.
const MOST_HEAD: usize = 64 << 10;

/// What connections are served with.
pub(crate) struct Service {
    pub(crate) router: Router,
    pub(crate) tls: Option<TlsAcceptor>,
    /// `hpdl.server.connections.max`
    pub(crate) most: usize,
}

/// A connection as the others see it.
struct Open {
    activity: Arc<Activity>,
    handle: AbortHandle,
}

/// What a connection does.
struct Activity {
    /// Requests that are being answered.
    busy: AtomicUsize,
    /// When the last answer was made, or the connection was opened: milliseconds since the start.
    last: AtomicU64,
    start: Instant,
}

/// Serves until `ended` is over.
pub(crate) async fn serve(
    listener: &TcpListener,
    service: &Service,
    ended: impl Future<Output = ()>,
) {
    let start = Instant::now();
    let (stop, stopped) = watch::channel(false);
    let mut tasks = JoinSet::new();
    let mut open: BTreeMap<tokio::task::Id, Open> = BTreeMap::new();
    let mut ended = pin!(ended);
    loop {
        tokio::select! {
            // What has ended makes room first.
            biased;
            () = &mut ended => break,
            Some(done) = tasks.join_next_with_id(), if !tasks.is_empty() => {
                let id = done.map_or_else(|error| error.id(), |(id, ())| id);
                open.remove(&id);
            }
            accepted = listener.accept(), if has_room(&open, service.most) => match accepted {
                Ok((stream, peer)) => {
                    if open.len() >= service.most && let Some(silent) = longest_silent(&open) {
                        silent.handle.abort();
                    }
                    let activity = Arc::new(Activity {
                        busy: AtomicUsize::new(0),
                        last: AtomicU64::new(millis_since(start)),
                        start,
                    });
                    let connection = Connection {
                        router: service.router.clone(),
                        tls: service.tls.clone(),
                        peer,
                        activity: Arc::clone(&activity),
                        stopped: stopped.clone(),
                    };
                    let handle = tasks.spawn(connection.run(stream));
                    open.insert(handle.id(), Open { activity, handle });
                }
                // Such as no file descriptors: later there are some.
                Err(_) => time::sleep(Duration::from_millis(100)).await,
            },
        }
    }
    // Without connections nobody hears it.
    let _ = stop.send(true);
    for silent in open.values().filter(|it| it.activity.is_silent()) {
        silent.handle.abort();
    }
    let _ = time::timeout(LAST_REQUESTS, async {
        while tasks.join_next().await.is_some() {}
    })
    .await;
}

/// Whether a connection can be accepted, if another has to go for it.
fn has_room(open: &BTreeMap<tokio::task::Id, Open>, most: usize) -> bool {
    // One that was told to end has not ended yet: those are few.
    open.len() < most || (open.len() == most && open.values().any(|it| it.activity.is_silent()))
}

fn longest_silent(open: &BTreeMap<tokio::task::Id, Open>) -> Option<&Open> {
    let silent = open.values().filter(|it| it.activity.is_silent());
    silent.min_by_key(|it| it.activity.last.load(Ordering::Relaxed))
}

fn millis_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

impl Activity {
    fn is_silent(&self) -> bool {
        self.busy.load(Ordering::Relaxed) == 0
    }

    fn begin(self: &Arc<Activity>) -> Busy {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(self))
    }
}

/// A request that is being answered.
struct Busy(Arc<Activity>);

impl Drop for Busy {
    fn drop(&mut self) {
        let now = millis_since(self.0.start);
        self.0.last.store(now, Ordering::Relaxed);
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of an answer, whose request is being answered until all of it is sent: that of a command may take long.
struct Sent {
    body: Body,
    _busy: Busy,
}

impl HttpBody for Sent {
    type Data = <Body as HttpBody>::Data;
    type Error = <Body as HttpBody>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Ends a connection. A client that is still sending a body that was refused would lose the answer if the connection were just closed.
async fn linger(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    let read = async {
        stream.shutdown().await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
    };
    let _ = time::timeout(LINGER, read).await;
}

struct Connection {
    router: Router,
    tls: Option<TlsAcceptor>,
    peer: SocketAddr,
    activity: Arc<Activity>,
    stopped: watch::Receiver<bool>,
}

impl Connection {
    async fn run(self, stream: TcpStream) {
        // Answers are small, and are not to wait for each other's acknowledgments.
        let _ = stream.set_nodelay(true);
        match self.tls.clone() {
            None => self.answer(stream).await,
            Some(tls) => {
                // One who does not speak TLS is told so by rustls.
                if let Ok(Ok(stream)) = time::timeout(HANDSHAKE, tls.accept(stream)).await {
                    self.answer(stream).await;
                }
            }
        }
    }

    async fn answer(self, stream: impl AsyncRead + AsyncWrite + Unpin) {
        let Connection {
            router,
            peer,
            activity,
            mut stopped,
            ..
        } = self;
        let service = service_fn(move |request: Request<Incoming>| {
            let busy = activity.begin();
            let mut request = request.map(Body::new);
            request
                .extensions_mut()
                .insert(Peer(peer.ip().to_canonical()));
            let answer = router.clone().oneshot(request);
            Box::pin(async move {
                let Ok(answer) = answer.await;
                let answer = answer.map(|body| Sent { body, _busy: busy });
                Ok::<_, Infallible>(answer)
            })
        });
        let mut connection = http1::Builder::new()
            .title_case_headers(true)
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .max_buf_size(MOST_HEAD)
            .serve_connection(TokioIo::new(stream), service);
        // A client that goes away is no failure of the server.
        let is_told = tokio::select! {
            _ = poll_fn(|cx| connection.poll_without_shutdown(cx)) => false,
            _ = stopped.changed() => true,
        };
        if is_told {
            Pin::new(&mut connection).graceful_shutdown();
            let _ = poll_fn(|cx| connection.poll_without_shutdown(cx)).await;
        }
        linger(connection.into_parts().io.into_inner()).await;
    }
}
