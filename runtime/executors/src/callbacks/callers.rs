//! Callers whose requests are being read: each has a deadline for the whole request, and above a limit the oldest is dropped.

use std::{
    collections::VecDeque,
    io::{self, Read},
    net::{Shutdown, TcpStream},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Deadline for reading one request.
const PATIENCE: Duration = Duration::from_secs(5);

/// Requests read at a time. Above this, the caller that has been connected longest is dropped, so that any number of idle
/// connections cannot block others.
const MAX_READING: usize = 64;

/// Callers whose request is not complete yet.
#[derive(Debug, Default)]
pub(super) struct Callers(Mutex<OpenStreams>);

#[derive(Debug, Default)]
struct OpenStreams {
    next: u64,
    /// The oldest first.
    streams: VecDeque<(u64, TcpStream)>,
}

/// A caller's stream, read until its deadline.
pub(super) struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Callers {
    fn lock(&self) -> MutexGuard<'_, OpenStreams> {
        // The data is consistent at any moment, so a poisoned lock is harmless.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a caller; the returned number is for [`Callers::leave`].
    ///
    /// # Errors
    ///
    /// No file descriptor is left.
    pub(super) fn enter(&self, stream: &TcpStream) -> io::Result<u64> {
        let mut reading = self.lock();
        if reading.streams.len() >= MAX_READING
            && let Some((_, slow)) = reading.streams.pop_front()
        {
            // The thread that reads from it sees the end of the stream.
            let _ = slow.shutdown(Shutdown::Both);
        }
        let stream = stream.try_clone()?;
        let number = reading.next;
        reading.next += 1;
        reading.streams.push_back((number, stream));
        Ok(number)
    }

    /// The request is complete, or reading it has failed.
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
            // Bytes that trickle in must not extend the deadline.
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
