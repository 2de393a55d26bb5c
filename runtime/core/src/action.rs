//! The bodies of actions: a struct for each action type, with a field for each element of its schema.
//!
//! The compiler's model and the table of a compiled program have the same bodies, with other texts: what differs is in [`Form`].
//! Each struct is listed once, in `body!` of `fields/structs.rs`, which also makes its fields known to code for all types:
//! names of elements are written nowhere else.

#[macro_use]
mod fields;

mod custom;
mod distcp;
mod email;
mod fs;
mod git;
mod hive;
mod hive2;
mod http;
mod java;
mod map_reduce;
mod pig;
mod probe;
mod rust;
mod shell;
mod spark;
mod sqoop;
mod ssh;
mod sub_workflow;

use std::{fmt::Debug, ops::Deref};

pub use self::fields::{
    Choice, ElementTexts, Field, Fields, FsOperation, PrepareOperation, Settings, TypedBody, Value,
};

/// The registry of action types, a line each: what the type's file defines, beginning with its body.
macro_rules! action_types {
    ($($file:ident::{$($name:ident),*};)*) => {
        $($(pub use self::$file::$name;)*)*

        /// The names of the bodies and of their parts.
        pub const NAMES: &[&str] = &["FsOperation", $($(stringify!($name)),*),*];
    };
}

action_types! {
    custom::{Custom, CustomElement};
    distcp::{Distcp};
    email::{Email};
    fs::{Fs};
    git::{Git};
    hive::{Hive, HiveSource};
    hive2::{Hive2};
    http::{Http, HttpPost};
    java::{Java, JavaOpts};
    map_reduce::{MapReduce, MapReduceProgram, Pipes, Streaming};
    pig::{Pig, PigScript};
    probe::{Probe};
    rust::{Rust};
    shell::{Shell};
    spark::{Spark};
    sqoop::{Sqoop, SqoopCommand};
    ssh::{Ssh, SshArguments};
    sub_workflow::{SubWorkflow};
}

/// What the bodies consist of.
pub trait Form: Clone + Debug + 'static {
    /// The text of an element, which may have expressions.
    type Text: Clone + Debug + 'static;
    type List<T: Clone + Debug + 'static>: Deref<Target = [T]> + Empty + Clone + Debug;
    /// A large part that most actions of a type do not have.
    type Boxed<T: Clone + Debug + 'static>: Deref<Target = T> + Clone + Debug;
    /// The `configuration` of an action.
    type Configuration: Empty + Clone + Debug + 'static;
    /// An [`FsOperation`], with what else is known of it.
    type Operation: AsRef<FsOperation<Self>> + Clone + Debug + 'static;
}

/// What stands for an element that is not written.
pub trait Empty {
    const EMPTY: Self;
}

impl Empty for bool {
    const EMPTY: bool = false;
}

impl<T> Empty for Option<T> {
    const EMPTY: Option<T> = None;
}

impl<T> Empty for Vec<T> {
    const EMPTY: Vec<T> = Vec::new();
}

impl<T> Empty for &'static [T] {
    const EMPTY: &'static [T] = &[];
}
