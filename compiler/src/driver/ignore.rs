//! `.hpdlignore`: which files of an application's folder are not embedded in the executable.
//!
//! A subset of the syntax of `.gitignore`, one pattern per line. Blank lines and lines that begin with `#` are skipped.
//!
//! | pattern | names |
//! |---|---|
//! | `*.csv` | every file or folder of that form, wherever it is |
//! | `/docs`, `lib/old` | one that starts at the application's folder, because a `/` is before its end |
//! | `cache/` | folders only |
//! | `*`, `?` | any characters but `/`; one of them |
//! | `**` | any number of folders, as a part of its own: `data/**/tmp` |
//! | `!keep.csv` | taken back in |
//!
//! The last pattern that matches decides. The contents of an ignored folder are ignored with it. All other characters,
//! including brackets and backslashes, are literal.
//!
//! The patterns of [`DEFAULTS`] come before those of the file.

/// What no executable needs, in any application: backup copies of editors, which may contain removed passwords, and private
/// SSH keys.
pub const DEFAULTS: &str = "\
*~
*.bak
*.old
*.orig
*.rej
*.swp
*.swo
id_rsa
id_dsa
id_ecdsa
id_ed25519
";

/// The patterns of one `.hpdlignore`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignore {
    patterns: Vec<IgnorePattern>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct IgnorePattern {
    /// The parts between slashes.
    parts: Vec<String>,
    /// Starts at the application's folder; otherwise at any depth.
    is_anchored: bool,
    is_for_folders: bool,
    takes_back: bool,
}

impl Ignore {
    pub fn parse(text: &str) -> Ignore {
        Ignore {
            patterns: text.lines().filter_map(pattern).collect(),
        }
    }

    /// [`DEFAULTS`], followed by the patterns of `text`.
    pub fn with_defaults(text: &str) -> Ignore {
        let mut ignore = Ignore::parse(DEFAULTS);
        ignore.patterns.extend(Ignore::parse(text).patterns);
        ignore
    }

    /// Whether the file or folder at `path`, relative and with `/`, is ignored. The caller checks its parent folders first.
    pub fn is_ignored(&self, path: &str, is_folder: bool) -> bool {
        self.last_fit(path, is_folder)
            .is_some_and(|pattern| !pattern.takes_back)
    }

    /// Whether a pattern explicitly includes it, which is more than that none ignores it.
    pub fn is_taken_back(&self, path: &str, is_folder: bool) -> bool {
        self.last_fit(path, is_folder)
            .is_some_and(|pattern| pattern.takes_back)
    }

    fn last_fit(&self, path: &str, is_folder: bool) -> Option<&IgnorePattern> {
        let parts: Vec<&str> = path.split('/').collect();
        self.patterns
            .iter()
            .rev()
            .find(|pattern| pattern.fits(&parts, is_folder))
    }
}

fn pattern(line: &str) -> Option<IgnorePattern> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (takes_back, line) = match line.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (is_for_folders, line) = match line.strip_suffix('/') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let is_anchored = line.contains('/');
    let line = line.strip_prefix('/').unwrap_or(line);
    if line.is_empty() {
        return None;
    }
    Some(IgnorePattern {
        parts: line.split('/').map(str::to_owned).collect(),
        is_anchored,
        is_for_folders,
        takes_back,
    })
}

impl IgnorePattern {
    fn fits(&self, path: &[&str], is_folder: bool) -> bool {
        if self.is_for_folders && !is_folder {
            return false;
        }
        if self.is_anchored {
            return parts_fit(&self.parts, path);
        }
        path.last()
            .is_some_and(|name| self.parts.iter().all(|part| name_fits(part, name)))
    }
}

/// Whether all of `path` is matched by all of `parts`.
fn parts_fit(parts: &[String], path: &[&str]) -> bool {
    match parts.split_first() {
        None => path.is_empty(),
        // A final `**` means everything below, not the folder itself.
        Some((first, rest)) if first == "**" && rest.is_empty() => !path.is_empty(),
        Some((first, rest)) if first == "**" => {
            (0..=path.len()).any(|skipped| parts_fit(rest, &path[skipped..]))
        }
        Some((first, rest)) => path
            .split_first()
            .is_some_and(|(name, below)| name_fits(first, name) && parts_fit(rest, below)),
    }
}

