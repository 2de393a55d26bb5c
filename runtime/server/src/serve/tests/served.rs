//! A server of a test on a port, for clients that need one.

use std::{
    sync::{Arc, mpsc},
    thread,
};

use tokio::{net::TcpListener, sync::oneshot};

use super::TestServer;
use crate::{
    client::Client,
    serve::connections::{self, Service},
};

/// A server that ends with this.
pub(crate) struct Served {
    url: String,
    end: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
    _folder: Arc<tempfile::TempDir>,
}

/// Serves on a free port of this machine.
pub(crate) fn start(server: &TestServer) -> Served {
    let router = server.router.clone();
    let (address, bound) = mpsc::channel();
    let (end, ended) = oneshot::channel();
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            address.send(listener.local_addr().unwrap()).unwrap();
            let service = Service {
                router,
                tls: None,
                most: 16,
            };
            connections::serve(&listener, &service, async {
                let _ = ended.await;
            })
            .await;
        });
    });
    Served {
        url: format!("http://{}/oozie", bound.recv().unwrap()),
        end: Some(end),
        thread: Some(thread),
        _folder: Arc::clone(&server._folder),
    }
}

impl Served {
    pub(crate) fn client(&self) -> Client {
        Client::new(&self.url).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
