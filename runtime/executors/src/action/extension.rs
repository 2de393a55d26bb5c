//! A crate with actions, action types and functions of expressions for the workflows of other programs.

use super::Action;
use crate::signature::Signature;

/// What an extension brings along. `extension!` of `hpdlc-flow` makes the static `EXTENSION` of a crate.
#[derive(Debug)]
pub struct Extension {
    /// The name of the crate. Its actions are `name::action` to workflows.
    pub name: &'static str,
    /// The actions by their names, the types by their elements.
    pub actions: &'static [(&'static str, &'static Action)],
    /// What its functions of expressions take and give.
    pub functions: &'static [&'static Signature],
    /// The text of `hpdl-extension.json`.
    pub manifest: fn() -> String,
}

impl Extension {
    /// The action of that name, such as `acme::count`.
    pub(crate) fn find(&self, name: &str) -> Option<&'static Action> {
        let name = name.strip_prefix(self.name)?.strip_prefix("::")?;
        let mut actions = self.actions.iter();
        actions.find_map(|&(known, action)| (known == name).then_some(action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::DataMap;

    static COUNT: Action = Action::new(|_, _| Ok(DataMap::new()));
    static ACME: Extension = Extension {
        name: "acme",
        actions: &[("count", &COUNT)],
        functions: &[],
        manifest: String::new,
    };

    #[test]
    fn actions_have_the_name_of_their_extension() {
        for (name, is_there) in [
            ("acme::count", true),
            ("count", false),
            ("acme::copy", false),
            ("acmecount", false),
            ("acme2::count", false),
        ] {
            assert_eq!(ACME.find(name).is_some(), is_there, "{name}");
        }
    }
}
