//! Service levels: `sla:info` of a workflow, an action, or the action of a coordinator.

use crate::{model::Template, source::Spanned};

/// What is expected of a job or an action, and who is notified when it is missed. In workflows it is evaluated at submission
/// with job properties and `MINUTES`, `HOURS`, `DAYS`, without functions (`SLAOperations`, context `wf-sla-submit`); in
/// coordinators once for each action, with functions such as `coord:nominalTime` (`coord-sla-create`).
#[derive(Clone, Debug)]
pub struct Sla {
    /// The element's name as written, such as `sla:info`.
    pub name: Spanned<String>,
    /// The namespace ends in 0.1.
    pub is_version_0_1: bool,
    /// The nominal time; `yyyy-MM-ddTHH:mmZ`.
    pub nominal_time: Option<Template>,
    /// Minutes after the nominal time, like `should_end`.
    pub should_start: Option<Template>,
    pub should_end: Option<Template>,
    /// In minutes.
    pub max_duration: Option<Template>,
    /// `start_miss`, `end_miss`, `duration_miss`, separated by commas.
    pub alert_events: Option<Template>,
    pub alert_contact: Option<Template>,
    pub notification_message: Option<Template>,
    pub upstream_apps: Option<Template>,
    /// The texts that exist only in version 0.1, by element: `app-name`, `parent-client-id`, contacts and so on. Only that
    /// version's alert service has ever read them.
    pub of_version_0_1: Vec<(String, Template)>,
}

impl Sla {
    /// All texts with the names of their elements, those of both versions first.
    pub fn elements(&self) -> impl Iterator<Item = (&str, &Template)> {
        let Sla {
            name: _,
            is_version_0_1: _,
            nominal_time,
            should_start,
            should_end,
            max_duration,
            alert_events,
            alert_contact,
            notification_message,
            upstream_apps,
            of_version_0_1,
        } = self;
        let of_both = [
            ("nominal-time", nominal_time),
            ("should-start", should_start),
            ("should-end", should_end),
            ("max-duration", max_duration),
            ("alert-events", alert_events),
            ("alert-contact", alert_contact),
            ("notification-msg", notification_message),
            ("upstream-apps", upstream_apps),
        ];
        let of_both = of_both
            .into_iter()
            .filter_map(|(name, template)| Some((name, template.as_ref()?)));
        let of_one = of_version_0_1.iter();
        of_both.chain(of_one.map(|(name, template)| (name.as_str(), template)))
    }

    /// All texts.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.elements().map(|(_, template)| template)
    }
}
