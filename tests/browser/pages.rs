//! Every page, with jobs of every state, in light and in dark rooms, on screens of all sizes: it is whole, nothing of it is out of reach,
//! and the browser has nothing to say against it.

use hpdlc_tests::chrome::{Browser, Room, browser};

use crate::{every::Jobs, served::Server};

const WIDTHS: [u32; 3] = [320, 1280, 2560];

/// What is wrong with a page at any size, a line each.
const FAULTS: &str = r"
const faults = [];
const n = document.querySelectorAll('h1').length;
if (n !== 1) faults.push(`${n} headings of the first level`);
if (!document.title.trim()) faults.push('no title');
const open = document.querySelector('.tabs [aria-current]');
if (open && open.getBoundingClientRect().left >= innerWidth) faults.push('the part that is open is not in its row of parts');
if (!document.documentElement.lang) faults.push('no language');
const ids = [...document.querySelectorAll('[id]')].map((it) => it.id);
for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) faults.push(`two elements with the id ${id}`);
return faults;";

/// What is wider than the page, or sticks out of what it is in, a line each.
const WIDE: &str = r"
const width = document.documentElement.clientWidth;
const faults = [];
const show = (all) => all.slice(0, 4).map((it) => it.outerHTML.slice(0, 120)).join(' | ');
if (document.documentElement.scrollWidth > width) {
  const wide = [...document.querySelectorAll('body *')].filter((it) => it.getBoundingClientRect().right > width + 1
    && !it.closest('.scroll,.graph,.tabs,pre,[hidden]'));
  faults.push(`${document.documentElement.scrollWidth} wide: ${show(wide)}`);
}
const out = [...document.querySelectorAll('main .mark,main time,main button,main a')].filter((it) => it.offsetParent
  && it.getBoundingClientRect().right > it.parentElement.getBoundingClientRect().right + 1 && !it.closest('.tabs,.unseen,.runs'));
if (out.length) faults.push(`sticks out: ${show(out)}`);
return faults;";

fn lines(browser: &Browser, script: &str) -> Vec<String> {
    let found = browser.js(script);
    let found = found.as_array().expect("a list");
    found
        .iter()
        .map(|it| it.as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn every_page_is_whole_at_every_size_and_the_browser_logs_nothing() {
    let Some(browser) = browser() else { return };
    let jobs = Jobs::new();
    let server = Server::start(jobs.state.home());
    let mut faults = Vec::new();
    for page in jobs.pages() {
        browser.resize(320, 800);
        browser.open(&server.page(&page.path));
        let mut note = |what: &str, found: Vec<String>| {
            faults.extend(
                found
                    .into_iter()
                    .map(|it| format!("{} {what}: {it}", page.name)),
            );
        };
        note("", lines(&browser, FAULTS));
        let sizes = WIDTHS.map(|width| (width, Room::Light));
        for (width, room) in sizes.into_iter().chain([(1280, Room::Dark)]) {
            browser.set_room(room);
            browser.resize(width, 800);
            note(&format!("{} {width}", room.name()), lines(&browser, WIDE));
        }
        browser.set_room(Room::Light);
        let logged = browser.logged().into_iter();
        // The browser logs that there is no such page, as it should.
        let logged = logged.filter(|it| page.name != "not-found" || !it.message.contains(" 404 "));
        note(
            "log",
            logged
                .map(|it| format!("{} {}", it.level, it.message))
                .collect(),
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
