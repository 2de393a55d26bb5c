//! The pages of the repository: every block of commands is run, every link has a target, and the README is short.
//!
//! `tests/README.md` says how a page marks a block that is a file, or that cannot be run.

mod markdown;
mod matching;
mod sandbox;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use hpdlc_tests::{
    command,
    folder::{repository, tracked_files},
    hpdlc, run,
};

use self::{
    markdown::{Block, BlockMark},
    sandbox::Sandbox,
};

/// A page: its path in the repository, and its text.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    fn blocks(&self) -> Vec<Block> {
        markdown::blocks(&self.text).unwrap_or_else(|error| panic!("{}: {error}", self.shown()))
    }

    fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

/// Every handwritten page that is read as a page. Explanations of rules are tested by `meta`, READMEs of generated crates
/// by `golden`.
fn pages() -> Vec<Page> {
    tracked_files()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .filter(|path| !path.starts_with("compiler/src") && !path.starts_with("tests/golden"))
        .map(|path| {
            let text = fs::read_to_string(repository().join(&path)).expect("pages are UTF-8");
            Page { path, text }
        })
        .collect()
}

/// Runs the commands of a page in order; returns the first failure.
fn run_page(page: &Page) -> Result<(), String> {
    let mut sandbox = Sandbox::new();
    for block in page.blocks() {
        let at = || format!("{}:{}", page.shown(), block.line);
        match (&block.mark, block.language.as_str()) {
            (Some(BlockMark::NotRun(_)), _) => {}
            (Some(BlockMark::File(path)), _) => sandbox.write(path, &block.text),
            (None, "sh") => sandbox
                .script(&block.text)
                .map_err(|error| format!("{}: {error}", at()))?,
            (None, "console") => {
                for typed in markdown::typed(&block.text) {
                    let printed = sandbox.print(&typed.command);
                    if !matching::matches(&sandbox.plain(&typed.output), &printed) {
                        return Err(format!("{}: `{}` prints\n{printed}", at(), typed.command));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn every_block_of_commands_does_what_its_page_says() {
    const THREADS: usize = 2;
    let queue = Mutex::new(pages());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let page = queue.lock().expect("no thread panics with it").pop();
                    let Some(page) = page else { return };
                    if let Err(failure) = run_page(&page) {
                        failures.lock().expect("the same").push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("all threads have ended");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_block_says_what_it_is() {
    const LANGUAGES: [&str; 8] = [
        "sh",
        "console",
        "text",
        "xml",
        "rust",
        "toml",
        "properties",
        "json",
    ];
    let mut wrong = Vec::new();
    for page in pages() {
        for block in page.blocks() {
            if !LANGUAGES.contains(&block.language.as_str()) {
                wrong.push(format!(
                    "{}:{}: a block of `{}`; commands are `sh` or `console`",
                    page.shown(),
                    block.line,
                    block.language
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Names of workspace packages and test targets, as arguments of cargo.
fn names_for_cargo() -> BTreeSet<String> {
    tracked_files()
        .into_iter()
        .filter(|path| path.ends_with("Cargo.toml"))
        .flat_map(|path| {
            let text = fs::read_to_string(repository().join(path)).expect("manifests are UTF-8");
            let names = text.lines().filter_map(|line| line.strip_prefix("name = "));
            names
                .map(|name| name.trim_matches('"').to_owned())
                .collect::<Vec<String>>()
        })
        .collect()
}

/// For commands that are not run, too.
#[test]
fn packages_tests_and_files_in_commands_exist() {
    let known = names_for_cargo();
    let mut unknown = Vec::new();
    for page in pages() {
        for block in page.blocks() {
            if !block.holds_commands() {
                continue;
            }
            let mut missing: Vec<&str> = Vec::new();
            for line in block.text.lines() {
                let line = line.split(" #").next().unwrap_or_default();
                let words: Vec<&str> = line.split_whitespace().collect();
                let named = words.windows(2).filter(|pair| {
                    words.contains(&"cargo")
                        && ["-p", "--package", "--test"].contains(&pair[0])
                        && !known.contains(pair[1])
                });
                missing.extend(named.map(|pair| pair[1]));
                missing.extend(words.iter().filter(|word| {
                    ["tests/", "examples/", ".ci/"]
                        .iter()
                        .any(|start| word.starts_with(start))
                        && !repository().join(word).exists()
                }));
            }
            unknown.extend(
                missing
                    .iter()
                    .map(|name| format!("{}:{}: {name}", page.shown(), block.line)),
            );
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let folder = page.path.parent().unwrap_or(Path::new(""));
        for (line, target) in markdown::links(&page.text) {
            if target.starts_with("https://") || target.starts_with("http://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let text = if path.is_empty() {
                Some(page.text.clone())
            } else {
                let path = repository().join(folder).join(path);
                match fs::read_to_string(&path) {
                    Ok(text) => Some(text),
                    // A folder, or a picture.
                    Err(_) => path.exists().then(String::new),
                }
            };
            let is_there = text.is_some_and(|text| {
                anchor.is_empty() || markdown::anchors(&text).iter().any(|one| one == anchor)
            });
            if !is_there {
                dead.push(format!("{}:{line}: {target}", page.shown()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// The texts in backticks in a column of the table whose header starts with `head`.
fn column<'a>(page: &'a Page, head: &str, number: usize) -> Vec<&'a str> {
    let lines = page.text.lines().skip_while(|line| !line.starts_with(head));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('|').nth(number))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn rooms_are_where_the_pages_say() {
    let pages = pages();
    for (path, head, number, folder) in [
        ("compiler/README.md", "| room | does |", 1, "compiler/src"),
        ("runtime/README.md", "| room | holds |", 3, "runtime"),
    ] {
        let page = pages.iter().find(|page| page.shown() == path);
        let names = column(page.expect("there is this page"), head, number);
        assert!(!names.is_empty(), "{path} has no table of rooms");
        let folder = repository().join(folder);
        let missing: Vec<&str> = names
            .into_iter()
            .filter(|name| {
                !folder.join(name).exists() && !folder.join(format!("{name}.rs")).exists()
            })
            .collect();
        assert!(missing.is_empty(), "{path}: {}", missing.join(", "));
    }
}

/// Files in backticks, relative to the root of the repository or to the page; capitals are placeholders.
#[test]
fn files_that_pages_name_exist() {
    let mut missing = Vec::new();
    for page in pages() {
        let folder = repository().join(page.path.parent().unwrap_or(Path::new("")));
        for (line, code) in markdown::codes(&page.text) {
            let is_path = code.contains('/')
                && (code.ends_with(".rs") || code.ends_with(".md"))
                && !code.contains(|char: char| char.is_ascii_uppercase() || "*<$ ".contains(char));
            let is_there = [repository(), folder.clone(), folder.join("src")]
                .iter()
                .any(|start| start.join(code).is_file());
            if is_path && !is_there {
                missing.push(format!("{}:{line}: {code}", page.shown()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn readme_is_short_and_begins_with_its_two_commands() {
    const MOST_LINES: usize = 200;
    let pages = pages();
    let readme = pages
        .iter()
        .find(|page| page.shown() == "README.md")
        .expect("there is a README");
    let n_lines = readme.text.lines().count();
    assert!(n_lines <= MOST_LINES, "README.md has {n_lines} lines");
    let blocks = readme.blocks();
    let mut commands = blocks.iter().filter(|block| block.holds_commands());
    for command in [
        "cargo run --release -p hpdlc -- run examples/access-logs -c examples/access-logs/job.properties",
        "tests/run",
    ] {
        let block = commands.next().expect("it has more blocks than two");
        let first = block.text.lines().next().unwrap_or_default();
        assert_eq!(first.trim_start_matches("$ "), command);
    }
}

/// `UPDATE_EXPECT=1` draws it anew.
#[test]
fn picture_in_the_readme_is_what_graph_draws() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let drawn = home.path().join("drawn.svg");
    let finished = run(command::command(hpdlc(), home.path())
        .args(["graph", "examples/access-logs", "-o"])
        .arg(&drawn)
        .current_dir(repository()));
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let drawn = fs::read_to_string(drawn).expect("it was drawn");
    expect_test::expect_file![repository().join("examples/access-logs.svg")].assert_eq(&drawn);
}
