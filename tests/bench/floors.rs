//! The programs that measure floors: the minimum cost of the same work.

use std::{
    collections::VecDeque,
    error::Error,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    time::Duration,
};

use hpdlc_store::sql::postgres;

use quick_xml::{Reader, events::Event};

/// Runs the floor that the arguments name, if any.
pub fn serve(arguments: &[String]) -> Option<ExitCode> {
    let done = match arguments {
        [name, file] if name == "floor-scan" => scan(file),
        [name, count, file] if name == "floor-spawn" => spawn(count, file),
        [name, count, url] if name == "floor-spawn-postgres" => spawn_with_commits(count, url),
        [name, count, at_once, folder] if name == "floor-files" => {
            spawn_with_files(count, at_once, Path::new(folder))
        }
        _ => return None,
    };
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    })
}

/// Reads every event and attribute of an XML file, without checks.
fn scan(path: &str) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let mut reader = Reader::from_str(&text);
    let mut n_bytes = 0;
    loop {
        match reader.read_event()? {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    n_bytes += attribute?.value.len();
                }
            }
            event => n_bytes += event.len(),
        }
    }
    std::hint::black_box(n_bytes);
    Ok(())
}

/// Starts `/bin/true`, waits, and syncs a record to disk, `count` times.
fn spawn(count: &str, path: &str) -> Result<(), Box<dyn Error>> {
    let mut file = File::create(path)?;
    for _ in 0..count.parse::<usize>()? {
        Command::new("/bin/true").stdin(Stdio::null()).status()?;
        file.write_all(&[b'.'; 400])?;
        file.sync_data()?;
    }
    Ok(())
}

/// Starts `/bin/true`, waits, and commits a record to a database, `count` times.
fn spawn_with_commits(count: &str, url: &str) -> Result<(), Box<dyn Error>> {
    let target = postgres::Target::parse(url)?;
    let connection = postgres::Connection::open(target, Duration::from_secs(10))?;
    connection.execute_batch("CREATE TABLE IF NOT EXISTS public.records (text TEXT)")?;
    let record = ".".repeat(400);
    for _ in 0..count.parse::<usize>()? {
        Command::new("/bin/true").stdin(Stdio::null()).status()?;
        connection.execute_batch(&format!("INSERT INTO public.records VALUES ('{record}')"))?;
    }
    Ok(())
}

/// Starts `/bin/true` `count` times, `at_once` at a time, each with folders and files of its own like an attempt of an action,
/// and with nothing that would have to be recorded.
fn spawn_with_files(count: &str, at_once: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
    let at_once: usize = at_once.parse()?;
    let mut running = VecDeque::new();
    fs::create_dir(folder)?;
    for number in 0..count.parse::<usize>()? {
        let node = folder.join(number.to_string());
        let work = node.join("1");
        fs::create_dir(&node)?;
        fs::create_dir(&work)?;
        let mut claim = File::create(node.join("1.claim"))?;
        claim.lock()?;
        claim.write_all(&[b'.'; 69])?;
        fs::write(work.join("action.xml"), [b'.'; 72])?;
        let [out, err] =
            ["1.out", "1.err"].map(|name| File::create(node.join(name)).map(Stdio::from));
        if running.len() == at_once {
            end(running.pop_front())?;
        }
        let child = Command::new("/bin/true")
            .current_dir(&work)
            .stdin(Stdio::null())
            .stdout(out?)
            .stderr(err?)
            .spawn()?;
        running.push_back((child, node, claim));
    }
    while !running.is_empty() {
        end(running.pop_front())?;
    }
    Ok(())
}

fn end(attempt: Option<(Child, PathBuf, File)>) -> Result<(), Box<dyn Error>> {
    if let Some((mut child, node, mut claim)) = attempt {
        child.wait()?;
        claim.write_all(&[b'.'; 76])?;
        fs::hard_link(node.join("1.claim"), node.join("1.exit"))?;
    }
    Ok(())
}
