//! Every code and lint: the only central table. Each room lists its own statics and adds one line here.

use crate::diagnostics::Rules;

pub static RULES: Rules = Rules {
    codes: &[
        crate::driver::mistakes::CODES,
        crate::syntax::CODES,
        crate::syntax::xml::CODES,
        crate::lower::CODES,
        crate::analysis::TRANSITION_CODES,
        crate::analysis::CYCLE_CODES,
        crate::analysis::FORK_JOIN_CODES,
        crate::lower::EXPRESSION_CODES,
        crate::analysis::FUNCTION_CODES,
        crate::analysis::EXPRESSION_CODES,
        crate::analysis::PROPERTY_CODES,
        crate::analysis::ACTION_CODES,
        crate::analysis::CREDENTIAL_CODES,
        crate::analysis::LATER_ACTION_CODES,
        crate::analysis::SERVICE_LEVEL_CODES,
        crate::analysis::FORM_CODES,
        crate::analysis::LAST_ACTION_CODES,
        crate::analysis::COORDINATOR_CODES,
        crate::analysis::BUNDLE_CODES,
        crate::analysis::PASSED_CODES,
        crate::analysis::SUBMISSION_CODES,
        crate::analysis::UNSUPPORTED_TYPE_CODES,
        crate::lower::UNSUPPORTED_CODES,
        crate::lower::UNSUPPORTED_PROPOSAL_CODES,
        crate::analysis::UNSUPPORTED_SCHEME_CODES,
        crate::driver::mistakes::FUNCTION_CODES,
        crate::lower::CUSTOM_TYPE_CODES,
    ],
    lints: &[
        crate::driver::mistakes::LINTS,
        crate::lower::LINTS,
        crate::lints::LINTS,
        crate::migrate::LINTS,
    ],
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::RULES;
    use crate::diagnostics::{Rule, WARNINGS};

    fn is_snake_case(name: &str) -> bool {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    }

    #[test]
    fn code_numbers_have_their_form_and_ascend() {
        let ids: Vec<&str> = RULES.codes().map(|code| code.id).collect();
        for id in &ids {
            let digits = id.strip_prefix('H').expect("codes start with `H`");
            assert!(
                digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()),
                "{id}"
            );
        }
        assert!(ids.is_sorted_by(|left, right| left < right), "{ids:?}");
    }

    #[test]
    fn names_are_snake_case_and_unique() {
        let names: Vec<&str> = RULES
            .codes()
            .map(|code| code.name)
            .chain(RULES.lints().map(|lint| lint.name))
            .chain([WARNINGS])
            .collect();
        assert!(names.iter().all(|name| is_snake_case(name)), "{names:?}");
        let unique: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(unique.len(), names.len(), "{names:?}");
    }

    #[test]
    fn rules_are_found_by_number_name_and_oozie_code() {
        let first = RULES.codes().next().expect("there are codes");
        assert_eq!(RULES.find(&first.id.to_lowercase()), [Rule::Code(first)]);
        assert_eq!(
            RULES.find(&first.name.replace('_', "-")),
            [Rule::Code(first)]
        );
        let by_oozie = RULES.find("e0700");
        assert!(by_oozie.len() > 1);
        assert!(by_oozie.iter().all(|rule| rule.oozie().contains(&"E0700")));
        assert_eq!(RULES.find("no such rule"), []);
    }
}
