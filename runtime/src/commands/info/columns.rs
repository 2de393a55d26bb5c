//! Formats text in columns that are as wide as their content.

use std::io::IsTerminal;

use hpdlc_core::visible;
use hpdlc_engine::progress::style;

/// Longer texts do not widen their column; they shift the following cells.
const MAX_WIDTH: usize = 40;

/// A last column that is truncated keeps at least this many characters.
const LEAST_LAST: usize = 8;

/// The width in characters of the terminal on standard output; `None` if it is not a terminal.
pub fn width() -> Option<usize> {
    let stdout = std::io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(stdout).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Rows of cells below their titles; the last column has no maximum width.
pub struct Columns {
    rows: Vec<Vec<String>>,
    /// Lines below a row, by the number of rows above them.
    notes: Vec<(usize, String)>,
    /// The column of states, if they are colored.
    colored: Option<usize>,
}

impl Columns {
    pub fn new(titles: &[&str]) -> Columns {
        Columns {
            rows: vec![titles.iter().map(|title| (*title).to_owned()).collect()],
            notes: Vec::new(),
            colored: None,
        }
    }

    /// Colors the states in this column, if standard output has colors.
    pub fn states(self, column: usize) -> Columns {
        let colored = style::stdout().then_some(column);
        Columns { colored, ..self }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        let cells = cells.iter().map(|cell| visible::line(cell).into_owned());
        self.rows.push(cells.collect());
    }

    /// Adds a note below the last row, indented to its second column.
    pub fn note(&mut self, text: String) {
        let text = visible::line(&text).into_owned();
        self.notes.push((self.rows.len(), text));
    }

    pub fn text(&self) -> String {
        self.text_within(None)
    }

    /// As [`Columns::text`], with the last column truncated so that lines have at most `most` characters.
    pub fn text_within(&self, most: Option<usize>) -> String {
        let n_columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .filter(|width| *width <= MAX_WIDTH)
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        let mut notes = self.notes.iter().peekable();
        let mut text = String::new();
        for (number, row) in (1..).zip(&self.rows) {
            let mut line = String::new();
            let mut row = row.clone();
            if let (Some(most), Some((last, before))) = (most, row.split_last_mut()) {
                let used: usize = before
                    .iter()
                    .zip(&widths)
                    .map(|(cell, width)| cell.chars().count().max(*width) + 2)
                    .sum();
                let room = most.saturating_sub(used).max(LEAST_LAST);
                if last.chars().count() > room {
                    *last = last.chars().take(room - 1).chain(['…']).collect();
                }
            }
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                // The first word of a cell is the state.
                let word = cell.split([' ', ',']).next().unwrap_or_default();
                let code =
                    style::of_status(word).filter(|_| number > 1 && self.colored == Some(column));
                match code {
                    Some(code) => {
                        let blanks = width.saturating_sub(cell.chars().count()) + 2;
                        line.push_str(&style::paint(cell, code));
                        line.push_str(&" ".repeat(blanks));
                    }
                    None => line.push_str(&format!("{cell:<width$}  ")),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
            while let Some((_, note)) = notes.next_if(|(place, _)| *place == number) {
                let indent = widths.first().copied().unwrap_or_default() + 2;
                text.push_str(&format!("{:indent$}{note}\n", ""));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_cut_off_the_last_column() {
        let mut columns = Columns::new(&["JOB", "APPLICATION"]);
        columns.row(
            ["1", "a-long-name-of-an-application"]
                .map(str::to_owned)
                .to_vec(),
        );
        columns.row(["2", "short"].map(str::to_owned).to_vec());
        assert_eq!(
            columns.text_within(Some(20)),
            "JOB  APPLICATION\n1    a-long-name-of…\n2    short\n"
        );
        assert_eq!(
            columns.text_within(Some(3)).lines().nth(1),
            Some("1    a-long-…")
        );
    }

    #[test]
    fn states_are_colored_and_stay_in_their_columns() {
        let mut columns = Columns {
            colored: Some(1),
            ..Columns::new(&["NODE", "STATUS", "ERROR"])
        };
        columns.row(["a", "OK", "OK"].map(str::to_owned).to_vec());
        columns.row(["b", "FAILED", "x"].map(str::to_owned).to_vec());
        assert_eq!(
            columns.text(),
            "NODE  STATUS  ERROR\n\
             a     \u{1b}[32mOK\u{1b}[0m      OK\n\
             b     \u{1b}[31mFAILED\u{1b}[0m  x\n"
        );
    }

    #[test]
    fn columns_are_as_wide_as_they_need_to_be() {
        let mut columns = Columns::new(&["NODE", "STATUS", "ERROR"]);
        columns.row(["a", "OK", ""].map(str::to_owned).to_vec());
        columns.row(["längst", "START_RETRY", "x y"].map(str::to_owned).to_vec());
        columns.note("again at noon".to_owned());
        assert_eq!(
            columns.text(),
            "NODE    STATUS       ERROR\n\
             a       OK\n\
             längst  START_RETRY  x y\n\
             \x20       again at noon\n"
        );
    }
}
