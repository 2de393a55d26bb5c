//! The templates of pages, and how texts are written into them: as text, whatever they contain.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::LazyLock,
};

use chrono::DateTime;
use handlebars::{
    Context, Handlebars, Helper, HelperResult, Output, RenderContext, RenderErrorReason,
};
use hpdlc_core::visible;
use hpdlc_host::clock;
use serde::Serialize;
use serde_json::Value;

use crate::serve::failure::Failure;

/// Each file of `templates/console`.
const FILES: &[(&str, &str)] = &[
    (
        "layout",
        include_str!("../../../../../templates/console/layout.hbs"),
    ),
    (
        "overview",
        include_str!("../../../../../templates/console/overview.hbs"),
    ),
    (
        "overview_live",
        include_str!("../../../../../templates/console/overview_live.hbs"),
    ),
    (
        "jobs",
        include_str!("../../../../../templates/console/jobs.hbs"),
    ),
    (
        "late",
        include_str!("../../../../../templates/console/late.hbs"),
    ),
    (
        "apps",
        include_str!("../../../../../templates/console/apps.hbs"),
    ),
    (
        "app",
        include_str!("../../../../../templates/console/app.hbs"),
    ),
    (
        "sla",
        include_str!("../../../../../templates/console/sla.hbs"),
    ),
    (
        "admin_tabs",
        include_str!("../../../../../templates/console/admin_tabs.hbs"),
    ),
    (
        "about",
        include_str!("../../../../../templates/console/about.hbs"),
    ),
    (
        "settings",
        include_str!("../../../../../templates/console/settings.hbs"),
    ),
    (
        "doctor",
        include_str!("../../../../../templates/console/doctor.hbs"),
    ),
    (
        "audit",
        include_str!("../../../../../templates/console/audit.hbs"),
    ),
    (
        "tokens",
        include_str!("../../../../../templates/console/tokens.hbs"),
    ),
    (
        "after",
        include_str!("../../../../../templates/console/after.hbs"),
    ),
    (
        "job",
        include_str!("../../../../../templates/console/job.hbs"),
    ),
    (
        "job_head",
        include_str!("../../../../../templates/console/job_head.hbs"),
    ),
    (
        "job_part",
        include_str!("../../../../../templates/console/job_part.hbs"),
    ),
    (
        "node_row",
        include_str!("../../../../../templates/console/node_row.hbs"),
    ),
    (
        "node",
        include_str!("../../../../../templates/console/node.hbs"),
    ),
    (
        "output",
        include_str!("../../../../../templates/console/output.hbs"),
    ),
    (
        "compare",
        include_str!("../../../../../templates/console/compare.hbs"),
    ),
    (
        "coordinator",
        include_str!("../../../../../templates/console/coordinator.hbs"),
    ),
    (
        "calendar",
        include_str!("../../../../../templates/console/calendar.hbs"),
    ),
    (
        "forecast",
        include_str!("../../../../../templates/console/forecast.hbs"),
    ),
    (
        "bundle",
        include_str!("../../../../../templates/console/bundle.hbs"),
    ),
    (
        "command",
        include_str!("../../../../../templates/console/command.hbs"),
    ),
    (
        "report",
        include_str!("../../../../../templates/console/report.hbs"),
    ),
    (
        "failure",
        include_str!("../../../../../templates/console/failure.hbs"),
    ),
];

static ALL: LazyLock<Result<Handlebars<'static>, String>> = LazyLock::new(|| {
    let mut all = Handlebars::new();
    all.set_strict_mode(true);
    all.register_escape_fn(escaped);
    for (name, text) in FILES {
        let added = all.register_template_string(name, text);
        added.map_err(|error| format!("template {name}: {error}"))?;
    }
    all.register_helper("time", Box::new(time));
    all.register_helper("mark", Box::new(mark));
    all.register_helper("sign", Box::new(sign));
    Ok(all)
});

/// A template with values.
///
/// # Errors
///
/// 500: a mistake of ours.
pub(crate) fn render(name: &str, values: &impl Serialize) -> Result<String, Failure> {
    let all = ALL.as_ref().map_err(Failure::server)?;
    let done = all.render(name, values);
    done.map_err(|error| Failure::server(error.to_string()))
}

