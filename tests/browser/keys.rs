//! The console by keyboard alone.

use hpdlc_tests::chrome::{Browser, ENTER, ESCAPE, TAB, browser};

use crate::{every::Jobs, served::Server};

/// The ring of the focus is there, and what has the focus is on the screen.
const IS_VISIBLE: &str = r"
const at = document.activeElement;
const box = at.getBoundingClientRect();
const style = getComputedStyle(at);
return box.bottom > 0 && box.top < innerHeight && (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
  || at.closest('svg') !== null);";

fn focused(browser: &Browser) -> String {
    let at = browser
        .js("return document.activeElement.getAttribute('href') ?? document.activeElement.id");
    at.as_str().unwrap_or_default().to_owned()
}

#[track_caller]
fn leads_to(browser: &Browser, keys: &str, end: &str) {
    browser.press(keys);
    browser.wait_for(
        &format!("{keys} to lead to {end}"),
        &format!(
            "return location.pathname.endsWith({end:?}) && document.readyState === 'complete' && document.hasFocus()
               && document.documentElement.classList.contains('script')"
        ),
    );
}

#[test]
fn every_key_does_what_the_list_says() {
    let Some(browser) = browser() else { return };
    let jobs = Jobs::new();
    let server = Server::start(jobs.state.home());
    browser.resize(1280, 800);
    browser.open(&server.page("/"));

    browser.press("?");
    assert_eq!(
        browser.js("return document.getElementById('keys').open"),
        true
    );
    assert!(browser.text("#keys").contains("next and previous row"));
    browser.press(&ESCAPE.to_string());
    assert_eq!(
        browser.js("return document.getElementById('keys').open"),
        false
    );

    leads_to(&browser, "gj", "/console/jobs");
    browser.open(&server.page("/console/jobs?app=nightly-load"));
    browser.press("j");
    let first = focused(&browser);
    assert!(first.contains("/console/job/"), "{first}");
    assert_eq!(browser.js(IS_VISIBLE), true);
    browser.press("j");
    let second = focused(&browser);
    assert_ne!(first, second);
    browser.press("k");
    assert_eq!(focused(&browser), first);
    leads_to(&browser, &ENTER.to_string(), &first);
    leads_to(&browser, "u", "/console/jobs");
    leads_to(&browser, "gl", "/console/late");
    leads_to(&browser, "go", "/oozie/");

    browser.press("/");
    assert_eq!(focused(&browser), "find");
    // Letters are those of the field, there.
    browser.press("nightly");
    assert_eq!(browser.js("return document.activeElement.value"), "nightly");
    leads_to(&browser, &ENTER.to_string(), "/console/jobs");
    assert!(browser.address().contains("q=nightly"));

    browser.open(&server.page(&format!("/console/job/{}", jobs.failed)));
    leads_to(&browser, "]", "/timeline");
    leads_to(&browser, "]", "/events");
    leads_to(&browser, "[", "/timeline");
    leads_to(&browser, "u", &jobs.failed);
    // A node opens beside its job, and the focus comes back to where it was.
    browser.press(&format!("jjj{ENTER}"));
    browser.wait_for(
        "the panel",
        "return !document.getElementById('panel').hidden",
    );
    browser.wait_for(
        "the focus in it",
        "return document.activeElement.closest('#panel') !== null",
    );
    browser.press(&ESCAPE.to_string());
    browser.wait_for(
        "the panel to close",
        "return document.getElementById('panel').hidden",
    );
    assert!(
        focused(&browser).contains("/node/"),
        "{}",
        focused(&browser)
    );
}

/// All that the tabulator comes to, on pages of each kind: it is on the screen, it has a ring and a name, and it comes to an end.
#[test]
fn the_tabulator_comes_to_everything_and_the_focus_is_seen() {
    let Some(browser) = browser() else { return };
    let jobs = Jobs::new();
    let server = Server::start(jobs.state.home());
    browser.resize(1280, 800);
    for path in [
        "/".to_owned(),
        "/console/jobs?status=KILLED".to_owned(),
        format!("/console/job/{}", jobs.failed),
        format!("/console/job/{}/node/load", jobs.failed),
        format!("/console/job/{}/command/rerun", jobs.failed),
    ] {
        browser.open(&server.page(&path));
        browser.press(&TAB.to_string());
        assert_eq!(
            focused(&browser),
            "#main",
            "{path}: the first is the link to the content"
        );
        assert_eq!(
            browser.js(IS_VISIBLE),
            true,
            "{path}: the link to the content is seen"
        );
        browser.press(&ENTER.to_string());
        browser.wait_for(
            "the content to have the focus",
            "return document.activeElement.id === 'main'",
        );
        let mut n = 0;
        loop {
            browser.press(&TAB.to_string());
            let has_left = browser.js("return document.activeElement === document.body");
            if has_left == true || n > 150 {
                break;
            }
            n += 1;
            let at = browser.js("return document.activeElement.outerHTML.slice(0, 160)");
            assert_eq!(browser.js(IS_VISIBLE), true, "{path}: {at}");
        }
        assert!(n > 3, "{path}: {n} stops");
    }
}
