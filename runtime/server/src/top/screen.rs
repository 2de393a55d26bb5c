//! What `top` shows, and what keys do to it. Pure: commands are returned as [`Effect`]s.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::top::rows::TopRow;

/// A command for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Suspend,
    Resume,
    Kill,
    Start,
}

/// What the loop is to do after a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    Quit,
    /// Show what `hpdl` prints with these arguments.
    Show(Vec<String>),
    /// Leave the screen to `hpdl` with these arguments, until it ends.
    Leave(Vec<String>),
    /// Carry out a command, whose last line is shown.
    Order(Vec<String>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Table,
    /// A part of an application's name is typed.
    Filter,
    /// A command waits for `y`.
    Confirm(Verb, String),
    /// The output of a command, from this line on.
    Text {
        title: String,
        lines: Vec<String>,
        top: usize,
    },
}

#[derive(Debug)]
pub(super) struct Screen {
    rows: Vec<TopRow>,
    /// The id of the selected job, which stays selected wherever it moves.
    selected: Option<String>,
    pub(super) filter: String,
    pub(super) mode: Mode,
    /// The last line of the last command.
    pub(super) message: Option<String>,
}

impl Verb {
    pub(super) fn word(self) -> &'static str {
        match self {
            Verb::Suspend => "suspend",
            Verb::Resume => "resume",
            Verb::Kill => "kill",
            Verb::Start => "start",
        }
    }
}

impl Screen {
    pub(super) fn new() -> Screen {
        Screen {
            rows: Vec::new(),
            selected: None,
            filter: String::new(),
            mode: Mode::Table,
            message: None,
        }
    }

    pub(super) fn update(&mut self, rows: Vec<TopRow>) {
        self.rows = rows;
        self.select_existing(0);
    }

    /// The rows that match the filter.
    pub(super) fn visible(&self) -> Vec<&TopRow> {
        let wanted = self.filter.to_lowercase();
        let matches = |row: &&TopRow| row.app.to_lowercase().contains(&wanted);
        self.rows.iter().filter(matches).collect()
    }

    /// The index of the selected row among the visible ones.
    pub(super) fn position(&self) -> Option<usize> {
        let selected = self.selected.as_ref()?;
        self.visible().iter().position(|row| row.id == *selected)
    }

    /// If the selected row has gone, the one that is at its place now is selected.
    fn select_existing(&mut self, place: usize) {
        if self.position().is_none() {
            self.select(place);
        }
    }

    fn select(&mut self, place: usize) {
        let visible = self.visible();
        let last = visible.len().saturating_sub(1);
        self.selected = visible.get(place.min(last)).map(|row| row.id.clone());
    }

    fn step(&mut self, n: isize) {
        let place = self.position().unwrap_or_default();
        self.select(place.saturating_add_signed(n));
    }

    /// Shows the output of a command.
    pub(super) fn show(&mut self, title: String, text: &str) {
        let lines = text.lines().map(str::to_owned).collect();
        self.mode = Mode::Text {
            title,
            lines,
            top: 0,
        };
    }

    pub(super) fn press(&mut self, key: KeyEvent) -> Effect {
        let is_interrupt =
            key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
        if is_interrupt {
            return Effect::Quit;
        }
        match self.mode.clone() {
            Mode::Table => self.press_in_table(key.code),
            Mode::Filter => self.press_in_filter(key.code),
            Mode::Confirm(verb, id) => {
                self.mode = Mode::Table;
                match key.code {
                    KeyCode::Char('y' | 'Y') => Effect::Order(vec![verb.word().to_owned(), id]),
                    _ => Effect::None,
                }
            }
            Mode::Text { lines, .. } => self.press_in_text(key.code, lines.len()),
        }
    }

    fn press_in_table(&mut self, key: KeyCode) -> Effect {
        match key {
            KeyCode::Char('q') | KeyCode::Esc => return Effect::Quit,
            KeyCode::Up => self.step(-1),
            KeyCode::Down => self.step(1),
            KeyCode::PageUp => self.step(-10),
            KeyCode::PageDown => self.step(10),
            KeyCode::Home => self.select(0),
            KeyCode::End => self.select(usize::MAX),
            KeyCode::Char('/') => self.mode = Mode::Filter,
            KeyCode::Enter | KeyCode::Char('i') => return self.command(&["info"]),
            KeyCode::Char('l') => return self.command(&["log"]),
            KeyCode::Char('w') => {
                return match self.selected.clone() {
                    Some(id) => Effect::Leave(vec!["watch".to_owned(), id]),
                    None => Effect::None,
                };
            }
            KeyCode::Char('s') => self.confirm(Verb::Suspend),
            KeyCode::Char('r') => self.confirm(Verb::Resume),
            KeyCode::Char('k') => self.confirm(Verb::Kill),
            KeyCode::Char('t') => self.confirm(Verb::Start),
            _ => {}
        }
        Effect::None
    }

    fn command(&self, words: &[&str]) -> Effect {
        let Some(id) = &self.selected else {
            return Effect::None;
        };
        let words = words.iter().map(|word| (*word).to_owned());
        Effect::Show(words.chain([id.clone()]).collect())
    }

    fn confirm(&mut self, verb: Verb) {
        if let Some(id) = self.selected.clone() {
            self.mode = Mode::Confirm(verb, id);
        }
    }

