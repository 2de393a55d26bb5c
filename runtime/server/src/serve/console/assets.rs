//! The style sheet and the script. Their names have a digest of what they contain, so that a browser may keep them for a year.

use std::sync::LazyLock;

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
};
use sha2::{Digest, Sha256};

use crate::serve::{
    call::Call,
    failure::Failure,
    reply::{self, Reply},
};

/// A file that pages refer to.
pub(crate) struct Asset {
    /// Such as `console-0123456789abcdef.css`.
    pub(crate) name: String,
    content_type: &'static str,
    text: String,
}

impl Asset {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn new(stem: &str, ending: &str, content_type: &'static str, text: String) -> Asset {
        let digest = hex::encode(&Sha256::digest(text.as_bytes())[..8]);
        Asset {
            name: format!("{stem}-{digest}.{ending}"),
            content_type,
            text,
        }
    }
}

/// The shapes of states, to which pages refer.
pub(crate) const SPRITE: &str = include_str!("../../../../../templates/console/sprite.svg");

/// With the rules of the pictures, which follow the reader's choice of light or dark as the pages do.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let own = include_str!("../../../../../templates/console/console.css");
    let text = format!(
        "{}{}{own}",
        hpdlc_graph::STYLE,
        hpdlc_runtime::fleet::TIMELINE_STYLE
    );
    Asset::new("console", "css", "text/css; charset=utf-8", text)
});

pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = include_str!("../../../../../templates/console/console.js");
    Asset::new(
        "console",
        "js",
        "text/javascript; charset=utf-8",
        text.to_owned(),
    )
});

/// `asset/NAME`. A page of an older server may ask for a name that is no more: it reloads then.
pub(crate) fn asset(call: &Call) -> Reply {
    let known = [&*STYLE, &*SCRIPT];
    let found = known.into_iter().find(|asset| asset.name == call.rest);
    let asset = found.ok_or_else(Failure::not_found)?;
    let mut response = reply::of(
        StatusCode::OK,
        asset.content_type,
        Body::from(asset.text.as_str()),
    );
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=31536000, immutable"),
    );
    Ok(response)
}
