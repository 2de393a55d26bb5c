//! `top`: a live table of the jobs that need somebody, run, wait, or have just ended.
//!
//! Data flows from [`rows`] (the store) through [`screen`] (what is selected) to [`draw`]. Commands for a job are calls of this program, so that
//! they do what they do on the command line.

use std::{
    env,
    io::{self, IsTerminal},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use clap::Args;
use hpdlc_engine::{owner::Session, progress::style};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use ratatui::{
    DefaultTerminal,
    crossterm::event::{self, Event, KeyEventKind},
};

use self::screen::{Effect, Screen};

mod draw;
mod rows;
mod screen;

/// Between two looks at the store.
const REFRESH: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
pub(super) struct Top {}

impl Top {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
            return Err(RunError::usage("`top` needs a terminal")
                .with_help("`hpdl jobs` prints the jobs, and `hpdl jobs --json` for programs"));
        }
        // Before the screen is taken: an error is printed as by other commands.
        let rows = rows::read(session, clock::now_millis())?;
        let mut screen = Screen::new();
        screen.update(rows);
        let mut terminal = ratatui::try_init().map_err(|error| failed(&error))?;
        let ended = follow(session, &mut screen, &mut terminal);
        ratatui::restore();
        ended.map(|()| Exit::Success)
    }
}

fn failed(error: &io::Error) -> RunError {
    RunError::machine(format!("the terminal: {error}"))
}

/// Draws, reads keys, and looks at the store again, until the user quits.
fn follow(
    session: &Session,
    screen: &mut Screen,
    terminal: &mut DefaultTerminal,
) -> Result<(), RunError> {
    let has_color = style::stdout();
    let mut looked = Instant::now();
    loop {
        terminal
            .draw(|frame| draw::draw(frame, screen, has_color))
            .map_err(|error| failed(&error))?;
        let left = REFRESH.saturating_sub(looked.elapsed());
        if event::poll(left).map_err(|error| failed(&error))? {
            let event = event::read().map_err(|error| failed(&error))?;
            let Event::Key(key) = event else {
                continue;
            };
            if key.kind != KeyEventKind::Press {
                continue;
            }
            match screen.press(key) {
                Effect::None => continue,
                Effect::Quit => return Ok(()),
                Effect::Show(words) => {
                    let text = output(&words)?;
                    screen.show(format!("hpdl {}", words.join(" ")), &text);
                }
                Effect::Order(words) => {
                    let text = output(&words)?;
                    screen.message = text.lines().last().map(str::to_owned);
                }
                Effect::Leave(words) => {
                    ratatui::restore();
                    let status = own(&words).status();
                    *terminal = ratatui::try_init().map_err(|error| failed(&error))?;
                    status.map_err(|error| cannot_start(&error))?;
                }
            }
        }
        screen.update(rows::read(session, clock::now_millis())?);
        looked = Instant::now();
    }
}

/// This program with other arguments.
fn own(words: &[String]) -> Command {
    // The file may have been replaced meanwhile.
    let mut command = Command::new("/proc/self/exe");
    if let Some(name) = env::args_os().next() {
        std::os::unix::process::CommandExt::arg0(&mut command, name);
    }
    command.args(words);
    command
}

/// What a command prints, on both streams.
fn output(words: &[String]) -> Result<String, RunError> {
    let output = own(words)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| cannot_start(&error))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok(text)
}

fn cannot_start(error: &io::Error) -> RunError {
    RunError::machine(format!("this program cannot be started again: {error}"))
}
