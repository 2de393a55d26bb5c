//! All output of hpdlc: results to stdout, messages to stderr. A closed pipe ends the output, and changes nothing else.

use std::{
    env,
    io::{self, IsTerminal, Write},
    path::Path,
    time::Instant,
};

use hpdlc_core::visible;

use crate::{
    cli::{ColorChoice, EXIT_FINE, EXIT_USAGE, Format},
    diagnostics::{Diagnostic, Level, render},
    driver::{Failure, mistakes, progress::ProgressLines, shown},
    rules::RULES,
    source::SourceMap,
};

/// What was done, for the summary lines at the end.
#[derive(Debug, Clone, Copy)]
pub(super) enum FinishedTask<'a> {
    /// One application: its path, and what errors prevent, such as `nothing was built`.
    One {
        path: &'a str,
        prevented: Option<&'a str>,
    },
    /// Several documents were checked.
    Tree {
        n_documents: usize,
        started: Instant,
    },
}

pub(super) struct CommandOutput {
    has_color: bool,
    /// Whether answers may be colored, by the option and the environment.
    answer_colors: bool,
    style: render::terminal::Style,
}

/// The width of text if that of the terminal is unknown.
const DEFAULT_WIDTH: usize = 80;

impl CommandOutput {
    pub(super) fn new(choice: ColorChoice) -> CommandOutput {
        let is_wanted = |is_terminal: bool| match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                is_terminal
                    && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                    && env::var_os("TERM").is_none_or(|value| value != "dumb")
            }
        };
        let has_color = is_wanted(io::stderr().is_terminal());
        let style = render::terminal::Style {
            color: has_color,
            ..render::terminal::Style::default()
        };
        CommandOutput {
            has_color,
            answer_colors: is_wanted(io::stdout().is_terminal()),
            style,
        }
    }

    /// Whether answers go to a terminal.
    pub(super) fn is_on_terminal(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Whether answers are colored.
    pub(super) fn has_answer_colors(&self) -> bool {
        self.answer_colors
    }

    /// Columns of the terminal that answers go to; 80 if that is unknown.
    pub(super) fn width(&self) -> usize {
        match terminal_size::terminal_size_of(io::stdout()) {
            Some((width, _)) => usize::from(width.0),
            None => DEFAULT_WIDTH,
        }
    }

    /// For lines about the progress of hpdlc itself.
    pub(super) fn progress(&self) -> ProgressLines {
        ProgressLines::to_stderr(self.has_color)
    }

    /// Prints an answer. The exit code is that of success, unless writing to stdout fails.
    pub(super) fn answer(&mut self, text: &str) -> u8 {
        let mut stdout = io::stdout().lock();
        match stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
        {
            Ok(()) => EXIT_FINE,
            Err(error) => self.stdout_failed(&error),
        }
    }

    /// The exit code after a failure to write to stdout.
    pub(super) fn stdout_failed(&mut self, error: &io::Error) -> u8 {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return EXIT_FINE;
        }
        self.failure(&Failure::new("cannot write to stdout").note(error.to_string()))
    }

    /// Prints a message of hpdlc itself to stderr.
    pub(super) fn message(&mut self, text: &str) {
        // Stderr may be closed; the exit code reports the result too.
        drop(io::stderr().write_all(shown::text(text).as_bytes()));
    }

    /// Prints a failure of the environment, and returns its exit code.
    pub(super) fn failure(&mut self, failure: &Failure) -> u8 {
        let text = failure.to_string();
        let text = match text.strip_prefix("error:") {
            Some(rest) if self.has_color => {
                format!("\x1b[1m\x1b[91merror\x1b[0m\x1b[1m:\x1b[0m{rest}\n")
            }
            _ => format!("{text}\n"),
        };
        self.message(&text);
        EXIT_USAGE
    }

    /// Prints wrong usage that clap does not detect.
    pub(super) fn wrong_usage(&mut self, message: &str, help: &str) -> u8 {
        self.failure(&Failure::new(message).help(help))
    }

    /// Prints diagnostics, sorted, and returns their exit code.
    pub(super) fn diagnostics(
        &mut self,
        diagnostics: &[Diagnostic],
        sources: &SourceMap,
        format: Format,
        task: FinishedTask<'_>,
    ) -> u8 {
        let code = mistakes::exit_code(diagnostics);
        let diagnostics = &*shown::diagnostics(diagnostics);
        match format {
            Format::Json | Format::Sarif => {
                let mut bytes = Vec::new();
                let written = match format {
                    Format::Sarif => {
                        render::sarif::write(RULES, diagnostics, sources, code, &mut bytes)
                    }
                    Format::Json | Format::Human | Format::Short => {
                        render::json::write_lines(diagnostics, sources, &mut bytes)
                    }
                };
                if let Err(error) = written {
                    return self.stdout_failed(&error).max(code);
                }
                // Terminal control characters are escaped, as JSON allows.
                let text = String::from_utf8_lossy(&bytes);
                return self.answer(&visible::json(&text)).max(code);
            }
            Format::Human | Format::Short => {
                let mut text = match format {
                    Format::Human => self.reports(diagnostics, sources),
                    Format::Short | Format::Json | Format::Sarif => diagnostics
                        .iter()
                        .map(|diagnostic| render::short::render(diagnostic, sources) + "\n")
                        .collect(),
                };
                if let FinishedTask::One { path, prevented } = task
                    && let Some(summary) = render::summary::summary(path, prevented, diagnostics)
                {
                    text.push_str(&summary);
                    text.push('\n');
                }
                if let (Format::Human, Some(explanations)) =
                    (format, render::summary::explanations(diagnostics))
                {
                    text.push_str(&explanations);
                    text.push('\n');
                }
                self.message(&text);
                if let FinishedTask::Tree {
                    n_documents,
                    started,
                } = task
                {
                    let mut line = render::summary::tree(n_documents, diagnostics);
                    // Not in a log, which would differ in every run.
                    if self.progress().is_terminal() {
                        line.push_str(&format!(" in {:.2}s", started.elapsed().as_secs_f64()));
                    }
                    self.progress().say("Checked", &line);
                }
            }
        }
        code
    }

    /// The reports of diagnostics for people, each followed by an empty line.
    fn reports(&self, diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
        render::folded::folded(diagnostics, sources)
            .iter()
            .map(|diagnostic| {
                let report = render::terminal::render(diagnostic, sources, self.style);
                let end = if report.ends_with('\n') { "\n" } else { "\n\n" };
                report + end
            })
            .collect()
    }

    /// Prints diagnostics for people, for commands that do more than print them. `prevented` is what errors keep the command
    /// from.
    pub(super) fn human(
        &mut self,
        diagnostics: &[Diagnostic],
        sources: &SourceMap,
        path: &Path,
        prevented: Option<&str>,
    ) -> u8 {
        let path = &path.display().to_string();
        let task = FinishedTask::One { path, prevented };
        self.diagnostics(diagnostics, sources, Format::Human, task)
    }
}

/// Whether something in `diagnostics` is an error.
pub(super) fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.level == Level::Error)
}
