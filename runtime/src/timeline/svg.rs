//! A timeline as SVG: a bar for each period in which a node was in one state, below a time axis.

use std::fmt::Write;

use hpdlc_graph::{
    Look,
    svg::{
        markup::{self, N},
        text,
    },
};
use hpdlc_host::clock::format_duration;

use super::{Segment, SegmentKind, Timeline, TimelineRow, meaning};

const MARGIN: f64 = 16.0;
const CHART_WIDTH: f64 = 880.0;
const MAX_NAME_WIDTH: f64 = 280.0;
const INDENT: f64 = 14.0;
const FONT: f64 = 12.0;
const SMALL: f64 = 10.5;
const AXIS_HEIGHT: f64 = 26.0;
const TITLE_HEIGHT: f64 = 30.0;
const LEGEND_HEIGHT: f64 = 30.0;

/// Above this number of rows, rows are lower.
const MANY_ROWS: usize = 60;

/// The minimum width of a bar, so that short periods are visible.
const LEAST_BAR: f64 = 2.0;

/// The style sheet of timelines and calendars. Every rule applies only within an element of class `hpdlc-time`.
pub const STYLE: &str = r#".hpdlc-time{font-family:ui-sans-serif,system-ui,"Segoe UI",Helvetica,Arial,sans-serif;font-size:12px}
.hpdlc-time text{fill:#1f2937}
.hpdlc-time .paper{fill:#fff}
.hpdlc-time .band{fill:#f1f5f9}
.hpdlc-time .grid{stroke:#cbd5e1;stroke-width:1}
.hpdlc-time .title{font-size:14px;font-weight:600}
.hpdlc-time .small{font-size:10.5px;fill:#64748b}
.hpdlc-time .in{font-size:10px;fill:#fff;text-anchor:middle}
.hpdlc-time .tick{text-anchor:middle}
.hpdlc-time .number{font-weight:600}
.hpdlc-time .owner{stroke:#9333ea;stroke-width:1.5;stroke-dasharray:4 3}
.hpdlc-time .gap{fill:#9333ea;fill-opacity:.12}
.hpdlc-time .nested{fill:none;stroke:#94a3b8}
.hpdlc-time .waiting{fill:#eab308}
.hpdlc-time .running{fill:#2563eb}
.hpdlc-time .good{fill:#16a34a}
.hpdlc-time .stuck{fill:#ea580c}
.hpdlc-time .bad{fill:#dc2626}
.hpdlc-time .killed{fill:#6b7280}
.hpdlc-time .untouched{fill:#cbd5e1}
@media (prefers-color-scheme:dark){
.hpdlc-time text{fill:#e2e8f0}
.hpdlc-time .in{fill:#fff}
.hpdlc-time .small{fill:#94a3b8}
.hpdlc-time .paper{fill:#0f172a}
.hpdlc-time .band{fill:#1e293b}
.hpdlc-time .grid{stroke:#334155}
}
"#;

/// Positions in the picture.
struct Layout {
    /// The x coordinate of the axis.
    left: f64,
    top: f64,
    row_height: f64,
    width: f64,
    height: f64,
    begin: i64,
    /// Pixels per millisecond.
    scale: f64,
}

impl Layout {
    fn of(timeline: &Timeline) -> Layout {
        let name_width = timeline
            .rows
            .iter()
            .map(|row| indent(row) + text::width(&name(row), FONT))
            .fold(60.0, f64::max);
        let label_width = timeline
            .rows
            .iter()
            .map(|row| text::width(&row.label, SMALL))
            .fold(40.0, f64::max)
            .min(MAX_NAME_WIDTH);
        let row_height = if timeline.rows.len() > MANY_ROWS {
            16.0
        } else {
            22.0
        };
        let left = MARGIN + name_width + 10.0;
        let top = MARGIN + TITLE_HEIGHT + AXIS_HEIGHT;
        let rows = row_height * (timeline.rows.len() as f64);
        Layout {
            left,
            top,
            row_height,
            width: left + CHART_WIDTH + 8.0 + label_width + MARGIN,
            height: top + rows + LEGEND_HEIGHT + MARGIN,
            begin: timeline.begin,
            scale: CHART_WIDTH / ((timeline.end - timeline.begin).max(1) as f64),
        }
    }

    fn x(&self, time: i64) -> f64 {
        self.left + ((time - self.begin) as f64) * self.scale
    }
}

/// The picture as an SVG document.
pub fn svg(timeline: &Timeline) -> String {
    let layout = Layout::of(timeline);
    let mut out = String::new();
    let (width, height) = (layout.width.ceil(), layout.height.ceil());
    let title = markup::text(&timeline.title);
    line(
        &mut out,
        format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="hpdlc-time" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{}">"#,
            markup::attribute(&timeline.title)
        ),
    );
    line(&mut out, format_args!("<title>{title}</title>"));
    line(
        &mut out,
        format_args!("<style>{}</style>", markup::text(STYLE)),
    );
    line(
        &mut out,
        format_args!(r#"<rect class="paper" width="{width}" height="{height}"/>"#),
    );
    let so_far = if timeline.is_open { " so far" } else { "" };
    line(
        &mut out,
        format_args!(
            r#"<text class="title" x="{}" y="{}">{title}</text>"#,
            N(MARGIN),
            N(MARGIN + 12.0)
        ),
    );
    line(
        &mut out,
        format_args!(
            r#"<text class="small" x="{}" y="{}">from {}, {}{so_far}</text>"#,
            N(MARGIN),
            N(MARGIN + 28.0),
            markup::text(&hpdlc_host::clock::format_millis(timeline.begin).unwrap_or_default()),
            format_duration(timeline.end - timeline.begin),
        ),
    );
    bands(&mut out, timeline, &layout);
    axis(&mut out, timeline, &layout);
    for (number, row) in timeline.rows.iter().enumerate() {
        let top = layout.top + layout.row_height * (number as f64);
        draw_row(&mut out, row, top, &layout);
    }
    owners(&mut out, timeline, &layout);
    legend(&mut out, timeline, &layout);
    line(&mut out, format_args!("</svg>"));
    out
}

pub(super) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string cannot fail");
}

fn indent(row: &TimelineRow) -> f64 {
    INDENT * (row.depth as f64)
}

/// The name, truncated to the available width.
fn name(row: &TimelineRow) -> String {
    text::wrapped(&row.name, FONT, MAX_NAME_WIDTH - indent(row).min(140.0), 1).concat()
}

/// A background for every other row, to make the names easier to follow.
fn bands(out: &mut String, timeline: &Timeline, layout: &Layout) {
    for number in (0..timeline.rows.len()).step_by(2) {
        line(
            out,
            format_args!(
                r#"<rect class="band" x="{}" y="{}" width="{}" height="{}"/>"#,
                N(MARGIN),
                N(layout.top + layout.row_height * (number as f64)),
                N(layout.width - 2.0 * MARGIN),
                N(layout.row_height)
            ),
        );
    }
}

/// Round steps of the axis, in milliseconds.
const STEPS: [i64; 30] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    15_000,
    30_000,
    60_000,
    120_000,
    300_000,
    600_000,
    900_000,
    1_800_000,
    3_600_000,
    7_200_000,
    10_800_000,
    21_600_000,
    43_200_000,
    86_400_000,
    172_800_000,
    604_800_000,
    2_592_000_000,
];

/// The maximum number of ticks on an axis.
const MAX_TICKS: i64 = 10;

pub(super) fn step(length: i64, max_ticks: i64) -> i64 {
    STEPS
        .into_iter()
        .find(|step| length / step < max_ticks)
        .unwrap_or_else(|| (length / max_ticks).max(1))
}

/// `+0`, `+500ms`, `+2.5s`, `+1m30s`, `+2h`, `+3d`.
pub(super) fn offset(millis: i64) -> String {
    let parts = [
        (86_400_000, "d"),
        (3_600_000, "h"),
        (60_000, "m"),
        (1_000, "s"),
        (1, "ms"),
    ];
    let mut text = String::from("+");
    let mut rest = millis;
    for (size, unit) in parts {
        if rest >= size {
            text.push_str(&format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    if text.len() == 1 {
        text.push('0');
    }
    text
}

fn axis(out: &mut String, timeline: &Timeline, layout: &Layout) {
    let length = timeline.end - timeline.begin;
    let step = step(length, MAX_TICKS);
    let bottom = layout.top + layout.row_height * (timeline.rows.len() as f64);
    for number in 0..=length / step {
        let x = layout.x(timeline.begin + number * step);
        line(
            out,
            format_args!(
                r#"<line class="grid" x1="{0}" y1="{1}" x2="{0}" y2="{2}"/><text class="small tick" x="{0}" y="{3}">{4}</text>"#,
                N(x),
                N(layout.top - 4.0),
                N(bottom),
                N(layout.top - 9.0),
                offset(number * step)
            ),
        );
    }
}

fn draw_row(out: &mut String, row: &TimelineRow, top: f64, layout: &Layout) {
    let middle = top + layout.row_height / 2.0;
    line(
        out,
        format_args!("<g><title>{}</title>", markup::text(&row.tooltip)),
    );
    if row.depth > 0 {
        // A hook from the row of the action that runs the sub-workflow.
        let x = MARGIN + indent(row) - 9.0;
        line(
            out,
            format_args!(
                r#"<path class="nested" d="M{0} {1}V{2}H{3}"/>"#,
                N(x),
                N(top),
                N(middle),
                N(x + 6.0)
            ),
        );
    }
    line(
        out,
        format_args!(
            r#"<text x="{}" y="{}">{}</text>"#,
            N(MARGIN + indent(row)),
            N(middle + 4.0),
            markup::text(&name(row))
        ),
    );
    for segment in &row.segments {
        match row.kind {
            SegmentKind::Action => bar(out, row, segment, middle, layout),
            SegmentKind::Moment => diamond(out, segment, middle, layout),
        }
    }
    if !row.label.is_empty() {
        let end = row
            .segments
            .last()
            .map_or(layout.left, |last| layout.x(last.to));
        line(
            out,
            format_args!(
                r#"<text class="small" x="{}" y="{}">{}</text>"#,
                N(end + 7.0),
                N(middle + 4.0),
                markup::text(&row.label)
            ),
        );
    }
    line(out, format_args!("</g>"));
}

fn bar(out: &mut String, row: &TimelineRow, segment: &Segment, middle: f64, layout: &Layout) {
    let left = layout.x(segment.from);
    let width = (layout.x(segment.to) - left).max(LEAST_BAR);
    let full = layout.row_height - 6.0;
    // Waiting is drawn as a thin line between attempts.
    let height = match segment.look {
        Look::Waiting | Look::Stuck | Look::Untouched => 4.0,
        Look::Running | Look::Good | Look::Bad | Look::Killed => full,
    };
    line(
        out,
        format_args!(
            r#"<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="2"/>"#,
            segment.look.class(),
            N(left),
            N(middle - height / 2.0),
            N(width),
            N(height)
        ),
    );
    let n_attempts = row.segments.iter().filter(|one| one.attempt > 0).count();
    if segment.attempt > 0 && n_attempts > 1 && width > 14.0 {
        line(
            out,
            format_args!(
                r#"<text class="in" x="{}" y="{}">{}</text>"#,
                N(left + width / 2.0),
                N(middle + 3.5),
                segment.attempt
            ),
        );
    }
}

fn diamond(out: &mut String, segment: &Segment, middle: f64, layout: &Layout) {
    let x = layout.x(segment.to);
    let r = 5.0;
    line(
        out,
        format_args!(
            r#"<path class="{}" d="M{} {}L{} {}L{} {}L{} {}Z"/>"#,
            segment.look.class(),
            N(x),
            N(middle - r),
            N(x + r),
            N(middle),
            N(x),
            N(middle + r),
            N(x - r),
            N(middle)
        ),
    );
}

/// A line where another owner came, behind a band since the former was last heard of.
fn owners(out: &mut String, timeline: &Timeline, layout: &Layout) {
    let bottom = layout.top + layout.row_height * (timeline.rows.len() as f64);
    for change in &timeline.owners {
        let (from, to) = (layout.x(change.from), layout.x(change.to));
        line(
            out,
            format_args!(
                r#"<g><title>{}</title><rect class="gap" x="{}" y="{}" width="{}" height="{}"/><line class="owner" x1="{5}" y1="{6}" x2="{5}" y2="{7}"/></g>"#,
                markup::text(&change.text),
                N(from),
                N(layout.top),
                N((to - from).max(0.0)),
                N(bottom - layout.top),
                N(to),
                N(layout.top - 4.0),
                N(bottom)
            ),
        );
    }
}

/// The legend of the colors that occur in the picture.
fn legend(out: &mut String, timeline: &Timeline, layout: &Layout) {
    let y = layout.height - MARGIN;
    let mut x = layout.left;
    for look in Look::ALL {
        let is_there = |row: &TimelineRow| row.segments.iter().any(|segment| segment.look == look);
        if !timeline.rows.iter().any(is_there) {
            continue;
        }
        let meaning = meaning(look);
        line(
            out,
            format_args!(
                r#"<rect class="{}" x="{}" y="{}" width="12" height="10" rx="2"/><text class="small" x="{}" y="{}">{meaning}</text>"#,
                look.class(),
                N(x),
                N(y - 9.0),
                N(x + 17.0),
                N(y)
            ),
        );
        x += 17.0 + text::width(meaning, SMALL) + 18.0;
    }
    if !timeline.owners.is_empty() {
        line(
            out,
            format_args!(
                r#"<line class="owner" x1="{0}" y1="{1}" x2="{0}" y2="{2}"/><text class="small" x="{3}" y="{2}">another owner</text>"#,
                N(x + 6.0),
                N(y - 11.0),
                N(y),
                N(x + 17.0)
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_counts_in_steps_that_people_count_in() {
        let steps =
            [9, 90, 1_500, 61_000, 3_600_000, 90_000_000].map(|length| step(length, MAX_TICKS));
        assert_eq!(steps, [1, 10, 200, 10_000, 600_000, 10_800_000]);
        let texts = [0, 500, 2_500, 90_000, 7_200_000, 259_200_000].map(offset);
        assert_eq!(texts, ["+0", "+500ms", "+2s500ms", "+1m30s", "+2h", "+3d"]);
    }
}