/// A number that tells one markup from another.
pub(crate) fn digest(markup: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    markup.hash(&mut hasher);
    hasher.finish()
}

/// Text between tags or in a quoted attribute. What controls a terminal, is invisible or changes the order of other characters is written
/// out.
pub(crate) fn escaped(text: &str) -> String {
    let shown = visible::lines(text);
    let mut all = String::with_capacity(shown.len());
    for c in shown.chars() {
        match c {
            '&' => all.push_str("&amp;"),
            '<' => all.push_str("&lt;"),
            '>' => all.push_str("&gt;"),
            '"' => all.push_str("&quot;"),
            '\'' => all.push_str("&#39;"),
            _ => all.push(c),
        }
    }
    all
}

/// `2026-11-28 18:49:16 UTC` as an element; the script adds the time in the reader's zone.
pub(crate) fn time_element(millis: i64) -> String {
    let Some(time) = DateTime::from_timestamp_millis(millis) else {
        return "–".to_owned();
    };
    format!(
        r#"<time datetime="{}">{}</time>"#,
        clock::format_millis(millis).unwrap_or_default(),
        time.format("%Y-%m-%d %H:%M:%S UTC")
    )
}

/// The shape of a look, whose name is one of ours.
pub(crate) fn sign_element(look: &str) -> String {
    format!(
        r##"<svg class="sign {look}" aria-hidden="true" width="16" height="16"><use href="#s-{look}"/></svg>"##
    )
}

fn parameter<'c>(
    helper: &'c Helper<'_>,
    name: &'static str,
) -> Result<&'c Value, RenderErrorReason> {
    let given = helper.param(0);
    given
        .map(handlebars::PathAndJson::value)
        .ok_or(RenderErrorReason::ParamNotFoundForIndex(name, 0))
}

/// `{{time MILLISECONDS}}`; a dash for what is not known.
fn time(
    helper: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let millis = parameter(helper, "time")?.as_i64();
    out.write(&millis.map_or_else(|| "–".to_owned(), time_element))?;
    Ok(())
}

/// `{{mark MARK}}`: the shape and the word of a state.
fn mark(
    helper: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let mark = parameter(helper, "mark")?;
    let text = |name: &str| mark.get(name).and_then(Value::as_str).unwrap_or_default();
    let look = escaped(text("look"));
    out.write(&format!(
        r#"<span class="mark {look}">{}{}</span>"#,
        sign_element(&look),
        escaped(text("word"))
    ))?;
    Ok(())
}

/// `{{sign LOOK}}`: the shape alone, where the word stands elsewhere.
fn sign(
    helper: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let look = parameter(helper, "sign")?.as_str().unwrap_or_default();
    out.write(&sign_element(&escaped(look)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_understood() {
        assert_eq!(ALL.as_ref().err(), None);
    }

    #[test]
    fn no_template_has_script_style_or_handlers() {
        for (name, text) in FILES {
            for bad in [" style=", "javascript:", "<style", "href=\"http"] {
                // The report is one file, with the style sheet in it, and has no script.
                let is_report = *name == "report" && bad == "<style";
                assert!(is_report || !text.contains(bad), "{name} has {bad}");
            }
            for handler in text.split(" on").skip(1) {
                let word = handler.split(|c: char| !c.is_ascii_lowercase()).next();
                let end = word.map_or(0, str::len);
                assert!(!handler[end..].starts_with('='), "{name} has on{handler}");
            }
            let scripts = text.matches("<script").count();
            assert_eq!(scripts, usize::from(*name == "layout"), "{name}");
            // Only what we have written as markup is not escaped.
            for raw in text.split("{{{").skip(1) {
                let variable = raw.split("}}}").next().unwrap_or_default();
                assert!(variable.ends_with("_html"), "{name}: {variable}");
            }
        }
    }

    #[test]
    fn text_is_text() {
        for (text, expected) in [
            ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;"),
            ("a\u{1b}[31m\u{7}", "a\\x1b[31m\\x07"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("a\n\tb", "a\n\tb"),
        ] {
            assert_eq!(escaped(text), expected);
        }
        assert_eq!(
            time_element(0),
            "<time datetime=\"1970-01-01T00:00:00.000Z\">1970-01-01 00:00:00 UTC</time>"
        );
        assert_eq!(time_element(i64::MAX), "–");
    }
}
