//! `hadoop.security.auth_to_local`: the names of users that principals have on this machine (`KerberosName` of Hadoop).
//!
//! Rules stand one after the other, with blanks between; the first one that fits counts:
//!
//! - `DEFAULT`: the first component of a principal of the realm of the service;
//! - `RULE:[n:FORMAT](REGEX)s/FROM/TO/g`: a principal with n components is written as FORMAT says, where `$0` is the realm and `$1` the first
//!   component; REGEX, which may be left out, must match all of that; `s/FROM/TO/`, which may be left out, replaces the first match in it,
//!   with `g` each. A further `/L` makes the name lower case.
//!
//! The result must be a name: without `/` and `@`. Anything else is refused when the server is started.

use fancy_regex::Regex;

use crate::token;

/// All rules, in their order.
#[derive(Debug)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    realm: String,
}

#[derive(Debug)]
enum Rule {
    Default,
    Written(Box<Written>),
}

#[derive(Debug)]
struct Written {
    n_components: usize,
    format: String,
    pattern: Option<Regex>,
    replacement: Option<Replacement>,
    is_lower: bool,
}

#[derive(Debug)]
struct Replacement {
    from: Regex,
    /// With groups as `${1}`.
    to: String,
    is_global: bool,
}

impl Rules {
    /// # Errors
    ///
    /// The rule that is not one, and what is expected.
    pub(super) fn parse(text: &str, realm: &str) -> Result<Rules, String> {
        let mut rules = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (rule, further) = match rest.strip_prefix("DEFAULT") {
                Some(further) => (Rule::Default, further),
                None => {
                    let wrong = |why: &str| {
                        format!(
                            "`{rest}` begins with no rule: {why}; rules are DEFAULT and RULE:[n:FORMAT](REGEX)s/FROM/TO/g"
                        )
                    };
                    let (written, further) = Written::parse(rest).map_err(|why| wrong(&why))?;
                    (Rule::Written(Box::new(written)), further)
                }
            };
            let is_apart = further.is_empty() || further.starts_with(char::is_whitespace);
            if !is_apart {
                return Err(format!("a blank is missing before `{further}`"));
            }
            rules.push(rule);
            rest = further.trim_start();
        }
        if rules.is_empty() {
            return Err("there is no rule".to_owned());
        }
        Ok(Rules {
            rules,
            realm: realm.to_owned(),
        })
    }

    /// The name of a principal.
    ///
    /// # Errors
    ///
    /// That no rule gives it one.
    pub(super) fn user(&self, principal: &str) -> Result<String, String> {
        let (name, realm) = principal.rsplit_once('@').unwrap_or((principal, ""));
        let components: Vec<&str> = name.split('/').collect();
        let found = self.rules.iter().find_map(|rule| match rule {
            Rule::Default => (realm == self.realm).then(|| components[0].to_owned()),
            Rule::Written(written) => written.apply(&components, realm),
        });
        let user = found.ok_or_else(|| format!("no rule gives {principal} a name"))?;
        if user.contains(['/', '@']) || !token::is_user_name(&user) {
            return Err(format!(
                "the rules give {principal} the name `{user}`, which is none"
            ));
        }
        Ok(user)
    }
}

/// What is before and after the first of these.
fn until<'t>(text: &'t str, end: &str, what: &str) -> Result<(&'t str, &'t str), String> {
    text.split_once(end)
        .ok_or_else(|| format!("{what} has no `{end}`"))
}

fn regex(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| format!("`{text}` is no regular expression: {error}"))
}

impl Written {
    /// The rule at the beginning of a text, and what follows it.
    fn parse(text: &str) -> Result<(Written, &str), String> {
        let rest = text.strip_prefix("RULE:[").ok_or("it has another name")?;
        let (number, rest) = until(rest, ":", "the number of components")?;
        let n_components = number
            .parse()
            .map_err(|_| format!("`{number}` is no number of components"))?;
        let (format, mut rest) = until(rest, "]", "the format")?;
        let mut pattern = None;
        if let Some(inner) = rest.strip_prefix('(') {
            let (text, further) = until(inner, ")", "the regular expression")?;
            pattern = Some(regex(&format!("^(?:{text})$"))?);
            rest = further;
        }
        let mut replacement = None;
        if let Some(inner) = rest.strip_prefix("s/") {
            let (from, inner) = until(inner, "/", "what is replaced")?;
            let (to, further) = until(inner, "/", "the replacement")?;
            let is_global = further.starts_with('g');
            replacement = Some(Replacement {
                from: regex(from)?,
                to: braced(to),
                is_global,
            });
            rest = further.strip_prefix('g').unwrap_or(further);
        }
        let lower = rest.strip_prefix("/L");
        Ok((
            Written {
                n_components,
                format: format.to_owned(),
                pattern,
                replacement,
                is_lower: lower.is_some(),
            },
            lower.unwrap_or(rest),
        ))
    }

