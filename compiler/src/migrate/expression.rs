//! Converts calls of functions of 2009 to Oozie's functions.

use hpdlc_core::el::{
    ast::{Expr, ExprKind, Part},
    functions::proposal,
    parser,
};

/// A part of a text whose meaning changes, as a byte range in the text.
pub(super) struct TextLoss {
    pub(super) range: std::ops::Range<usize>,
    pub(super) what: &'static str,
    pub(super) instead: String,
}

/// The text with Oozie's functions; `None` if nothing changes, as in a text that does not parse.
pub(super) fn rewritten(text: &str, losses: &mut Vec<TextLoss>) -> Option<String> {
    if !text.contains("${") {
        return None;
    }
    let template = parser::parse_template(text).ok()?;
    let mut rewriter = Rewriter { text, losses };
    let mut changed = String::with_capacity(text.len());
    let mut done = 0;
    for part in &template.parts {
        if let Part::Expr(expr) = part {
            changed.push_str(&text[done..expr.range.start]);
            changed.push_str(&rewriter.expr(expr));
            done = expr.range.end;
        }
    }
    changed.push_str(&text[done..]);
    (changed != text).then_some(changed)
}

struct Rewriter<'t, 'l> {
    text: &'t str,
    losses: &'l mut Vec<TextLoss>,
}

impl Rewriter<'_, '_> {
    fn expr(&mut self, expr: &Expr) -> String {
        if let ExprKind::Call {
            prefix,
            name,
            name_range,
            args,
        } = &expr.kind
        {
            let full_name = match prefix {
                Some(prefix) => format!("{prefix}:{name}"),
                None => name.clone(),
            };
            let place = name_range.start..name_range.end;
            if let Some(call) = self.call(&full_name, args, place.clone()) {
                return call;
            }
            return self.copy(expr, later_name(&full_name).map(|name| (place, name)));
        }
        self.copy(expr, None)
    }

    /// The source of the expression, with its parts rewritten and its name replaced.
    fn copy(
        &mut self,
        expr: &Expr,
        name: Option<(std::ops::Range<usize>, &'static str)>,
    ) -> String {
        let mut children: Vec<(std::ops::Range<usize>, String)> = expr
            .children()
            .into_iter()
            .map(|child| (child.range.start..child.range.end, self.expr(child)))
            .collect();
        children.extend(name.map(|(range, name)| (range, name.to_owned())));
        children.sort_by_key(|(range, _)| range.start);
        let mut copied = String::new();
        let mut done = expr.range.start;
        for (range, text) in children {
            copied.push_str(&self.text[done..range.start]);
            copied.push_str(&text);
            done = range.end;
        }
        copied.push_str(&self.text[done..expr.range.end]);
        copied
    }

    /// A call that changes more than its name; `None` for the others.
    fn call(&mut self, name: &str, args: &[Expr], place: std::ops::Range<usize>) -> Option<String> {
        let mut lose = |what, instead: &str| {
            self.losses.push(TextLoss {
                range: place.clone(),
                what,
                instead: instead.to_owned(),
            });
        };
        match (name, args) {
            ("timestamp", []) => {
                lose("the seconds of `timestamp()`", "gives minutes now");
                None
            }
            ("wf:recovery", []) => {
                lose(
                    "`wf:recovery()`",
                    "`wf:run()` now, which counts every re-run of the job",
                );
                None
            }
            ("hadoop:jobId" | "hadoop:jobTracker" | "hadoop:jobStatus", _) => {
                lose(
                    "what is known of a Hadoop job while it runs",
                    "has its value only after the end of the action now",
                );
                None
            }
            ("hdfs:size", _) => {
                lose(
                    "`hdfs:size()`",
                    "`fs:fileSize()` now, which does not add up what is in a folder",
                );
                None
            }
            ("concat", [first, second, third]) => Some(format!(
                "concat({}, concat({}, {}))",
                self.expr(first),
                self.expr(second),
                self.expr(third)
            )),
            (
                "hdfs:exists" | "hdfs:isDir" | "hdfs:dirSize" | "hdfs:fileSize" | "hdfs:blockSize",
                [file_system, path],
            ) => {
                let later = later_name(name)?;
                let uri = match (file_system.as_text(), path.as_text()) {
                    (Some(file_system), Some(path)) => {
                        let quote = quote_for(file_system, path)?;
                        let file_system = file_system.trim_end_matches('/');
                        format!("{quote}{file_system}{path}{quote}")
                    }
                    _ => format!("concat({}, {})", self.expr(file_system), self.expr(path)),
                };
                Some(format!("{later}({uri})"))
            }
            ("action:output", [node, key]) => Some(format!(
                "wf:actionData({})[{}]",
                self.expr(node),
                self.expr(key)
            )),
            ("wf:exitState" | "wf:nodeStatus", [node]) => {
                let node = self.expr(node);
                Some(format!(
                    "(wf:transition({node}) == null ? null : wf:errorCode({node}) == null ? 'OK' : 'ERROR')"
                ))
            }
            _ => None,
        }
    }
}

fn later_name(name: &str) -> Option<&'static str> {
    proposal::later_name(name)
}

/// A quote that is in neither text; `None` if one of them has a backslash.
fn quote_for(first: &str, second: &str) -> Option<char> {
    let is_free = |quote: char| !first.contains([quote, '\\']) && !second.contains([quote, '\\']);
    ['\'', '"'].into_iter().find(|quote| is_free(*quote))
}
