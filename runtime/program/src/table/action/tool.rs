//! Actions that a tool of Hadoop does, or of a system on it.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type HiveSource = action::HiveSource<Compiled>;
pub type MapReduceProgram = action::MapReduceProgram<Compiled>;
pub type Pipes = action::Pipes<Compiled>;
pub type PigScript = action::PigScript<Compiled>;
pub type SqoopCommand = action::SqoopCommand<Compiled>;
pub type Streaming = action::Streaming<Compiled>;

/// The types, of which nothing differs from the default.
macro_rules! tools {
    ($($name:ident),*) => {$(
        pub type $name = action::$name<Compiled>;

        impl ActionDef for $name {}
    )*};
}

tools! { Distcp, Hive, Hive2, MapReduce, Pig, Spark, Sqoop }
