//! The application master's three calls: it registers, sends heartbeats, and says how it finished.
//!
//! | the resource manager | the application master |
//! |---|---|
//! | does not answer, stands by | goes on with the next address later; its command goes on |
//! | was restarted, and does not know it | registers again, and repeats the call |
//! | has lost the answer to `register` | goes on |
//! | knows the attempt no more, or refuses every token | is told that it is gone |

use std::{io, mem};

use crate::{
    credentials::Token,
    rpc::{Connection, RpcError},
    wire::{self, MessageWriter},
};

const PROTOCOL: &str = "org.apache.hadoop.yarn.api.ApplicationMasterProtocolPB";

/// How often in a row every token may be refused: a resource manager that has just started may not know it yet.
const MAX_REFUSALS: u32 = 3;

/// How the application ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalStatus {
    Succeeded,
    Failed,
    Killed,
}

/// The result of a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heartbeat {
    Heard,
    /// No resource manager answered, for this reason.
    Unheard(String),
}

/// Why the application master must stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MasterError {
    /// The attempt is over for the resource manager: its node was taken for lost, or it was killed.
    Gone(String),
    /// The cluster wants what is not implemented.
    Unsupported(String),
}

/// An application master, for one attempt.
#[derive(Debug)]
pub struct ApplicationMaster {
    /// Of the resource managers' schedulers, one of which is active.
    schedulers: Vec<String>,
    /// Which of them is asked next.
    at: usize,
    /// The newest token.
    token: Token,
    connection: Option<Connection>,
    is_registered: bool,
    response_id: i32,
    n_refusals: u32,
}

/// What one exchange came to.
enum Exchange {
    Answered(Vec<u8>),
    Unheard(String),
    /// The resource manager was restarted.
    NotRegistered,
    /// The number of the heartbeat was not the expected one.
    OutOfOrder(String),
}

impl ApplicationMaster {
    /// With the addresses of the schedulers, each a host and a port, and the token of the container.
    pub fn new(schedulers: Vec<String>, token: Token) -> ApplicationMaster {
        ApplicationMaster {
            schedulers,
            at: 0,
            token,
            connection: None,
            is_registered: false,
            response_id: 0,
            n_refusals: 0,
        }
    }

    /// Registers; to be repeated until it is heard.
    ///
    /// # Errors
    ///
    /// The attempt is over, or the cluster wants what is not implemented.
    pub fn register(&mut self) -> Result<Heartbeat, MasterError> {
        if self.is_registered {
            return Ok(Heartbeat::Heard);
        }
        let request = MessageWriter::default()
            .text(1, "")
            .int32(2, -1)
            .text(3, "");
        let registered = self.exchange("registerApplicationMaster", &request.into_bytes())?;
        match registered {
            Exchange::Unheard(problem) => return Ok(Heartbeat::Unheard(problem)),
            // The answer to an earlier one was lost, if this one is refused.
            Exchange::Answered(_) | Exchange::OutOfOrder(_) | Exchange::NotRegistered => {}
        }
        self.is_registered = true;
        self.response_id = 0;
        Ok(Heartbeat::Heard)
    }

    /// Sends a heartbeat: without one for the resource manager's expiry interval, the attempt is ended.
    ///
    /// # Errors
    ///
    /// As [`ApplicationMaster::register`].
    pub fn heartbeat(&mut self) -> Result<Heartbeat, MasterError> {
        if let unheard @ Heartbeat::Unheard(_) = self.register()? {
            return Ok(unheard);
        }
        let request = MessageWriter::default()
            .int32(4, self.response_id)
            .float(5, 0.5)
            .into_bytes();
        match self.exchange("allocate", &request)? {
            Exchange::Answered(answer) => match self.heard(&answer) {
                Ok(()) => Ok(Heartbeat::Heard),
                Err(error) => Ok(Heartbeat::Unheard(error.to_string())),
            },
            Exchange::Unheard(problem) => Ok(Heartbeat::Unheard(problem)),
            Exchange::NotRegistered => {
                self.is_registered = false;
                self.register()
            }
            Exchange::OutOfOrder(message) => {
                self.response_id = expected_response(&message).unwrap_or_default();
                Ok(Heartbeat::Unheard(message))
            }
        }
    }

