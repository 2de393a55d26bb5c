//! One notification: its target, and how often it is tried.

use hpdlc_host::settings::Settings;
use hpdlc_store::{JobRow, notifications::NewNotice};

/// How often a failed one is retried (`hpdl.notification.retries`), and after which interval in seconds
/// (`hpdl.notification.retry.interval`), as in Oozie's `NotificationXCommand`.
const RETRIES: u64 = 3;
const RETRY_INTERVAL: u64 = 60;

/// The timeout for connecting, and then for the answer (`oozie.notification.url.connection.timeout`, milliseconds).
const TIMEOUT: u64 = 10_000;

/// The setting of the proxy for notifications about workflows.
pub const WORKFLOW_PROXY: &str = "oozie.wf.workflow.notification.proxy";

/// A GET of `url` that notifies of `about`, over the proxy that the setting `proxy` names; its tries and timeout are those of the job's
/// settings.
pub fn notice(
    job: &JobRow,
    about: String,
    url: String,
    proxy: &str,
    settings: Settings<'_>,
    time: i64,
) -> NewNotice {
    let number = |name: &str, built_in: u64| {
        let value = settings.text(name).and_then(|value| value.parse().ok());
        i64::try_from(value.unwrap_or(built_in)).unwrap_or(i64::MAX)
    };
    let proxy = [proxy, "oozie.notification.proxy"]
        .into_iter()
        .find_map(|name| settings.text(name));
    NewNotice {
        job_id: job.id.clone(),
        root_id: job.root_id.clone(),
        about,
        url,
        mail: None,
        proxy: proxy.map(str::to_owned),
        timeout: number("oozie.notification.url.connection.timeout", TIMEOUT),
        max_tries: number("hpdl.notification.retries", RETRIES).saturating_add(1),
        interval: number("hpdl.notification.retry.interval", RETRY_INTERVAL).saturating_mul(1_000),
        created: time,
    }
}

/// The URL with its tokens replaced, in one pass. The longest token first: `$wfstatus` is not a use of `$wf`.
pub fn replaced(url: &str, words: &[(&'static str, String)]) -> String {
    let mut text = String::with_capacity(url.len());
    let mut rest = url;
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let token = words
            .iter()
            .filter(|(token, _)| rest.starts_with(token))
            .max_by_key(|(token, _)| token.len());
        match token {
            Some((token, word)) => {
                text.push_str(word);
                rest = &rest[token.len()..];
            }
            None => {
                text.push('$');
                rest = &rest[1..];
            }
        }
    }
    text + rest
}