    fn apply(&self, components: &[&str], realm: &str) -> Option<String> {
        if components.len() != self.n_components {
            return None;
        }
        let name = self.formatted(components, realm)?;
        if let Some(pattern) = &self.pattern
            && !pattern.is_match(&name).unwrap_or(false)
        {
            return None;
        }
        let name = match &self.replacement {
            None => name,
            Some(replacement) => {
                let most = if replacement.is_global { 0 } else { 1 };
                let replaced = replacement
                    .from
                    .try_replacen(&name, most, replacement.to.as_str());
                replaced.ok()?.into_owned()
            }
        };
        Some(if self.is_lower {
            name.to_lowercase()
        } else {
            name
        })
    }

    /// `None` if the format names a component that there is not.
    fn formatted(&self, components: &[&str], realm: &str) -> Option<String> {
        let mut parts = self.format.split('$');
        let mut name = parts.next()?.to_owned();
        for part in parts {
            let n_digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = part.split_at(n_digits);
            match number.parse::<usize>().ok()? {
                0 => name.push_str(realm),
                number => name.push_str(components.get(number - 1)?),
            }
            name.push_str(rest);
        }
        Some(name)
    }
}

/// References to groups as they are told from what follows them: `$1a` of Java is `${1}a`.
fn braced(to: &str) -> String {
    let mut parts = to.split('$');
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.as_bytes().first() {
            Some(b'0'..=b'9') => written.push_str(&format!("${{{}}}{}", &part[..1], &part[1..])),
            _ => written.push_str(&format!("$${part}")),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_fits_names_the_user() {
        for (rules, principal, expected) in [
            ("DEFAULT", "ada@SITE", Some("ada")),
            ("DEFAULT", "ada/host@SITE", Some("ada")),
            ("DEFAULT", "ada@OTHER", None),
            ("DEFAULT", "ada", None),
            (
                "RULE:[1:$1@$0](.*@OTHER)s/@.*//\nDEFAULT",
                "ada@OTHER",
                Some("ada"),
            ),
            (
                "RULE:[1:$1@$0](.*@OTHER)s/@.*//\nDEFAULT",
                "bob@SITE",
                Some("bob"),
            ),
            ("RULE:[1:$1@$0](.*@OTHER)s/@.*//", "bob@SITE", None),
            (
                "RULE:[2:$1@$0](nn@SITE)s/.*/hdfs/",
                "nn/host@SITE",
                Some("hdfs"),
            ),
            (
                "RULE:[2:$1;$2](^.*;admin$)s/;admin$// DEFAULT",
                "ada/admin@SITE",
                Some("ada"),
            ),
            ("RULE:[1:$1](.*)s/a/b/", "ada@SITE", Some("bda")),
            ("RULE:[1:$1](.*)s/a/b/g", "ada@SITE", Some("bdb")),
            ("RULE:[1:$1](.*)s/(.)(.*)/$2$1x/", "ada@SITE", Some("daax")),
            ("RULE:[1:$1]/L", "ADA@SITE", Some("ada")),
            ("RULE:[1:$1@$0]", "ada@SITE", None),
            ("RULE:[1:$2] DEFAULT", "ada@SITE", Some("ada")),
            ("RULE:[1:x]s/x//", "ada@SITE", None),
        ] {
            let found = Rules::parse(rules, "SITE").unwrap().user(principal);
            assert_eq!(found.ok().as_deref(), expected, "{rules} {principal}");
        }
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        for wrong in [
            "",
            "default",
            "DEFAULTS",
            "RULE:[1:$1",
            "RULE:[x:$1]",
            "RULE:[1:$1](a",
            "RULE:[1:$1](()s/a/b/",
            "RULE:[1:$1]s/a",
            "RULE:[1:$1](a)s/(/b/",
            "RULE:[1:$1]DEFAULT",
        ] {
            assert!(Rules::parse(wrong, "SITE").is_err(), "{wrong}");
        }
    }
}