/// Whether `name` matches `pattern`. Takes time at most proportional to the product of their lengths.
fn name_fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut seen) = (0, 0);
    // The position of the last star, and how much of the name it has matched.
    let mut star: Option<(usize, usize)> = None;
    while seen < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == name[seen] => {
                at += 1;
                seen += 1;
            }
            _ => match star {
                Some((star_at, taken)) => {
                    at = star_at + 1;
                    seen = taken + 1;
                    star = Some((star_at, taken + 1));
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&rest| rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths that are ignored; a folder ends in `/`.
    #[track_caller]
    fn check(patterns: &str, paths: &[&str], ignored: &[&str]) {
        let ignore = Ignore::parse(patterns);
        let found: Vec<&str> = paths
            .iter()
            .copied()
            .filter(|path| match path.strip_suffix('/') {
                Some(folder) => ignore.is_ignored(folder, true),
                None => ignore.is_ignored(path, false),
            })
            .collect();
        assert_eq!(found, ignored, "{patterns:?}");
    }

    #[test]
    fn name_fits_at_any_depth() {
        check(
            "*.csv",
            &["a.csv", "deep/b.csv", "a.csv.gz", "csv"],
            &["a.csv", "deep/b.csv"],
        );
        check("a?c", &["abc", "ac", "x/aéc"], &["abc", "x/aéc"]);
        check("*a*b*", &["xaxbx", "ab", "ba"], &["xaxbx", "ab"]);
    }

    #[test]
    fn slash_before_the_end_anchors() {
        check("/docs", &["docs", "docs/", "a/docs"], &["docs", "docs/"]);
        check("lib/old", &["lib/old", "x/lib/old"], &["lib/old"]);
    }

    #[test]
    fn slash_at_the_end_means_folders() {
        check(
            "cache/",
            &["cache/", "cache", "a/cache/"],
            &["cache/", "a/cache/"],
        );
    }

    #[test]
    fn two_stars_stand_for_folders() {
        check(
            "a/**/z",
            &["a/z", "a/b/z", "a/b/c/z", "z"],
            &["a/z", "a/b/z", "a/b/c/z"],
        );
        check("a/**", &["a/", "a/b", "a/b/c"], &["a/b", "a/b/c"]);
        check("**/z", &["z", "a/z"], &["z", "a/z"]);
    }

    #[test]
    fn last_pattern_decides() {
        check(
            "*.csv\n!keep.csv",
            &["a.csv", "keep.csv", "x/keep.csv"],
            &["a.csv"],
        );
        check("!keep.csv\n*.csv", &["keep.csv"], &["keep.csv"]);
    }

    #[test]
    fn defaults_stand_before_the_patterns_of_the_file() {
        let paths = [
            "job.properties~",
            "keys/id_rsa",
            "id_rsa.pub",
            "a.bak",
            "run.sh",
        ];
        let ignored = |text: &str| -> Vec<&str> {
            let ignore = Ignore::with_defaults(text);
            let is_ignored = |path: &&str| ignore.is_ignored(path, false);
            paths.into_iter().filter(is_ignored).collect()
        };
        assert_eq!(ignored(""), ["job.properties~", "keys/id_rsa", "a.bak"]);
        assert_eq!(
            ignored("!*.bak\n*.sh"),
            ["job.properties~", "keys/id_rsa", "run.sh"]
        );
        assert!(Ignore::with_defaults("!a.bak").is_taken_back("a.bak", false));
        assert!(!Ignore::with_defaults("").is_taken_back("run.sh", false));
    }

    #[test]
    fn comments_and_blanks_say_nothing() {
        check(
            "# all\n\n  \n/\n  a.txt  \n",
            &["a.txt", "#", "all"],
            &["a.txt"],
        );
    }

    #[test]
    fn other_characters_stand_for_themselves() {
        check("a[b].x", &["ab.x", "a[b].x"], &["a[b].x"]);
    }

    #[test]
    fn many_stars_take_no_time() {
        let pattern = "*a".repeat(50);
        check(
            &pattern,
            &[&"a".repeat(200), &"b".repeat(200)],
            &[&"a".repeat(200)],
        );
    }
}
