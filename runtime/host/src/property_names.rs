//! Properties of a job that several rooms read or set.

/// The nodes before which a job is suspended.
pub const SUSPEND_ON_NODES: &str = "oozie.suspend.on.nodes";

/// The nodes that a rerun leaves out.
pub const SKIP_NODES: &str = "oozie.wf.rerun.skip.nodes";

/// Whether a rerun runs the nodes that have failed.
pub const FAIL_NODES: &str = "oozie.wf.rerun.failnodes";

/// Whether a rerun of a sub-workflow's parent begins a new job in place of a rerun of the child's.
pub const DISABLE_CHILD: &str = "oozie.wf.rerun.disablechild";
