//! axe-core on every page, in light and in dark rooms: no finding of it is serious or critical.

use std::{fs, path::Path, process::Command};

use hpdlc_tests::chrome::{Room, browser};
use serde_json::json;

use crate::{every::Jobs, served::Server};

const VERSION: &str = "4.14.1";

/// Its findings, a line each.
const RUN: &str = r"
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ['violations'], ...arguments[0] }).then((result) => done(result.violations
  .filter((it) => it.impact === 'serious' || it.impact === 'critical')
  .map((it) => `${it.id}: ${it.help}: ${it.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)
     + ' ' + node.any.concat(node.all).map((check) => check.message).join('; ').slice(0, 200)).join(' | ')}`)),
  (error) => done([String(error)]));";

/// The script of axe-core: `tests/run` fetches it with npm; without that, nothing is tested.
fn script() -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe-core");
    let file = folder.join("package/axe.min.js");
    if !file.is_file() {
        fetch(&folder);
    }
    fs::read_to_string(file).ok()
}

fn fetch(folder: &Path) {
    drop(fs::create_dir_all(folder));
    let package = format!("axe-core@{VERSION}");
    let packed = Command::new("npm")
        .args(["pack", "--silent", &package])
        .current_dir(folder)
        .output();
    let Ok(packed) = packed else { return };
    let file = String::from_utf8_lossy(&packed.stdout).trim().to_owned();
    // Without it there is no file, which is looked at next.
    drop(
        Command::new("tar")
            .args(["-xzf", &file, "package/axe.min.js"])
            .current_dir(folder)
            .status(),
    );
}

#[test]
fn axe_finds_nothing_serious_on_any_page() {
    let Some(script) = script() else {
        println!("skipped: npm cannot fetch axe-core");
        return;
    };
    let Some(browser) = browser() else { return };
    let jobs = Jobs::new();
    let server = Server::start(jobs.state.home());
    let mut faults = Vec::new();
    for page in jobs.pages() {
        browser.open(&server.page(&page.path));
        browser.js(&script);
        let rooms = Room::BOTH.into_iter();
        // Its colors are those of the other one.
        for room in rooms.filter(|room| *room == Room::Light || !page.is_further) {
            browser.set_room(room);
            // The second time only what depends on colors.
            let which = match room {
                Room::Light => json!({}),
                Room::Dark => json!({ "runOnly": ["color-contrast", "link-in-text-block"] }),
            };
            let found = browser.js_later(RUN, vec![which]);
            let found = found.as_array().expect("a list").iter();
            faults.extend(found.map(|it| format!("{} {}: {it}", page.name, room.name())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