    fn press_in_filter(&mut self, key: KeyCode) -> Effect {
        match key {
            KeyCode::Char(c) => self.filter.push(c),
            KeyCode::Backspace => {
                self.filter.pop();
            }
            KeyCode::Esc => {
                self.filter.clear();
                self.mode = Mode::Table;
            }
            KeyCode::Enter => self.mode = Mode::Table,
            _ => {}
        }
        self.select_existing(0);
        Effect::None
    }

    fn press_in_text(&mut self, key: KeyCode, n_lines: usize) -> Effect {
        let Mode::Text { top, .. } = &mut self.mode else {
            return Effect::None;
        };
        let last = n_lines.saturating_sub(1);
        match key {
            KeyCode::Char('q') | KeyCode::Esc | KeyCode::Enter | KeyCode::Left => {
                self.mode = Mode::Table;
            }
            KeyCode::Up => *top = top.saturating_sub(1),
            KeyCode::Down => *top = (*top + 1).min(last),
            KeyCode::PageUp => *top = top.saturating_sub(20),
            KeyCode::PageDown => *top = (*top + 20).min(last),
            KeyCode::Home => *top = 0,
            KeyCode::End => *top = last,
            _ => {}
        }
        Effect::None
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::top::rows::Group;

    pub fn row(number: u32, group: Group, status: &str, app: &str) -> TopRow {
        TopRow {
            id: format!("{number:07}-1-hpdl-W"),
            short: number.to_string(),
            group,
            kind: "W",
            status: status.to_owned(),
            duration: "3s".to_owned(),
            app: app.to_owned(),
            user: "ann".to_owned(),
        }
    }

    pub fn screen() -> Screen {
        let mut screen = Screen::new();
        screen.update(vec![
            row(4, Group::Attention, "SUSPENDED", "report"),
            row(7, Group::Running, "RUNNING", "load"),
            row(6, Group::Ended, "SUCCEEDED", "load-all"),
        ]);
        screen
    }

    pub fn press(screen: &mut Screen, keys: &str) -> Effect {
        let mut effect = Effect::None;
        for c in keys.chars() {
            let code = match c {
                '\n' => KeyCode::Enter,
                'v' => KeyCode::Down,
                '^' => KeyCode::Up,
                '!' => KeyCode::Esc,
                c => KeyCode::Char(c),
            };
            effect = screen.press(KeyEvent::from(code));
        }
        effect
    }

    fn words(effect: &Effect) -> String {
        match effect {
            Effect::None => "-".to_owned(),
            Effect::Quit => "quit".to_owned(),
            Effect::Show(words) => format!("show {}", words.join(" ")),
            Effect::Leave(words) => format!("leave {}", words.join(" ")),
            Effect::Order(words) => format!("order {}", words.join(" ")),
        }
    }

    #[test]
    fn keys_do_what_the_footer_says() {
        for (keys, expected) in [
            ("q", "quit"),
            ("!", "quit"),
            ("\n", "show info 0000004-1-hpdl-W"),
            ("vl", "show log 0000007-1-hpdl-W"),
            ("vvvv^w", "leave watch 0000007-1-hpdl-W"),
            ("ky", "order kill 0000004-1-hpdl-W"),
            ("kn", "-"),
            ("k\n", "-"),
            ("vsy", "order suspend 0000007-1-hpdl-W"),
            ("ry", "order resume 0000004-1-hpdl-W"),
            ("/load-\n\n", "show info 0000006-1-hpdl-W"),
            ("/nothing\nk", "-"),
            ("/nothing!\n", "show info 0000004-1-hpdl-W"),
        ] {
            assert_eq!(words(&press(&mut screen(), keys)), expected, "{keys:?}");
        }
    }

    #[test]
    fn a_job_stays_selected_where_it_moves_and_the_next_one_is_when_it_goes() {
        let mut screen = screen();
        press(&mut screen, "v");
        screen.update(vec![
            row(8, Group::Running, "RUNNING", "load"),
            row(4, Group::Attention, "SUSPENDED", "report"),
            row(7, Group::Running, "RUNNING", "load"),
        ]);
        assert_eq!(screen.position(), Some(2));
        screen.update(vec![row(8, Group::Running, "RUNNING", "load")]);
        assert_eq!(screen.position(), Some(0));
        screen.update(Vec::new());
        assert_eq!(screen.position(), None);
        assert_eq!(press(&mut screen, "v^ky\n"), Effect::None);
    }

    #[test]
    fn control_c_quits_from_everywhere() {
        let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        for keys in ["", "/lo", "k"] {
            let mut screen = screen();
            press(&mut screen, keys);
            assert_eq!(screen.press(key), Effect::Quit, "{keys:?}");
        }
        let mut screen = screen();
        screen.show("info".to_owned(), "a\nb");
        assert_eq!(screen.press(key), Effect::Quit);
    }

    #[test]
    fn a_text_is_scrolled_to_its_last_line_and_left() {
        let mut screen = screen();
        screen.show("info".to_owned(), "a\nb\nc");
        press(&mut screen, "vvvvvv");
        let top = match &screen.mode {
            Mode::Text { top, .. } => Some(*top),
            _ => None,
        };
        assert_eq!(top, Some(2));
        press(&mut screen, "!");
        assert_eq!(screen.mode, Mode::Table);
    }
}
