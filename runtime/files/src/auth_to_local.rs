//! The user of a principal, by the rules of `hadoop.security.auth_to_local` (`KerberosName` of Hadoop).

use fancy_regex::Regex;

/// One rule, such as `RULE:[2:$1@$0](.*@SITE)s/@.*//g/L`.
#[derive(Debug)]
struct Rule {
    /// `DEFAULT` has none: the user is the first part of the name.
    pattern: Option<Pattern>,
    is_lower_case: bool,
}

#[derive(Debug)]
struct Pattern {
    /// It is for names of so many parts.
    n_parts: usize,
    /// `$0` stands for the realm, `$1` for the first part.
    format: String,
    /// What all of the formatted text has to match.
    accepted: Option<Regex>,
    replaced: Option<Replacement>,
}

#[derive(Debug)]
struct Replacement {
    from: Regex,
    to: String,
    is_global: bool,
}

/// The user of a principal.
///
/// # Errors
///
/// What is wrong with the rules, or that none applies.
pub fn user(principal: &str, rules: &str) -> Result<String, String> {
    let (name, realm) = principal.split_once('@').unwrap_or((principal, ""));
    let parts: Vec<&str> = name.split('/').collect();
    let rules = rules
        .split_ascii_whitespace()
        .map(|text| Rule::parse(text).ok_or_else(|| format!("`{text}` is no rule")))
        .collect::<Result<Vec<Rule>, String>>()?;
    if realm.is_empty() && parts.len() == 1 {
        return Ok(name.to_owned());
    }
    rules
        .iter()
        .find_map(|rule| rule.apply(&parts, realm))
        .ok_or_else(|| format!("no rule applies to {principal}"))
        .and_then(|user| match user.contains(['/', '@']) {
            true => Err(format!("{principal} becomes {user}, which is no user")),
            false => Ok(user),
        })
}

impl Rule {
    fn parse(text: &str) -> Option<Rule> {
        let (text, is_lower_case) = match text.strip_suffix('L') {
            Some(text) => (text.strip_suffix('/').unwrap_or(text), true),
            None => (text, false),
        };
        let pattern = match text {
            "DEFAULT" => None,
            text => Some(Pattern::parse(text)?),
        };
        Some(Rule {
            pattern,
            is_lower_case,
        })
    }

    /// `None` if it is not for this name.
    fn apply(&self, parts: &[&str], realm: &str) -> Option<String> {
        let user = match &self.pattern {
            Some(pattern) => pattern.apply(parts, realm)?,
            None => (*parts.first()?).to_owned(),
        };
        Some(match self.is_lower_case {
            true => user.to_lowercase(),
            false => user,
        })
    }
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let rest = text.strip_prefix("RULE:[")?;
        let (number, rest) = rest.split_once(':')?;
        let (format, mut rest) = rest.split_once(']')?;
        let mut accepted = None;
        if let Some(inner) = rest.strip_prefix('(') {
            let (pattern, after) = inner.split_once(')')?;
            accepted = Some(Regex::new(&format!("^(?:{pattern})$")).ok()?);
            rest = after;
        }
        Some(Pattern {
            n_parts: number.parse().ok()?,
            format: format.to_owned(),
            accepted,
            replaced: match rest {
                "" => None,
                rest => Some(Replacement::parse(rest)?),
            },
        })
    }

    fn apply(&self, parts: &[&str], realm: &str) -> Option<String> {
        if self.n_parts != parts.len() {
            return None;
        }
        let text = formatted(&self.format, parts, realm)?;
        let is_accepted = |regex: &Regex| regex.is_match(&text).unwrap_or(false);
        if !self.accepted.as_ref().is_none_or(is_accepted) {
            return None;
        }
        Some(match &self.replaced {
            Some(replacement) => replacement.apply(&text),
            None => text,
        })
    }
}

impl Replacement {
    /// `s/FROM/TO/` or `s/FROM/TO/g`; the last slash may be left out.
    fn parse(text: &str) -> Option<Replacement> {
        let mut parts = text.strip_prefix("s/")?.splitn(3, '/');
        let (from, to, flag) = (parts.next()?, parts.next()?, parts.next().unwrap_or(""));
        if !["", "g"].contains(&flag) {
            return None;
        }
        Some(Replacement {
            from: Regex::new(from).ok()?,
            to: to.to_owned(),
            is_global: flag == "g",
        })
    }

    fn apply(&self, text: &str) -> String {
        let replaced = match self.is_global {
            true => self.from.replace_all(text, self.to.as_str()),
            false => self.from.replace(text, self.to.as_str()),
        };
        replaced.into_owned()
    }
}

/// `format` with the realm in place of `$0` and the parts in place of `$1` and so on; `None` if there is no such part.
fn formatted(format: &str, parts: &[&str], realm: &str) -> Option<String> {
    let mut pieces = format.split('$');
    let mut text = pieces.next()?.to_owned();
    for piece in pieces {
        let n_digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = piece.split_at(n_digits);
        text.push_str(match number.parse::<usize>().ok()? {
            0 => realm,
            n => parts.get(n - 1)?,
        });
        text.push_str(rest);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_fits_says_who_a_principal_is() {
        const LOWER: &str = "RULE:[1:$1@$0](.*@CORP)s/@.*//L DEFAULT";
        const SERVICES: &str =
            "RULE:[2:$1@$0](nn@SITE)s/.*/hdfs/\n  RULE:[2:$1-$2@$0](.*@SITE)s/[.@].*//g\n  DEFAULT";
        for (principal, rules, expected) in [
            ("ada@SITE", "DEFAULT", Ok("ada")),
            ("ada/host@SITE", "DEFAULT", Ok("ada")),
            ("Ada@SITE", "DEFAULT/L", Ok("ada")),
            ("ada", "RULE:[1:x]", Ok("ada")),
            ("Ada@CORP", "RULE:[1:$1@$0](.*@CORP)s/@.*///L", Ok("ada")),
            ("Ada@CORP", "RULE:[1:$1]L", Ok("ada")),
            ("Ada@CORP", "RULE:[1:$1@$0]s/@.*//gL", Ok("ada")),
            ("Ada@CORP", LOWER, Ok("ada")),
            ("Ada@SITE", LOWER, Ok("Ada")),
            ("nn/h1.site@SITE", SERVICES, Ok("hdfs")),
            ("dn/h1.site@SITE", SERVICES, Ok("dn-h1")),
            ("ada@SITE", SERVICES, Ok("ada")),
            ("a-b-c@SITE", "RULE:[1:$1]s/-/_/", Ok("a_b-c")),
            ("a-b-c@SITE", "RULE:[1:$1]s/-/_/g", Ok("a_b_c")),
            (
                "ada@SITE",
                "RULE:[2:$1]",
                Err("no rule applies to ada@SITE"),
            ),
            (
                "ada@SITE",
                "RULE:[1:$1@$0]",
                Err("ada@SITE becomes ada@SITE, which is no user"),
            ),
            ("ada@SITE", "RULE:[1:$1](", Err("`RULE:[1:$1](` is no rule")),
            ("ada@SITE", "RULES", Err("`RULES` is no rule")),
        ] {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(user(principal, rules), expected, "{principal} {rules}");
        }
    }
}
