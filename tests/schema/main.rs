//! Property test: `hpdlc check --schema-only` accepts exactly what libxml2 accepts.
//!
//! Real documents, and documents generated from the schemas, are mutated at random and validated by both. `HPDL_CASES` sets the
//! number of mutants, `HPDL_SEED` the seed. Needs `xmllint`, the published schemas and the corpus, which are outside the
//! repository.

use std::{env, fs, path::Path};

use hpdlc::{
    diagnostics::Sink,
    lower,
    source::{FileId, decode},
    syntax::xml,
};
use hpdlc_tests::{corpus, shared};

mod mutate;
mod oracle;
mod random;
mod schemas;
mod tree;

use self::{
    mutate::Mutator,
    oracle::{Oracle, OracleVerdict},
    random::Random,
    schemas::Schemas,
    tree::Element,
};

/// Documents per process of `xmllint`.
const BATCH: usize = 1000;
/// Every eighth generated document with at most this many elements is also changed in every small way.
const SMALL: usize = 20;
/// The number of disagreements shown.
const SHOWN: usize = 10;

/// The result of hpdlc for a document.
fn verdict(text: &str) -> (bool, Vec<String>) {
    let mut sink = Sink::default();
    if let Some(document) = xml::parse(FileId(0), text, &mut sink) {
        lower::schema_only(&document, text, &mut sink);
    }
    let is_valid = !sink.has_errors();
    let words = sink.into_sorted().into_iter();
    (
        is_valid,
        words
            .map(|diagnostic| format!("{} {}", diagnostic.rule.id(), diagnostic.message))
            .collect(),
    )
}

fn number(name: &str) -> Option<u64> {
    let value = env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// The real documents that libxml2 can read verbatim.
fn real_documents(corpus: &Path) -> Vec<String> {
    corpus::documents_below(corpus)
        .iter()
        .map(|path| fs::read(path).expect("the document can be read"))
        .filter_map(|bytes| decode(bytes).ok())
        .filter(|text| text.contains("uri:oozie:"))
        .collect()
}

/// A document for both validators, and its origin.
struct JudgedDocument {
    origin: String,
    text: String,
}

/// Validates each case with both, and returns the number of valid ones.
fn compare(oracle: &Oracle, cases: &[JudgedDocument], folder: &Path) -> usize {
    let mut n_valid = 0;
    let mut n_disagreements = 0;
    for batch in cases.chunks(BATCH) {
        let texts: Vec<String> = batch.iter().map(|case| case.text.clone()).collect();
        for (case, theirs) in batch.iter().zip(oracle.judge(&texts, folder)) {
            let Some(is_valid) = theirs.is_valid else {
                continue;
            };
            n_valid += usize::from(is_valid);
            let (ours, words) = verdict(&case.text);
            if ours != is_valid {
                n_disagreements += 1;
                if n_disagreements <= SHOWN {
                    show(case, &theirs, ours, &words);
                }
            }
        }
    }
    assert_eq!(n_disagreements, 0, "of {} documents", cases.len());
    n_valid
}

fn show(case: &JudgedDocument, theirs: &OracleVerdict, ours: bool, words: &[String]) {
    println!("{}: hpdlc says {ours}", case.origin);
    println!("  hpdlc: {}", words.join("\n  hpdlc: "));
    println!("  xmllint: {}", theirs.words.join("\n  xmllint: "));
    if case.text.len() < 3000 {
        println!("{}", case.text);
    }
}

#[test]
fn verdicts_are_those_of_libxml2() {
    let n_mutants = number("HPDL_CASES").unwrap_or(3000);
    let seed = number("HPDL_SEED").unwrap_or(1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(schemas) = shared("schemas") else {
        println!("skipped: there are no schemas; HPDL_SHARED can name their parent folder");
        return;
    };
    let Some(corpus) = corpus::folder() else {
        return;
    };
    let Some(oracle) = Oracle::new(folder.path(), &schemas) else {
        println!("skipped: there is no `xmllint`");
        return;
    };
    let mutator = Mutator::new(Schemas::read(&schemas));
    let real = real_documents(&corpus);
    let made = mutator.schemas.documents(&mut Random::new(seed, u64::MAX));

    let mut sources: Vec<JudgedDocument> = Vec::new();
    for (n, text) in real.into_iter().enumerate() {
        let origin = format!("real document {n}");
        sources.push(JudgedDocument { origin, text });
    }
    let n_real = sources.len();
    for (n, root) in made.iter().enumerate() {
        let mut text = String::new();
        root.write(&mut text);
        let origin = format!("made document {n}");
        sources.push(JudgedDocument { origin, text });
    }
    let n_valid = compare(&oracle, &sources, folder.path());
    println!(
        "{n_real} real and {} made documents, {n_valid} of them valid",
        made.len()
    );
    assert!(n_valid * 10 > sources.len() * 9, "the sources are valid");

    let small = made.iter().enumerate();
    let small = small.filter(|(n, root)| n % 8 == 1 && root.count() <= SMALL);
    let neighbors: Vec<JudgedDocument> = small
        .flat_map(|(n, root)| {
            mutate::neighbors(root)
                .into_iter()
                .map(move |root| (n, root))
        })
        .map(|(n, root)| {
            let mut text = String::new();
            root.write(&mut text);
            let origin = format!("beside made document {n}");
            JudgedDocument { origin, text }
        })
        .collect();
    let n_valid = compare(&oracle, &neighbors, folder.path());
    println!(
        "{} documents beside small made ones, {n_valid} of them valid",
        neighbors.len()
    );

    let roots: Vec<Element> = sources
        .iter()
        .map(|case| Element::parse(&case.text))
        .collect();
    let mut n_valid = 0;
    let mut cases = Vec::new();
    for case in 0..n_mutants {
        let mut random = Random::new(seed, case);
        // Real documents are longer, and more alike.
        let at = match n_real > 0 && random.once_in(3) {
            true => random.below(n_real),
            false => n_real + random.below(made.len()),
        };
        let mut root = roots[at].clone();
        let mut steps = vec![mutator.mutate(&mut root, &mut random)];
        while steps.len() < 4 && random.once_in(4) {
            steps.push(mutator.mutate(&mut root, &mut random));
        }
        let mut text = String::new();
        root.write(&mut text);
        let origin = format!("{}, case {case}: {}", sources[at].origin, steps.join(", "));
        cases.push(JudgedDocument { origin, text });
        if cases.len() == BATCH || case + 1 == n_mutants {
            n_valid += compare(&oracle, &cases, folder.path());
            cases.clear();
        }
    }
    println!("{n_mutants} mutants with seed {seed}, {n_valid} of them valid");
}
