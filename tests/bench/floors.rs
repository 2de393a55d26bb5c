//! The programs that floors are measured with: the least that the same work can cost.

use std::{
    fs::File,
    io::Write,
    process::{Command, ExitCode, Stdio},
};

use quick_xml::{Reader, events::Event};

/// Runs the floor that the arguments name, if they name one.
pub fn serve(arguments: &[String]) -> Option<ExitCode> {
    let done = match arguments {
        [name, file] if name == "floor-scan" => scan(file),
        [name, count, file] if name == "floor-spawn" => spawn(count, file),
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

/// Reads every event and attribute of an XML file, and checks nothing.
fn scan(path: &str) -> Result<(), Box<dyn std::error::Error>> {
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

/// Starts `/bin/true`, waits, and puts a record on disk, `count` times.
fn spawn(count: &str, path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut file = File::create(path)?;
    for _ in 0..count.parse::<usize>()? {
        Command::new("/bin/true").stdin(Stdio::null()).status()?;
        file.write_all(&[b'.'; 400])?;
        file.sync_data()?;
    }
    Ok(())
}
