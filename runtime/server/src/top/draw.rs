//! Draws the screen of `top`.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Cell, Paragraph, Row, Table, TableState},
};

use crate::top::{
    rows::{Group, TopRow},
    screen::{Mode, Screen},
};

const KEYS: &str =
    "q quit  Enter info  l log  w watch  s suspend  r resume  k kill  t start  / filter";

const KEYS_OF_TEXT: &str = "arrows and PgUp PgDn scroll  Esc back  Ctrl-C quit";

/// Draws everything; `has_color` as the user's terminal and settings allow.
pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen, has_color: bool) {
    let areas = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [head, body, message, keys] = areas.areas(frame.area());
    let bold = Style::default().add_modifier(Modifier::BOLD);
    frame.render_widget(Line::styled(title(screen), bold), head);
    match &screen.mode {
        Mode::Text { lines, top, .. } => text(frame, body, lines, *top),
        Mode::Table | Mode::Filter | Mode::Confirm(..) => table(frame, body, screen, has_color),
    }
    frame.render_widget(Line::raw(below(screen)), message);
    let help = match &screen.mode {
        Mode::Text { .. } => KEYS_OF_TEXT,
        Mode::Table | Mode::Filter | Mode::Confirm(..) => KEYS,
    };
    let dim = Style::default().add_modifier(Modifier::DIM);
    frame.render_widget(Span::styled(help, dim), keys);
}

fn title(screen: &Screen) -> String {
    if let Mode::Text { title, .. } = &screen.mode {
        return title.clone();
    }
    let rows = screen.visible();
    let count = |group: Group| rows.iter().filter(|row| row.group == group).count();
    format!(
        "attention {}  running {}  not started {}  succeeded within a day {}",
        count(Group::Attention),
        count(Group::Running),
        count(Group::Waiting),
        count(Group::Ended)
    )
}

/// The line above the keys: a question, the filter, or the answer to the last command.
fn below(screen: &Screen) -> String {
    match &screen.mode {
        Mode::Confirm(verb, id) => format!("{} {id}? y for yes, any other key for no", verb.word()),
        Mode::Filter => format!("application: {}_", screen.filter),
        Mode::Table | Mode::Text { .. } => match &screen.message {
            Some(message) => message.clone(),
            None if screen.filter.is_empty() => String::new(),
            None => format!("application: {}", screen.filter),
        },
    }
}

fn table(frame: &mut Frame<'_>, area: Rect, screen: &Screen, has_color: bool) {
    let visible = screen.visible();
    if visible.is_empty() {
        let text = match screen.filter.is_empty() {
            true => "no jobs run, wait, or have ended within a day",
            false => "no job matches the filter; / and Esc remove it",
        };
        frame.render_widget(Paragraph::new(text), area);
        return;
    }
    let widths = [
        Constraint::Length(8),
        Constraint::Length(4),
        Constraint::Length(19),
        Constraint::Length(9),
        Constraint::Length(10),
        Constraint::Min(10),
    ];
    let titles = ["JOB", "KIND", "STATUS", "DURATION", "USER", "APPLICATION"];
    let rows = visible.iter().map(|row| cells(row, has_color));
    let table = Table::new(rows, widths)
        .header(Row::new(titles))
        .row_highlight_style(Style::default().add_modifier(Modifier::REVERSED));
    let mut state = TableState::default().with_selected(screen.position());
    frame.render_stateful_widget(table, area, &mut state);
}

fn cells(row: &TopRow, has_color: bool) -> Row<'_> {
    let status = match (has_color, row.group, row.status.as_str()) {
        (false, ..) => Style::default(),
        (true, Group::Attention, "SUSPENDED" | "PAUSED") => Style::default().fg(Color::Yellow),
        (true, Group::Attention, _) => Style::default().fg(Color::Red),
        (true, Group::Running, _) => Style::default().fg(Color::Cyan),
        (true, Group::Waiting, _) => Style::default().add_modifier(Modifier::DIM),
        (true, Group::Ended, _) => Style::default().fg(Color::Green),
    };
    Row::new([
        Cell::new(row.short.as_str()),
        Cell::new(row.kind),
        Cell::new(row.status.as_str()).style(status),
        Cell::new(row.duration.as_str()),
        Cell::new(row.user.as_str()),
        Cell::new(row.app.as_str()),
    ])
}

fn text(frame: &mut Frame<'_>, area: Rect, lines: &[String], top: usize) {
    let height = usize::from(area.height);
    let shown = lines.iter().skip(top).take(height);
    let shown: Vec<Line<'_>> = shown.map(|line| Line::raw(line.as_str())).collect();
    frame.render_widget(Paragraph::new(shown), area);
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use ratatui::{Terminal, backend::TestBackend};

    use super::*;
    use crate::top::screen::tests::{press, screen};

    #[track_caller]
    fn check(screen: &Screen, expected: Expect) {
        let mut terminal = Terminal::new(TestBackend::new(72, 8)).unwrap();
        terminal
            .draw(|frame| draw(frame, screen, false))
            .map(drop)
            .unwrap();
        let buffer = terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let symbols: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
        let lines = symbols.chunks(width).map(|line| line.concat());
        let text: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
        expected.assert_eq(&text.join("\n"));
    }

    #[test]
    fn the_table_has_what_needs_attention_first() {
        check(
            &screen(),
            expect![[r#"
                attention 1  running 1  not started 0  succeeded within a day 1
                JOB      KIND STATUS              DURATION  USER       APPLICATION
                4        W    SUSPENDED           3s        ann        report
                7        W    RUNNING             3s        ann        load
                6        W    SUCCEEDED           3s        ann        load-all


                q quit  Enter info  l log  w watch  s suspend  r resume  k kill  t start"#]],
        );
    }

    #[test]
    fn a_question_and_a_filter_are_above_the_keys() {
        let mut screen = screen();
        press(&mut screen, "vk");
        check(
            &screen,
            expect![[r#"
                attention 1  running 1  not started 0  succeeded within a day 1
                JOB      KIND STATUS              DURATION  USER       APPLICATION
                4        W    SUSPENDED           3s        ann        report
                7        W    RUNNING             3s        ann        load
                6        W    SUCCEEDED           3s        ann        load-all

                kill 0000007-1-hpdl-W? y for yes, any other key for no
                q quit  Enter info  l log  w watch  s suspend  r resume  k kill  t start"#]],
        );
        press(&mut screen, "n/load-");
        check(
            &screen,
            expect![[r#"
                attention 0  running 0  not started 0  succeeded within a day 1
                JOB      KIND STATUS              DURATION  USER       APPLICATION
                6        W    SUCCEEDED           3s        ann        load-all



                application: load-_
                q quit  Enter info  l log  w watch  s suspend  r resume  k kill  t start"#]],
        );
        press(&mut screen, "x\n");
        check(
            &screen,
            expect![[r#"
                attention 0  running 0  not started 0  succeeded within a day 0
                no job matches the filter; / and Esc remove it




                application: load-x
                q quit  Enter info  l log  w watch  s suspend  r resume  k kill  t start"#]],
        );
    }

    #[test]
    fn a_text_is_shown_from_its_top_line() {
        let mut screen = screen();
        screen.show("hpdl info 7".to_owned(), "a\nb\nc\nd\ne\nf\ng");
        press(&mut screen, "v");
        check(
            &screen,
            expect![[r#"
            hpdl info 7
            b
            c
            d
            e
            f

            arrows and PgUp PgDn scroll  Esc back  Ctrl-C quit"#]],
        );
    }
}
