//! Notes when tokens are used, at most once a minute each, and beside the requests: the store may be busy.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    thread,
};

use hpdlc_engine::owner::Session;
use hpdlc_host::clock;
use hpdlc_store::tokens::{self, TokenRow};
use tracing::warn;

/// How far apart two notes of a token are, in milliseconds.
const APART: i64 = 60_000;

/// When this server has last noted each token.
#[derive(Debug, Default)]
pub(crate) struct TokenUses {
    noted: Mutex<BTreeMap<String, i64>>,
}

impl TokenUses {
    /// A store that cannot be written is no reason to refuse a token.
    pub(crate) fn note(&self, session: &Session, token: &TokenRow) {
        let now = clock::now_millis();
        if !self.is_due(token, now) {
            return;
        }
        let (session, id) = (session.clone(), token.id.clone());
        let name = "token use".to_owned();
        let begun = thread::Builder::new().name(name).spawn(move || {
            if let Err(problem) = write(&session, &id, now) {
                warn!("the use of token {id} cannot be noted: {problem}");
            }
        });
        if let Err(error) = begun {
            warn!("the use of a token cannot be noted: {error}");
        }
    }

    /// Whether it is to be noted now; of requests at the same time, by one of them.
    fn is_due(&self, token: &TokenRow, now: i64) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let here = noted.get(&token.id).copied();
        let last = here.max(token.used).unwrap_or(i64::MIN);
        let is_due = now.saturating_sub(last) >= APART;
        if is_due {
            noted.insert(token.id.clone(), now);
        }
        is_due
    }
}

fn write(session: &Session, id: &str, now: i64) -> Result<(), String> {
    let connection = session.store().map_err(|error| error.message)?;
    let lock = session.write_lock();
    let _lock = lock.wait();
    tokens::note_use(&connection, id, now).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hpdlc_store::tokens::Role;

    use super::*;
    use crate::token;

    #[test]
    fn a_token_is_noted_once_a_minute() {
        let age = Some(Duration::from_secs(60));
        let (mut token, _) = token::make("test", "ada", Role::Read, age).unwrap();
        let uses = TokenUses::default();
        let is_due = |token: &TokenRow, now: i64| uses.is_due(token, now);
        assert!(is_due(&token, 100_000));
        assert!(!is_due(&token, 100_001), "before it is in the store, too");
        assert!(is_due(&token, 160_000));
        // By another server.
        token.used = Some(230_000);
        assert!(!is_due(&token, 240_000));
        assert!(is_due(&token, 290_000));
    }
}
