//! libFuzzer's program: passes every input to the target that `HPDL_FUZZ_TARGET` names.

#![no_main]

use std::{env, sync::LazyLock};

use libfuzzer_sys::fuzz_target;

mod targets;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let wanted = env::var("HPDL_FUZZ_TARGET").unwrap_or_default();
    match targets::ALL.iter().find(|(name, _)| *name == wanted) {
        Some((_, target)) => *target,
        None => panic!("HPDL_FUZZ_TARGET names no target: `{wanted}`"),
    }
});

fuzz_target!(|bytes: &[u8]| TARGET(bytes));
