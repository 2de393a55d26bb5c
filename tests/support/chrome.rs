//! Chromium, driven by chromedriver: a tab with what it logs, its size, its colors and its keys.
//!
//! Every call panics when the browser does not do it: all callers are tests.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::webdriver::{Refused, Session, Tab};

/// How long a condition on a page may take on a slow and busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub const ENTER: char = '\u{e007}';
pub const ESCAPE: char = '\u{e00c}';
pub const TAB: char = '\u{e004}';

const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// A chromedriver, and a Chromium with a profile of its own.
pub struct Browser {
    session: Session,
    driver: Child,
}

/// A message of the browser about a page.
#[derive(Debug)]
pub struct Logged {
    pub level: String,
    pub message: String,
}

/// The colors that the reader's system asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Light,
    Dark,
}

impl Room {
    pub const BOTH: [Room; 2] = [Room::Light, Room::Dark];

    pub fn name(self) -> &'static str {
        match self {
            Room::Light => "light",
            Room::Dark => "dark",
        }
    }
}

/// A program of the search path.
fn program(names: &[&str]) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    let files = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// A browser, unless this machine has none: then a line says that the test is skipped.
pub fn browser() -> Option<Browser> {
    Browser::start(&json!({}))
}

/// One that runs no script of pages.
pub fn browser_without_script() -> Option<Browser> {
    Browser::start(&json!({ "profile.managed_default_content_settings.javascript": 2 }))
}

