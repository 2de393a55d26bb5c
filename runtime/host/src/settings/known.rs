//! Every setting that the runtime reads, with its built-in value: what `settings` lists.
//!
//! A test holds the list and the code equal.

mod of_hpdl;
mod of_oozie;

/// A setting by its name.
#[derive(Clone, Copy, Debug)]
pub struct KnownSetting {
    /// Oozie's name where it has one.
    pub name: &'static str,
    /// What holds where nobody says otherwise; empty for none.
    pub built_in: &'static str,
    pub scope: Scope,
    /// What it decides, with its unit.
    pub meaning: &'static str,
    /// What it may be, where that is one of a few words.
    pub words: &'static [&'static str],
}

/// Who may say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A job's property, above the site's.
    Job,
    /// A job's property only: the site's file is not asked.
    JobOnly,
    /// The site's file only: it is about the machine.
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
/// All of them, by name.
pub fn all() -> impl Iterator<Item = &'static KnownSetting> {
    of_hpdl::SETTINGS.iter().chain(of_oozie::SETTINGS)
}

#[cfg(test)]
mod tests;
