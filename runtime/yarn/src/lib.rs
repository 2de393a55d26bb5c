//! What a program needs to be the application master of a YARN container: the container's tokens, Hadoop RPC with token
//! authentication, and the three calls of the AMRM protocol (`ApplicationMasterProtocol`).
//!
//! The crate makes blocking calls on one TCP connection, and knows neither actions nor jobs. Data flows in one direction: the file with
//! the tokens ([`credentials`]) -> a connection that is authenticated with one of them ([`rpc`], [`digest_md5`]), and protected where the
//! server wants it ([`protection`], [`rc4`]) -> calls ([`master`]), whose messages are written and read by [`wire`].
//!
//! Facts about formats and errors are those of Hadoop 3.4.2 (`Credentials`, `Server`, `ApplicationMasterService`).

pub mod credentials;
mod digest_md5;
pub mod master;
mod protection;
mod rc4;
mod rpc;
mod wire;

pub use self::{
    credentials::Token,
    master::{ApplicationMaster, FinalStatus, Heartbeat, MasterError},
};

/// The kind of the token by which an application master proves itself to the resource manager.
pub const AMRM_TOKEN: &str = "YARN_AM_RM_TOKEN";
