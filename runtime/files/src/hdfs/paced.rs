//! A future that goes on only some time after what it waits for.

use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use tokio::{sync::Notify, time};

struct Woken(Notify);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }
}

/// The result of `future`, where each of its steps but the first comes `pause` after the event that it waits for.
pub(super) async fn paced<F: Future>(future: F, pause: Duration) -> F::Output {
    let woken = Arc::new(Woken(Notify::new()));
    let waker = Waker::from(Arc::clone(&woken));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(answer) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return answer;
        }
        woken.0.notified().await;
        if !pause.is_zero() {
            time::sleep(pause).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::{sync::oneshot, task};

    use super::*;

    #[test]
    fn a_step_comes_later_than_what_it_waits_for() {
        let pause = Duration::from_millis(20);
        let at_once = async {
            let begun = Instant::now();
            paced(async {}, pause).await;
            begun.elapsed()
        };
        let later = async {
            let (sender, receiver) = oneshot::channel();
            let sent = task::spawn(async {
                time::sleep(Duration::from_millis(5)).await;
                let now = Instant::now();
                sender.send(()).map(|()| now)
            });
            let seen = paced(
                async {
                    receiver.await.expect("it is sent");
                    Instant::now()
                },
                pause,
            );
            let seen = seen.await;
            seen - sent.await.expect("it ends").expect("it is received")
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        assert!(runtime.block_on(at_once) < pause);
        assert!(runtime.block_on(later) >= pause);
    }
}
