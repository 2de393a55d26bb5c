//! Pages of the console that are open while nothing changes.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::Duration,
};

use super::{SETTLED, fill, load};
use crate::measure::BudgetRow;

const N_PAGES: usize = 50;
const WATCHED: Duration = Duration::from_secs(10);
/// Of one processor, in percent.
const MOST: f64 = 2.0;

/// What the server takes of a processor for pages of which every second one is an overview, the others of jobs.
pub fn idle(address: &str, server: u32) -> BudgetRow {
    let pages: Vec<TcpStream> = (1..=N_PAGES).map(|number| open(address, number)).collect();
    thread::sleep(SETTLED);
    let before = load::processor_time(server);
    thread::sleep(WATCHED);
    let used = load::processor_time(server).saturating_sub(before);
    drop(pages);
    let percent = 100.0 * used.as_secs_f64() / WATCHED.as_secs_f64();
    BudgetRow::absolute(
        format!("server, {N_PAGES} open pages"),
        format!("{percent:.1} % of a core"),
        format!("{MOST} %"),
        Some(percent < MOST),
    )
}

/// Listens as an open page does.
fn open(address: &str, number: usize) -> TcpStream {
    let of = match number % 2 {
        0 => "page=overview".to_owned(),
        _ => format!("page=job&job={}", fill::id(number)),
    };
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(
        stream,
        "GET /oozie/console/live?{of} HTTP/1.1\r\nHost: {address}\r\n\r\n"
    )
    .expect("it reads the request");
    let mut begin = [0; 12];
    stream.read_exact(&mut begin).expect("it answers");
    assert_eq!(&begin, b"HTTP/1.1 200", "{of}");
    stream
}
