use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, frequencies_below_limit, ["E1003"]);

/// A coordinator that runs more often than Oozie allows by default.
pub(crate) struct FrequencyBelowLimit {
    pub(crate) place: Span,
    pub(crate) minutes: i64,
}

message!(FrequencyBelowLimit, |place, minutes| {
    Diagnostic::new(
        &LINT,
        place,
        "the coordinator runs more often than every five minutes",
    )
    .label(
        place,
        if minutes == 1 {
            "every minute".to_owned()
        } else {
            format!("every {minutes} minutes")
        },
    )
    .note("Oozie refuses this unless its server is configured otherwise")
});
