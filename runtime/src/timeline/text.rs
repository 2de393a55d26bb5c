//! A timeline as text for a terminal: one line per node, one character per unit of time.

use hpdlc_core::visible;
use hpdlc_engine::progress::style;
use hpdlc_graph::Look;
use hpdlc_host::clock::{self, format_duration};

use super::{
    SegmentKind, Timeline, TimelineRow, meaning,
    svg::{offset, step},
};

/// The canvas for text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextCanvas {
    /// Width in characters.
    pub width: usize,
    /// Whether states have colors, as ANSI escape sequences.
    pub has_color: bool,
}

impl TextCanvas {
    /// For text in a file.
    pub const FILE: TextCanvas = TextCanvas {
        width: 100,
        has_color: false,
    };

    /// The character of a state, in its color.
    pub(super) fn sign(self, look: Look) -> String {
        let (sign, _) = sign(look);
        if self.has_color {
            style::paint(sign, color(look))
        } else {
            sign.to_owned()
        }
    }

    /// The text, truncated to the width.
    pub(super) fn cut(self, text: &str) -> String {
        cut(text, self.width)
    }
}

/// The character of a state, and its priority when two states share a character.
pub(super) fn sign(look: Look) -> (&'static str, u8) {
    match look {
        Look::Untouched => ("-", 0),
        Look::Waiting => ("░", 1),
        Look::Good => ("█", 2),
        Look::Running => ("▓", 3),
        Look::Stuck => ("?", 4),
        Look::Killed => ("K", 5),
        Look::Bad => ("X", 6),
    }
}

fn color(look: Look) -> &'static str {
    match look {
        Look::Untouched => "2",
        Look::Waiting | Look::Stuck => "33",
        Look::Good => "32",
        Look::Running => "36",
        Look::Bad => "31",
        Look::Killed => "35",
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept = text.chars().take(width.saturating_sub(1));
    kept.chain((width > 0).then_some('…')).collect()
}

/// The minimum width of the chart: on a narrower terminal lines wrap.
const LEAST_CHART: usize = 10;

/// The minimum width of a tick on the axis.
const TICK: usize = 9;

/// The picture as text, each line ending in a line break. Control characters in names are replaced.
pub fn text(timeline: &Timeline, paper: TextCanvas) -> String {
    let names: Vec<String> = timeline.rows.iter().map(name).collect();
    let labels: Vec<String> = timeline
        .rows
        .iter()
        .map(|row| visible::line(&row.label).into_owned())
        .collect();
    let longest = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max();
    let left = longest(&names)
        .unwrap_or_default()
        .clamp(4, (paper.width / 3).max(4));
    let right = longest(&labels).unwrap_or_default().min(paper.width / 3);
    let chart = paper
        .width
        .saturating_sub(left + right + 4)
        .max(LEAST_CHART);
    let scale = ChartScale {
        begin: timeline.begin,
        length: timeline.end - timeline.begin,
        chart,
    };
    let so_far = if timeline.is_open { " so far" } else { "" };
    let about = format!(
        "from {}, {}{so_far}",
        clock::format_millis(timeline.begin).unwrap_or_default(),
        format_duration(scale.length)
    );
    let mut text = String::new();
    for line in [&timeline.title, &about] {
        text.push_str(&paper.cut(&visible::line(line)));
        text.push('\n');
    }
    text.push_str(&format!("{:left$}  {}\n", "", axis(&scale)));
    for ((row, name), label) in timeline.rows.iter().zip(&names).zip(&labels) {
        let line = format!(
            "{:<left$}  {}  {}",
            cut(name, left),
            bar(row, &scale, paper),
            cut(label, right)
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let segments = || {
        timeline
            .rows
            .iter()
            .filter(|row| row.kind == SegmentKind::Action)
    };
    let legend: Vec<String> = Look::ALL
        .into_iter()
        .filter(|look| segments().any(|row| row.segments.iter().any(|one| one.look == *look)))
        .map(|look| format!("{} {}", paper.sign(look), meaning(look)))
        .collect();
    if !legend.is_empty() {
        text.push_str(&format!("{:left$}  {}\n", "", legend.join("   ")));
    }
    for change in &timeline.owners {
        let after = offset(change.to - timeline.begin);
        text.push_str(&format!("{after}: {}\n", visible::line(&change.text)));
    }
    text
}

fn name(row: &TimelineRow) -> String {
    format!("{}{}", "  ".repeat(row.depth), visible::line(&row.name))
}

struct ChartScale {
    begin: i64,
    /// Milliseconds, at least one.
    length: i64,
    chart: usize,
}

impl ChartScale {
    /// The character index of a time.
    fn place(&self, time: i64) -> usize {
        let chart = self.chart as i128;
        let place = i128::from(time - self.begin) * chart / i128::from(self.length.max(1));
        usize::try_from(place.clamp(0, chart - 1)).unwrap_or_default()
    }
}

/// `+0       +2s      +4s`.
fn axis(scale: &ChartScale) -> String {
    let most = i64::try_from(scale.chart / TICK).unwrap_or(1).max(1);
    let step = step(scale.length, most);
    let mut axis = String::new();
    for number in 0..=scale.length / step {
        let text = offset(number * step);
        let place = scale.place(scale.begin + number * step);
        let used = axis.chars().count();
        if place + text.len() > scale.chart || (used > 0 && place <= used) {
            continue;
        }
        axis.push_str(&" ".repeat(place - used));
        axis.push_str(&text);
    }
    axis
}

fn bar(row: &TimelineRow, scale: &ChartScale, paper: TextCanvas) -> String {
    let mut cells: Vec<Option<Look>> = vec![None; scale.chart];
    for segment in &row.segments {
        let first = scale.place(segment.from);
        // A segment ends before the character in which the next one starts.
        let last = scale.place((segment.to - 1).max(segment.from));
        for cell in &mut cells[first..=last] {
            let is_over = |other: Look| sign(other).1 > sign(segment.look).1 && first == last;
            if !cell.is_some_and(is_over) {
                *cell = Some(segment.look);
            }
        }
    }
    let mut bar = String::new();
    for cell in cells {
        match (cell, row.kind) {
            (Some(look), SegmentKind::Action) => bar.push_str(&paper.sign(look)),
            // The label shows the state if it is not OK.
            (Some(look), SegmentKind::Moment) if paper.has_color => {
                bar.push_str(&style::paint("◆", color(look)));
            }
            (Some(_), SegmentKind::Moment) => bar.push('◆'),
            (None, _) => bar.push(' '),
        }
    }
    bar
}
