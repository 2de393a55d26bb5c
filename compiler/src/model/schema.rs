//! Schema namespaces and versions, and what each allows.

/// The versions of `uri:oozie:workflow:`, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkflowVersion {
    V0_1,
    V0_2,
    V0_2_5,
    V0_3,
    V0_4,
    V0_4_5,
    V0_5,
    V1_0,
}

impl WorkflowVersion {
    pub const ALL: [WorkflowVersion; 8] = [
        WorkflowVersion::V0_1,
        WorkflowVersion::V0_2,
        WorkflowVersion::V0_2_5,
        WorkflowVersion::V0_3,
        WorkflowVersion::V0_4,
        WorkflowVersion::V0_4_5,
        WorkflowVersion::V0_5,
        WorkflowVersion::V1_0,
    ];

    pub fn namespace(self) -> &'static str {
        match self {
            WorkflowVersion::V0_1 => "uri:oozie:workflow:0.1",
            WorkflowVersion::V0_2 => "uri:oozie:workflow:0.2",
            WorkflowVersion::V0_2_5 => "uri:oozie:workflow:0.2.5",
            WorkflowVersion::V0_3 => "uri:oozie:workflow:0.3",
            WorkflowVersion::V0_4 => "uri:oozie:workflow:0.4",
            WorkflowVersion::V0_4_5 => "uri:oozie:workflow:0.4.5",
            WorkflowVersion::V0_5 => "uri:oozie:workflow:0.5",
            WorkflowVersion::V1_0 => "uri:oozie:workflow:1.0",
        }
    }

    pub fn from_namespace(namespace: &str) -> Option<WorkflowVersion> {
        WorkflowVersion::ALL
            .into_iter()
            .find(|version| version.namespace() == namespace)
    }
}

/// The versions of `uri:oozie:coordinator:`, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoordinatorVersion {
    V0_1,
    V0_2,
    V0_3,
    V0_4,
    V0_5,
}

impl CoordinatorVersion {
    pub const ALL: [CoordinatorVersion; 5] = [
        CoordinatorVersion::V0_1,
        CoordinatorVersion::V0_2,
        CoordinatorVersion::V0_3,
        CoordinatorVersion::V0_4,
        CoordinatorVersion::V0_5,
    ];

    pub fn namespace(self) -> &'static str {
        match self {
            CoordinatorVersion::V0_1 => "uri:oozie:coordinator:0.1",
            CoordinatorVersion::V0_2 => "uri:oozie:coordinator:0.2",
            CoordinatorVersion::V0_3 => "uri:oozie:coordinator:0.3",
            CoordinatorVersion::V0_4 => "uri:oozie:coordinator:0.4",
            CoordinatorVersion::V0_5 => "uri:oozie:coordinator:0.5",
        }
    }

    pub fn from_namespace(namespace: &str) -> Option<CoordinatorVersion> {
        CoordinatorVersion::ALL
            .into_iter()
            .find(|version| version.namespace() == namespace)
    }
}

/// The versions of `uri:oozie:bundle:`, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BundleVersion {
    V0_1,
    V0_2,
}

impl BundleVersion {
    pub const ALL: [BundleVersion; 2] = [BundleVersion::V0_1, BundleVersion::V0_2];

    pub fn namespace(self) -> &'static str {
        match self {
            BundleVersion::V0_1 => "uri:oozie:bundle:0.1",
            BundleVersion::V0_2 => "uri:oozie:bundle:0.2",
        }
    }

    pub fn from_namespace(namespace: &str) -> Option<BundleVersion> {
        BundleVersion::ALL
            .into_iter()
            .find(|version| version.namespace() == namespace)
    }
}