impl Browser {
    fn start(preferences: &Value) -> Option<Browser> {
        let found = (
            program(&["chromedriver"]),
            program(&["chromium", "google-chrome"]),
        );
        let (Some(driver), Some(chromium)) = found else {
            println!("skipped: Debian's chromium and chromium-driver are not installed");
            return None;
        };
        let (mut driver, port) = listening(&driver);
        let capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": {
                "binary": chromium,
                // Containers have no namespaces for the sandbox, and little shared memory.
                "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
                    "--no-first-run", "--disable-background-networking", "--lang=en-US"],
                "prefs": preferences,
            },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        match Session::start(port, &capabilities) {
            Ok(session) => Some(Browser { session, driver }),
            Err(error) => {
                end(&mut driver);
                panic!("chromium does not start: {error}");
            }
        }
    }

    /// Opens an address, and waits until all of it is loaded.
    #[track_caller]
    pub fn open(&self, address: &str) {
        done(
            address,
            self.session.post("url", &json!({ "url": address })),
        );
    }

    pub fn address(&self) -> String {
        let address = done("address", self.session.get("url"));
        address.as_str().unwrap_or_default().to_owned()
    }

    /// What a body of a function returns.
    #[track_caller]
    pub fn js(&self, body: &str) -> Value {
        self.js_of(body, Vec::new())
    }

    /// As [`Browser::js`], with `arguments`.
    #[track_caller]
    pub fn js_of(&self, body: &str, arguments: Vec<Value>) -> Value {
        done(body, self.session.execute("sync", body, &arguments))
    }

    /// As [`Browser::js`], of what the function gives to its last argument.
    #[track_caller]
    pub fn js_later(&self, body: &str, arguments: Vec<Value>) -> Value {
        done(body, self.session.execute("async", body, &arguments))
    }

    /// The text of the first element, as it is seen.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let begun = Instant::now();
        loop {
            // The page may be about to be another one.
            let element = self.session.find(selector);
            let text = element.and_then(|element| self.session.text(&element));
            match text {
                Ok(text) => return text,
                Err(error) if begun.elapsed() > PATIENCE => panic!("{selector}: {error}"),
                Err(_) => thread::sleep(LOOK_AGAIN),
            }
        }
    }

    pub fn has(&self, selector: &str) -> bool {
        self.n_of(selector) > 0
    }

    pub fn n_of(&self, selector: &str) -> usize {
        done(selector, self.session.find_all(selector)).len()
    }

    #[track_caller]
    fn act(&self, selector: &str, what: &str, body: &Value) {
        let element = done(selector, self.session.find(selector));
        done(selector, self.session.act(&element, what, body));
    }

    /// Sends the form of a field, and waits until the page that answers is loaded.
    #[track_caller]
    pub fn submit(&self, selector: &str) {
        self.leave(selector, "value", &json!({ "text": ENTER }));
    }

    /// Clicks on a link or a button that leads to another page, and waits until that page is loaded.
    #[track_caller]
    pub fn follow(&self, selector: &str) {
        self.leave(selector, "click", &json!({}));
    }

    /// Clicks on something that stays on its page.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        self.act(selector, "click", &json!({}));
    }

    /// chromedriver waits for a page only once its browser has begun to load it, which may be after the click has been answered.
    /// So this waits until the root element of the page before is none of the current page.
    #[track_caller]
    fn leave(&self, selector: &str, what: &str, body: &Value) {
        let before = done("html", self.session.find("html"));
        self.act(selector, what, body);
        let begun = Instant::now();
        while self.session.is_shown(&before) {
            assert!(
                begun.elapsed() < PATIENCE,
                "{selector} of {} leads nowhere",
                self.address()
            );
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// Types into a field.
    #[track_caller]
    pub fn fill(&self, selector: &str, text: &str) {
        self.act(selector, "clear", &json!({}));
        self.act(selector, "value", &json!({ "text": text }));
    }

    /// Presses keys, wherever the focus is: characters, and those of [`ENTER`], [`ESCAPE`] and [`TAB`].
    #[track_caller]
    pub fn press(&self, keys: &str) {
        // The command of WebDriver is repeated by chromedriver when a key leads to another page.
        for key in keys.chars() {
            let (name, code, text) = match key {
                ENTER => ("Enter".to_owned(), 13, "\r".to_owned()),
                ESCAPE => ("Escape".to_owned(), 27, String::new()),
                TAB => ("Tab".to_owned(), 9, String::new()),
                key => (key.to_string(), 0, key.to_string()),
            };
            for kind in ["keyDown", "keyUp"] {
                let text = if kind == "keyDown" { text.as_str() } else { "" };
                let mut event = json!({ "type": kind, "key": name, "windowsVirtualKeyCode": code });
                if !text.is_empty() {
                    event["text"] = json!(text);
                }
                self.tools("Input.dispatchKeyEvent", event);
            }
        }
    }

    /// A command of the protocol of the developer tools.
    #[track_caller]
    pub fn tools(&self, command: &str, parameters: Value) -> Value {
        done(command, self.session.tools(command, &parameters))
    }

    /// The size of the page, of a small screen, too.
    pub fn resize(&self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.tools("Emulation.setDeviceMetricsOverride", size);
    }

    pub fn set_room(&self, room: Room) {
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": room.name() },
            // What moves is in no screenshot twice.
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ] });
        self.tools("Emulation.setEmulatedMedia", features);
    }

    /// What the browser has logged since the last call: errors of scripts, refused by the content security policy, answers that failed.
    pub fn logged(&self) -> Vec<Logged> {
        let entries = done("the log", self.session.log("browser"));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let entries = entries.iter().map(|entry| Logged {
            level: text(&entry["level"]),
            message: text(&entry["message"]),
        });
        entries.collect()
    }

    /// The addresses that were asked for since the last call.
    pub fn requests(&self) -> Vec<String> {
        let entries = done("the log", self.session.log("performance"));
        let events = entries
            .iter()
            .filter_map(|entry| serde_json::from_str::<Value>(entry["message"].as_str()?).ok());
        events
            .filter(|event| event["message"]["method"] == "Network.requestWillBeSent")
            .filter_map(|event| {
                let url = &event["message"]["params"]["request"]["url"];
                url.as_str().map(str::to_owned)
            })
            .collect()
    }

    /// The whole page, from its top to its end, as wide as `width`.
    pub fn screenshot(&self, width: u32, file: &Path) {
        self.resize(width, 800);
        let height = self.js("return document.documentElement.scrollHeight");
        let height = height.as_u64().and_then(|it| u32::try_from(it).ok());
        self.resize(width, height.unwrap_or_default().clamp(600, 8000));
        let picture = done("a picture", self.session.screenshot());
        fs::write(file, picture).expect("the folder for pictures can be written");
    }

    /// A further tab, which becomes the current one.
    pub fn new_tab(&self) -> Tab {
        let tab = done("a tab", self.session.new_tab());
        self.switch(&tab);
        tab
    }

    pub fn switch(&self, tab: &Tab) {
        done("a tab", self.session.switch(tab));
    }

    /// Waits until a script returns something true, and returns how long that took.
    #[track_caller]
    pub fn wait_for(&self, what: &str, body: &str) -> Duration {
        let begun = Instant::now();
        loop {
            // The page may be another one by now, and the script have been lost with it.
            let value = self.session.execute("sync", body, &[]);
            if value.is_ok_and(|it| it.as_bool() == Some(true)) {
                return begun.elapsed();
            }
            if begun.elapsed() > PATIENCE {
                let text = self.js("return document.body.innerText.slice(0, 3000)");
                panic!("waited {PATIENCE:?} for {what}, {}: {text}", self.address());
            }
            thread::sleep(LOOK_AGAIN);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.quit();
        end(&mut self.driver);
    }
}

#[track_caller]
fn done<T>(what: &str, answer: Result<T, Refused>) -> T {
    match answer {
        Ok(value) => value,
        Err(error) => panic!("{what}: {error}"),
    }
}

fn end(child: &mut Child) {
    // It may have exited already.
    drop(child.kill());
    drop(child.wait());
}

/// A chromedriver, and the port that it listens at.
fn listening(program: &Path) -> (Child, u16) {
    // Another process may have taken the port meanwhile that it has chosen.
    for _ in 0..5 {
        let mut driver = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver can be started");
        let mut lines = BufReader::new(driver.stdout.take().expect("it is a pipe")).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        // Nobody reads what it says later, which must not fail.
        thread::spawn(move || lines.count());
        if let Some(port) = port {
            return (driver, port);
        }
        end(&mut driver);
    }
    panic!("{} does not listen", program.display());
}
