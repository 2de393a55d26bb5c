//! Names that a test gives and that do not exist.

/// The end of a sentence about a name that does not exist: the known one that is nearest to it.
pub(crate) fn hint(name: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .map(|known| (strsim::osa_distance(known, name), known))
        .filter(|(distance, known)| *distance <= known.len().max(3) / 3)
        .min();
    match nearest {
        Some((_, nearest)) => format!("; is `{nearest}` meant?"),
        None => ".".to_owned(),
    }
}