    fn heard(&mut self, answer: &[u8]) -> io::Result<()> {
        if let Some(id) = wire::number(answer, 2)? {
            self.response_id = i32::try_from(id).unwrap_or_default();
        }
        // Open connections go on with the old one, which new ones are refused with some time later.
        if let Some(token) = wire::bytes(answer, 12)? {
            self.token = Token::of_message(token)?;
        }
        Ok(())
    }

    /// Says how the application ended; `true` once the resource manager has taken note, until when it is to be repeated.
    ///
    /// # Errors
    ///
    /// As [`ApplicationMaster::register`].
    pub fn finish(&mut self, status: FinalStatus, diagnostics: &str) -> Result<bool, MasterError> {
        if let Heartbeat::Unheard(_) = self.register()? {
            return Ok(false);
        }
        let status = match status {
            FinalStatus::Succeeded => 1,
            FinalStatus::Failed => 2,
            FinalStatus::Killed => 3,
        };
        let request = MessageWriter::default()
            .text(1, diagnostics)
            .text(2, "")
            .number(3, status)
            .into_bytes();
        match self.exchange("finishApplicationMaster", &request)? {
            Exchange::Answered(answer) => {
                Ok(wire::number(&answer, 1).is_ok_and(|it| it == Some(1)))
            }
            Exchange::NotRegistered => {
                self.is_registered = false;
                Ok(false)
            }
            Exchange::Unheard(_) | Exchange::OutOfOrder(_) => Ok(false),
        }
    }

    /// One call of the resource manager that is active.
    fn exchange(&mut self, method: &str, request: &[u8]) -> Result<Exchange, MasterError> {
        let answer = match self.connection.take() {
            Some(connection) => self.call(connection, method, request),
            None => match self.connect() {
                Ok(connection) => self.call(connection, method, request),
                Err(error) => Err(error),
            },
        };
        match answer {
            Ok(answer) => {
                self.n_refusals = 0;
                Ok(Exchange::Answered(answer))
            }
            Err(RpcError::Connection(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Err(MasterError::Unsupported(error.to_string()))
            }
            Err(RpcError::Connection(error)) => Ok(self.unheard(error.to_string())),
            Err(refused @ RpcError::Refused { .. }) => self.refused(&refused),
        }
    }

    fn connect(&self) -> Result<Connection, RpcError> {
        match self.schedulers.get(self.at) {
            Some(address) => Connection::open(address, &self.token, PROTOCOL),
            None => {
                let problem = "no address of a resource manager's scheduler is known";
                Err(io::Error::new(io::ErrorKind::Unsupported, problem).into())
            }
        }
    }

    /// Keeps the connection, unless it broke.
    fn call(
        &mut self,
        mut connection: Connection,
        method: &str,
        request: &[u8],
    ) -> Result<Vec<u8>, RpcError> {
        let answer = connection.call(method, request);
        if !matches!(answer, Err(RpcError::Connection(_))) {
            self.connection = Some(connection);
        }
        answer
    }

    fn refused(&mut self, refused: &RpcError) -> Result<Exchange, MasterError> {
        let RpcError::Refused { class, message } = refused else {
            return Ok(self.unheard(refused.to_string()));
        };
        let class = class.rsplit(['.', '$']).next().unwrap_or_default();
        Ok(match class {
            "ApplicationMasterNotRegisteredException" => Exchange::NotRegistered,
            "InvalidApplicationMasterRequestException" => Exchange::OutOfOrder(message.clone()),
            "ApplicationAttemptNotFoundException" => {
                return Err(MasterError::Gone(refused.to_string()));
            }
            "InvalidToken" => {
                self.n_refusals += 1;
                if self.n_refusals
                    >= MAX_REFUSALS * u32::try_from(self.schedulers.len()).unwrap_or(1)
                {
                    return Err(MasterError::Gone(refused.to_string()));
                }
                self.unheard(refused.to_string())
            }
            // A standby, or one that is starting.
            _ => self.unheard(refused.to_string()),
        })
    }

    /// The next address is asked next.
    fn unheard(&mut self, problem: String) -> Exchange {
        drop(mem::take(&mut self.connection));
        self.at = (self.at + 1) % self.schedulers.len().max(1);
        Exchange::Unheard(problem)
    }
}

/// The number in `... expect responseId to be 7`.
fn expected_response(message: &str) -> Option<i32> {
    let (_, rest) = message.split_once("expect responseId to be ")?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests;
