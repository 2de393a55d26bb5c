use hpdlc_tests::cases;

use crate::analysis::testing::short_diagnostics;

#[test]
fn nodes() {
    cases::check("compiler/src/analysis/service_levels/tests.txt", |case| {
        short_diagnostics(&case.given)
    });
}
