//! Every setting that the runtime reads, with its default value: what `settings` lists.
//!
//! A test keeps the list consistent with the code.

mod of_hpdl;
mod of_oozie;

/// A setting by its name.
#[derive(Clone, Copy, Debug)]
pub struct KnownSetting {
    /// Oozie's name if it has one.
    pub name: &'static str,
    /// The default value; empty for none.
    pub built_in: &'static str,
    pub scope: Scope,
    /// Its meaning, with its unit.
    pub meaning: &'static str,
    /// The allowed values, if it is an enumeration.
    pub words: &'static [&'static str],
}

/// Where it can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In a job's properties, which override the site's.
    Job,
    /// In a job's properties only, not in the site's file.
    JobOnly,
    /// In the site's file only: it is about the machine.
    SiteOnly,
}

const fn job(name: &'static str, built_in: &'static str, meaning: &'static str) -> KnownSetting {
    KnownSetting {
        name,
        built_in,
        scope: Scope::Job,
        meaning,
        words: &[],
    }
}

const fn job_only(
    name: &'static str,
    built_in: &'static str,
    meaning: &'static str,
) -> KnownSetting {
    KnownSetting {
        scope: Scope::JobOnly,
        ..job(name, built_in, meaning)
    }
}

const fn site_only(
    name: &'static str,
    built_in: &'static str,
    meaning: &'static str,
) -> KnownSetting {
    KnownSetting {
        scope: Scope::SiteOnly,
        ..job(name, built_in, meaning)
    }
}

const fn job_word(
    name: &'static str,
    words: &'static [&'static str],
    meaning: &'static str,
) -> KnownSetting {
    KnownSetting {
        words,
        ..job(name, words[0], meaning)
    }
}

const fn site_word(
    name: &'static str,
    words: &'static [&'static str],
    meaning: &'static str,
) -> KnownSetting {
    KnownSetting {
        scope: Scope::SiteOnly,
        ..job_word(name, words, meaning)
    }
}

/// All settings, sorted by name.
pub fn all() -> impl Iterator<Item = &'static KnownSetting> {
    of_hpdl::SETTINGS.iter().chain(of_oozie::SETTINGS)
}

#[cfg(test)]
mod tests;
