//! The functions of coordinators whose first argument is the name of an event.

/// Which kind of events a function refers to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    Inputs,
    Outputs,
}

/// The events that the function `coord:NAME` refers to.
pub(super) fn asks(name: &str) -> Option<Asks> {
    match name {
        "dataIn"
        | "databaseIn"
        | "tableIn"
        | "dataInPartitionFilter"
        | "dataInPartitionMin"
        | "dataInPartitionMax"
        | "dataInPartitions" => Some(Asks::Inputs),
        "dataOut" | "databaseOut" | "tableOut" | "dataOutPartitions" | "dataOutPartitionValue" => {
            Some(Asks::Outputs)
        }
        _ => None,
    }
}
