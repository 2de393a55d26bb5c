//! The elements of an SLA block.

/// The texts of an SLA block, of both versions of its schema: absent elements are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlaTexts<T> {
    /// The nominal time; `yyyy-MM-ddTHH:mmZ`.
    pub nominal_time: Option<T>,
    /// Minutes after the nominal time, like `should_end`.
    pub should_start: Option<T>,
    pub should_end: Option<T>,
    /// In minutes.
    pub max_duration: Option<T>,
    /// `start_miss`, `end_miss`, `duration_miss`, separated by commas.
    pub alert_events: Option<T>,
    pub alert_contact: Option<T>,
    pub notification_msg: Option<T>,
    pub upstream_apps: Option<T>,
    /// The texts that exist only in version 0.1. Only that version's alert service has ever read them.
    pub app_name: Option<T>,
    pub parent_client_id: Option<T>,
    pub parent_sla_id: Option<T>,
    pub dev_contact: Option<T>,
    pub qa_contact: Option<T>,
    pub se_contact: Option<T>,
    pub alert_frequency: Option<T>,
    pub alert_percentage: Option<T>,
}

element_texts! {
    SlaTexts {
        nominal_time: "nominal-time",
        should_start: "should-start",
        should_end: "should-end",
        max_duration: "max-duration",
        alert_events: "alert-events",
        alert_contact: "alert-contact",
        notification_msg: "notification-msg",
        upstream_apps: "upstream-apps",
        app_name: "app-name",
        parent_client_id: "parent-client-id",
        parent_sla_id: "parent-sla-id",
        dev_contact: "dev-contact",
        qa_contact: "qa-contact",
        se_contact: "se-contact",
        alert_frequency: "alert-frequency",
        alert_percentage: "alert-percentage",
    }
}
