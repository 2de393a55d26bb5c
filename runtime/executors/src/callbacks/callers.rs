//! Callers whose requests come in: each has a time for all of its request, and whoever takes longest goes first.

use std::{
    collections::VecDeque,
    io::{self, Read},
    net::{Shutdown, TcpStream},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How long one request may take to come in.
const PATIENCE: Duration = Duration::from_secs(5);

/// Requests that come in at once. One more, and the caller who has been at it longest is sent away: a thousand who say nothing
/// keep nobody out.
const MAX_READING: usize = 64;

/// Those whose request has not come in whole.
#[derive(Debug, Default)]
pub(super) struct Callers(Mutex<Reading>);

#[derive(Debug, Default)]
struct Reading {
    next: u64,
    /// The oldest first.
    streams: VecDeque<(u64, TcpStream)>,
}

/// A caller's stream, from which is read until its time is over.
pub(super) struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Callers {
    fn lock(&self) -> MutexGuard<'_, Reading> {
        // What is in it is whole at any moment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a caller in; the number is for [`Callers::leave`].
    ///
    /// # Errors
    ///
    /// There is no room for another open file.
    pub(super) fn enter(&self, stream: &TcpStream) -> io::Result<u64> {
        let mut reading = self.lock();
        if reading.streams.len() >= MAX_READING
            && let Some((_, slow)) = reading.streams.pop_front()
        {
            // Whoever reads from it finds its end.
            let _ = slow.shutdown(Shutdown::Both);
        }
        let stream = stream.try_clone()?;
        let number = reading.next;
        reading.next += 1;
        reading.streams.push_back((number, stream));
        Ok(number)
    }

    /// The request has come in, or will not.
    pub(super) fn leave(&self, number: u64) {
        self.lock().streams.retain(|(known, _)| *known != number);
    }
}

impl Timed<'_> {
    pub(super) fn new(stream: &TcpStream) -> Timed<'_> {
        Timed {
            stream,
            until: Instant::now() + PATIENCE,
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, net::TcpListener, thread};

    use super::*;

    fn pair(listener: &TcpListener) -> (TcpStream, TcpStream) {
        let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (ours, listener.accept().unwrap().0)
    }

    #[test]
    fn the_time_is_that_of_the_whole_request() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (mut ours, theirs) = pair(&listener);
        let mut timed = Timed {
            stream: &theirs,
            until: Instant::now() + Duration::from_millis(100),
        };
        let writer = thread::spawn(move || {
            // A byte now and then would begin each time anew.
            while ours.write_all(b"G").is_ok() {
                thread::sleep(Duration::from_millis(10));
            }
        });
        let mut text = Vec::new();
        let error = timed.read_to_end(&mut text).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock
            ),
            "{error}"
        );
        drop(theirs);
        writer.join().unwrap();
    }

    #[test]
    fn the_slowest_goes_for_one_more_than_there_is_room_for() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let callers = Callers::default();
        let mut kept = Vec::new();
        let mut numbers = Vec::new();
        for _ in 0..MAX_READING {
            let (ours, theirs) = pair(&listener);
            numbers.push(callers.enter(&theirs).unwrap());
            kept.push((ours, theirs));
        }
        callers.leave(numbers[1]);
        let (last, theirs) = pair(&listener);
        callers.enter(&theirs).unwrap();
        assert_eq!(callers.lock().streams.len(), MAX_READING, "there was room");
        let (more, theirs_too) = pair(&listener);
        callers.enter(&theirs_too).unwrap();
        let mut byte = [0];
        assert_eq!((&kept[0].1).read(&mut byte).unwrap(), 0, "sent away");
        for stream in [&kept[2].0, &last, &more] {
            assert!(stream.peer_addr().is_ok());
        }
        (&kept[2].0).write_all(b"x").unwrap();
        assert_eq!((&kept[2].1).read(&mut byte).unwrap(), 1);
    }
}
