//! Service levels as pure functions: when a job or an action should have started and ended, and whether it did.
//!
//! [`SlaRecord::read`] builds the record from the evaluated texts of an `sla:info` block (`SLAOperations`). [`SlaState::take`]
//! applies what happened and returns the resulting events (`SLACalculatorMemory`): met or missed, once each for start, duration
//! and end. All times are milliseconds since 1970.

mod alerts;
mod event;
mod machine;
mod record;
#[cfg(test)]
mod tests;
mod texts;

pub use self::{
    alerts::{USUAL_AGE_LIMIT, USUAL_ALERT_EVENTS, alert_events, is_too_old, split_alert_events},
    event::{SlaEvent, SlaEventKind},
    machine::{Fired, Happened, SlaState, SlaStatus},
    record::{Mistake, SlaFault, SlaRecord, minutes, nominal_time},
    texts::SlaTexts,
};
