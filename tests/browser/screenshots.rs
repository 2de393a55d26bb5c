//! Pictures of every page for people to look at, written into the folder that `HPDL_SCREENSHOTS` names: in a light and in a dark room, and
//! narrow. Without it, nothing is written.

use std::{env, fs, path::PathBuf};

use hpdlc_tests::chrome::{Room, browser};

use crate::{every::Jobs, served::Server};

const SIZES: [(&str, Room, u32); 4] = [
    ("light", Room::Light, 1280),
    ("dark", Room::Dark, 1280),
    ("narrow", Room::Light, 320),
    ("wide", Room::Light, 2560),
];

#[test]
fn screenshots_of_every_page() {
    let Some(folder) = env::var_os("HPDL_SCREENSHOTS").map(PathBuf::from) else {
        return;
    };
    let Some(browser) = browser() else { return };
    fs::create_dir_all(&folder).expect("the folder of pictures can be written");
    let jobs = Jobs::new();
    let server = Server::start(jobs.state.home());
    for page in jobs.pages() {
        browser.open(&server.page(&page.path));
        for (name, room, width) in SIZES {
            browser.set_room(room);
            browser.screenshot(width, &folder.join(format!("{}.{name}.png", page.name)));
        }
    }
    println!("{}", folder.display());
}
