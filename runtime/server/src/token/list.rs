//! `token list`: all tokens, without what proves them.

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_runtime::fleet::{
    self,
    columns::{self, Columns},
};
use hpdlc_store::tokens::{self, TokenRow};
use serde_json::json;

#[derive(Debug, Default, Args)]
pub(super) struct List {
    /// A JSON object a line
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let all = tokens::list(&connection).map_err(|error| session.describe(error))?;
        let now = clock::now_millis();
        if self.json {
            for token in &all {
                fleet::print_json(&json!({
                    "id": token.id,
                    "name": token.name,
                    "user": token.user,
                    "role": token.role.name(),
                    "state": state(token, now),
                    "created": clock::format_millis(token.created),
                    "expires": token.expires.and_then(clock::format_millis),
                    "revoked": token.revoked.and_then(clock::format_millis),
                    "used": token.used.and_then(clock::format_millis),
                }))?;
            }
        } else if all.is_empty() {
            fleet::print("no tokens yet; to make one, type: hpdl token new NAME\n")?;
        } else {
            fleet::print(&table(&all, now))?;
        }
        Ok(Exit::Success)
    }
}

pub(crate) fn state(token: &TokenRow, now: i64) -> &'static str {
    match token.is_valid(now) {
        true => "valid",
        false if token.revoked.is_some() => "revoked",
        false => "expired",
    }
}

fn table(all: &[TokenRow], now: i64) -> String {
    let titles = [
        "ID",
        "NAME",
        "USER",
        "ROLE",
        "STATE",
        "CREATED",
        "EXPIRES",
        "LAST USED",
    ];
    let mut columns = Columns::new(&titles);
    let minute = |time: Option<i64>| {
        let text = fleet::format_local(time);
        text.get(..16).unwrap_or(&text).to_owned()
    };
    for token in all {
        columns.row(vec![
            token.id.clone(),
            token.name.clone(),
            token.user.clone(),
            token.role.name().to_owned(),
            state(token, now).to_owned(),
            minute(Some(token.created)),
            minute(token.expires),
            minute(token.used),
        ]);
    }
    columns.text_within(columns::width())
}
