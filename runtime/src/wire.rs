//! What a program brings along to speak with other machines: mail, requests and TLS are a fifth of an executable that has
//! them.

use std::fmt;

use crate::{
    executors::{
        courier::{self, Carrier},
        email::Letter,
    },
    network::{self, Secure, tls},
    notify::post,
};

/// What speaks with other machines, by pointers: what no pointer names is not linked.
#[derive(Clone, Copy)]
pub struct Wire {
    pub(crate) carriers: &'static [Carrier],
    pub(crate) post: Option<post::Mail>,
    pub(crate) secure: Option<Secure>,
}

impl Wire {
    /// For programs without `email` and `http` actions, and without `alert-contact`.
    ///
    /// The `full` runtime speaks TLS with file systems anyway.
    pub const NONE: Wire = Wire {
        carriers: &[],
        post: None,
        secure: network::BUILT_IN,
    };
    /// For programs whose actions send mail and no requests, or that have an `alert-contact`.
    pub const MAIL: Wire = Wire {
        carriers: &[courier::email],
        post: Some(Letter::send),
        secure: Some(tls::secure),
    };
    /// For programs that send requests and no mail.
    pub const REQUESTS: Wire = Wire {
        carriers: &[courier::http],
        post: None,
        secure: Some(tls::secure),
    };
    /// For all.
    pub const ALL: Wire = Wire {
        carriers: &[courier::email, courier::http],
        post: Some(Letter::send),
        secure: Some(tls::secure),
    };

    /// Makes it that of this executable; the first counts.
    pub(crate) fn take(self) {
        network::link(self.secure);
        if let Some(mail) = self.post {
            post::link(mail);
        }
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wire")
            .field("carriers", &self.carriers.len())
            .field("posts", &self.post.is_some())
            .field("has_tls", &self.secure.is_some())
            .finish()
    }
}
