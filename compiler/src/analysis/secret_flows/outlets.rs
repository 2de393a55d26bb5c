//! Outlets: where a text can be read by people, on command lines, in mails, in logs.

use crate::{
    analysis::action_types::{self, Outlet},
    model::{Action, Property},
};

/// A property: if its name does not denote a secret, its value is never masked.
pub(super) fn of_property(property: &Property) -> Outlet<'_> {
    Outlet {
        template: &property.value,
        what: "a property whose name does not tell a secret",
        danger: "configurations are logged, and only what has a telling name is masked",
        help: Some(
            "give the secret a property of its own, whose name says password, secret, token or key",
        ),
        name: Some(&property.name),
    }
}

/// The texts of an action that are shown.
pub(super) fn of_action(action: &Action) -> Vec<Outlet<'_>> {
    let mut outlets = Vec::new();
    if let Some(settings) = action.kind.settings()
        && action.kind.sub_workflow().is_none()
    {
        outlets.extend(settings.configuration.properties.iter().map(of_property));
    }
    let own = action_types::of(&action.kind).map(|it| it.outlets());
    outlets.extend(own.unwrap_or_default());
    if let Some(sla) = &action.sla {
        outlets.extend(sla.texts.notification_msg.iter().map(|text| {
            Outlet::new(
                text,
                "a message about a service level",
                "everybody who gets it reads it",
            )
        }));
    }
    outlets
}
