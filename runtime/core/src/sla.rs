//! Service levels, pure: when a job or an action should have started and ended, and what has become of that.
//!
//! [`Record::read`] makes what is watched of the evaluated texts of an `sla:info` block (`SLAOperations`).
//! [`SlaState::take`] tells it what happened and gives the events that follow (`SLACalculatorMemory`): of start, duration and end each once, met or
//! missed. All times are milliseconds since 1970.

mod alerts;
mod event;
mod machine;
mod record;
#[cfg(test)]
mod tests;

pub use self::{
    alerts::{USUAL_AGE_LIMIT, USUAL_ALERT_EVENTS, alert_events, is_too_old, split_alert_events},
    event::{SlaEvent, SlaEventKind},
    machine::{Fired, Happened, SlaState, Status},
    record::{ELEMENTS, Mistake, Record, SlaFault, minutes, nominal_time},
};
