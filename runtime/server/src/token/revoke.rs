//! `token revoke`: a token that is accepted no more, from the next request on.

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_runtime::fleet;
use hpdlc_store::tokens::{self, TokenRow};

#[derive(Debug, Args)]
pub(super) struct Revoke {
    /// The token's id, or its name if no other token has it
    #[arg(value_name = "TOKEN")]
    token: String,
}

impl Revoke {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let describe = |error| session.describe(error);
        let all = tokens::list(&connection).map_err(describe)?;
        let found = self.choose(&all)?;
        let is_new = tokens::revoke(&connection, &found.id, clock::now_millis());
        if !is_new.map_err(describe)? {
            return Err(RunError::usage(format!(
                "token {} ({}) was revoked already",
                found.id, found.name
            )));
        }
        fleet::print(&format!("token {} ({}) revoked\n", found.id, found.name))?;
        Ok(Exit::Success)
    }

    fn choose<'t>(&self, all: &'t [TokenRow]) -> Result<&'t TokenRow, RunError> {
        if let Some(token) = all.iter().find(|token| token.id == self.token) {
            return Ok(token);
        }
        let mut named: Vec<&TokenRow> = all.iter().filter(|it| it.name == self.token).collect();
        // One that was replaced has been revoked, and is not meant.
        if named.iter().any(|it| it.revoked.is_none()) {
            named.retain(|it| it.revoked.is_none());
        }
        match named.as_slice() {
            [one] => Ok(one),
            [] => Err(
                RunError::usage(format!("there is no token `{}`", self.token))
                    .with_help("type: hpdl token list"),
            ),
            several => {
                let ids: Vec<&str> = several.iter().map(|token| token.id.as_str()).collect();
                Err(RunError::usage(format!(
                    "{} tokens have the name `{}`: {}",
                    several.len(),
                    self.token,
                    ids.join(", ")
                ))
                .with_help("name one of them by its id"))
            }
        }
    }
}
