//! The `http` action.

use crate::{
    lower::template::{self, TextSink},
    model::action::{Http, http::HttpPost},
    syntax::xml::Element,
};

pub(super) fn http(body: &Element<'_>, sink: &mut TextSink) -> Http {
    Http {
        url: template::of_required_child(body, "http-url", sink),
        post: body.element("post").map(|post| HttpPost {
            content_type: template::of_required_attribute(&post, "content-type", sink),
            body: template::of_element(&post, sink),
        }),
        waits_for_callback: body.element("wait").is_some(),
        mode: None,
        capture_output: body.element("capture-output").is_some(),
    }
}
