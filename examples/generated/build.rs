//! Compiles `backup/workflow.xml` before the program that takes it in.

fn main() {
    hpdlc::build::compile("backup");
}
