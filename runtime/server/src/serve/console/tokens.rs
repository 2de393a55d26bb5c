//! The tokens of the server: for what and for whom they are, never the tokens themselves. For administrators.

use axum::http::Method;
use hpdlc_host::clock;
use hpdlc_store::tokens as rows;
use serde_json::{Value, json};

use crate::{
    serve::{
        access,
        call::Call,
        console::{admin, marks::Mark, page},
        policy::Mode,
        proof::Proof,
        reply::Reply,
    },
    token::list,
};

pub(crate) fn tokens(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    access::expect_admin(call)?;
    let connection = call.server.store()?;
    let all = rows::list(&connection).map_err(|error| call.server.failed(error))?;
    let now = clock::now_millis();
    let own = match &call.caller.proof {
        Proof::Token { id, .. } => Some(id.as_str()),
        Proof::Simple | Proof::Kerberos => None,
    };
    let shown: Vec<Value> = all
        .iter()
        .map(|token| {
            let state = list::state(token, now);
            let look = match state {
                "valid" => "good",
                "revoked" => "killed",
                _ => "untouched",
            };
            json!({
                "id": token.id,
                "name": token.name,
                "user": token.user,
                "role": token.role.name(),
                "mark": Mark { look, word: state.to_uppercase() },
                "created": token.created,
                "expires": token.expires,
                "revoked": token.revoked,
                "used": token.used,
                "is_own": own == Some(token.id.as_str()),
                "line": (state == "valid").then(|| format!("hpdl token revoke {}", token.id)),
            })
        })
        .collect();
    let values = json!({
        "tabs": admin::tabs(call, "tokens"),
        "rows": shown,
        "is_needed": call.server.access.mode == Mode::Token,
        "mode": call.server.access.mode.name(),
    });
    page::html(call, admin::frame(call, "Tokens"), "tokens", &values)
}
