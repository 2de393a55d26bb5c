//! Properties of a job that several rooms read or set.

/// The nodes at which a job is suspended.
pub const SUSPEND_ON_NODES: &str = "oozie.suspend.on.nodes";

/// The nodes that a rerun skips.
pub const SKIP_NODES: &str = "oozie.wf.rerun.skip.nodes";

/// Whether a rerun runs the failed nodes.
pub const FAIL_NODES: &str = "oozie.wf.rerun.failnodes";

/// Whether a rerun of a sub-workflow's parent starts a new child job instead of rerunning the child.
pub const DISABLE_CHILD: &str = "oozie.wf.rerun.disablechild";
