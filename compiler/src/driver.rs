//! The only room with IO: locates and reads applications, runs the pure rooms on them, writes their results, and calls
//! rustc.
//!
//! A mistake of the user is a diagnostic, here as everywhere ([`mistakes`]). A failure of the environment is a [`Failure`].
//! From PATH to executable: [`locate`], [`application`] (with [`children`]), [`package`], and with the feature `cli` the
//! rest: [`program`], which needs [`toolchain`], [`runtime_cache`] and [`rustc`].

#![expect(
    clippy::disallowed_methods,
    reason = "this is the room that reads, writes and starts processes"
)]

#[cfg(feature = "cli")]
pub mod bundled;
#[cfg(feature = "cli")]
pub mod emitted;
#[cfg(feature = "cli")]
pub mod glibc;
#[cfg(feature = "cli")]
pub mod job_files;
#[cfg(feature = "cli")]
mod link;
#[cfg(feature = "cli")]
pub mod lock;
#[cfg(feature = "cli")]
pub mod place;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(feature = "cli")]
pub mod progress;
#[cfg(feature = "cli")]
pub mod runtime_cache;
#[cfg(feature = "cli")]
pub mod rustc;
#[cfg(feature = "cli")]
pub mod stamp;
mod template_sources;
#[cfg(feature = "cli")]
pub mod toolchain;
#[cfg(feature = "cli")]
pub mod unused_programs;

pub mod application;
pub mod archive;
mod below;
pub mod check;
pub mod children;
pub mod digest;
pub mod embedded;
#[cfg(feature = "cli")]
pub mod extension_code;
mod extension_manifest;
mod failure;
pub mod fix;
pub mod ignore;
pub mod locate;
pub mod location;
pub mod mapping;
pub mod migrate;
pub mod mistakes;
#[cfg(feature = "cli")]
pub mod new_extension;
pub mod package;
#[cfg(feature = "cli")]
pub mod pictures;
pub mod properties;
pub mod read;
mod rust_file;
pub mod settings;
pub mod shown;
pub mod site;
pub mod user;
pub mod writer;

pub use self::failure::Failure;
#[cfg(feature = "cli")]
pub use self::{place::BuildPlaces, toolchain::Toolchain};

/// The maximum total size of the files embedded in an executable, in bytes.
pub const MAX_APPLICATION_SIZE: u64 = 64 * 1024 * 1024;
