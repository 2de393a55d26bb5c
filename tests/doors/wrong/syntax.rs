//! What rustc cannot read is said by rustc alone.

use hpdlc_flow::{Result, fs, workflow};

#[workflow(name_node = "file:///")]
async fn daily(input: String) -> Result {
    let x = ;
    fs().mkdir(input).named("prepare").await
}

fn main() {}
