//! Parses a policy file. Names are opaque bytes, as the specification demands.

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Group, Member, Policy, PolicyLog, PolicyWitness};
use crate::log::cosignature::CosignerKey;
use crate::log::key::{KeyError, VerifierKey};

/// The maximum length of a file. A line with an ML-DSA-44 key has 2 kB.
const FILE_MAX: usize = 4 * 1024 * 1024;
/// The maximum number of logs, witnesses and groups each. The specification recommends at least 32.
const ITEMS_MAX: usize = 1024;
const NONE: &[u8] = b"none";

/// The reason why a file is not a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyFileError {
    /// It is longer than the limit.
    #[error("a policy has at most {FILE_MAX} bytes")]
    TooLong,
    /// A line is wrong.
    #[error("line {line}: {error}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The error of the line.
        error: PolicyLineError,
    },
}

/// The reason why a line of a policy is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyLineError {
    /// It has a control character.
    #[error("the only control characters are tab and newline")]
    ControlCharacter,
    /// Its first word is unknown.
    #[error("a line begins with log, witness, group or quorum")]
    Keyword,
    /// It has too few or too many words.
    #[error("expected: {0}")]
    Shape(&'static str),
    /// The key is malformed or of another type.
    #[error("the key is not usable here: {0}")]
    Key(KeyError),
    /// Another line has the same public key.
    #[error("the same public key is on an earlier line")]
    DuplicateKey,
    /// The URL is not UTF-8.
    #[error("the URL is not UTF-8")]
    Url,
    /// The name is already defined, or `none`.
    #[error("the name {0} is already defined")]
    DuplicateName(String),
    /// The name is not defined on an earlier line.
    #[error("the name {0} is not defined on an earlier line")]
    UnknownName(String),
    /// The name is already a member of a group.
    #[error("the name {0} is already a member of a group")]
    SecondMembership(String),
    /// The threshold is not a number of members.
    #[error("the threshold is all, any, or a number from 1 to the number of members")]
    Threshold,
    /// There are too many logs, witnesses or groups.
    #[error("a policy has at most {ITEMS_MAX} logs, witnesses and groups each")]
    TooMany,
    /// There is a second quorum line.
    #[error("there is a second quorum line")]
    SecondQuorum,
    /// The file ends without a quorum line.
    #[error("the file ends without a quorum line")]
    NoQuorum,
}

#[derive(Default)]
struct Parsing<'a> {
    logs: Vec<PolicyLog>,
    witnesses: Vec<PolicyWitness>,
    groups: Vec<Group>,
    names: HashMap<&'a [u8], Member>,
    members: HashSet<&'a [u8]>,
    /// The bytes of all public keys, with their kind of line.
    keys: HashSet<(bool, Vec<u8>)>,
    quorum: Option<Option<Member>>,
}

impl Policy {
    /// Parses a policy file.
    ///
    /// # Errors
    /// Returns an error if it is too long or a line is wrong.
    pub fn parse(file: &[u8]) -> Result<Self, PolicyFileError> {
        if file.len() > FILE_MAX {
            return Err(PolicyFileError::TooLong);
        }
        let mut parsing = Parsing::default();
        let mut last = 0;
        let file = file.strip_suffix(b"\n").unwrap_or(file);
        for (index, line) in file.split(|byte| *byte == b'\n').enumerate() {
            last = index + 1;
            parsing.line(line).map_err(|error| PolicyFileError::Line { line: last, error })?;
        }
        let Parsing { logs, witnesses, groups, quorum, .. } = parsing;
        let no_quorum = PolicyFileError::Line { line: last, error: PolicyLineError::NoQuorum };
        Ok(Self { logs, witnesses, groups, quorum: quorum.ok_or(no_quorum)? })
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn url(word: Option<&&[u8]>) -> Result<Option<String>, PolicyLineError> {
    let url = word.map(|word| std::str::from_utf8(word).map(str::to_owned)).transpose();
    url.map_err(|_| PolicyLineError::Url)
}

fn vkey(word: &[u8]) -> Result<&str, PolicyLineError> {
    std::str::from_utf8(word).map_err(|_| PolicyLineError::Key(KeyError::Shape))
}

/// Returns the public key of a vkey line without its name and id, after its type.
fn public_key(vkey: &str) -> Vec<u8> {
    // A `+` may be part of the base64.
    let key = vkey.splitn(3, '+').nth(2).unwrap_or_default();
    let bytes = STANDARD.decode(key).unwrap_or_default();
    bytes.get(1..).unwrap_or_default().to_vec()
}

impl<'a> Parsing<'a> {
    fn line(&mut self, line: &'a [u8]) -> Result<(), PolicyLineError> {
        let is_control = |byte: &u8| (*byte < 0x20 && *byte != b'\t') || *byte == 0x7f;
        if line.iter().any(is_control) {
            return Err(PolicyLineError::ControlCharacter);
        }
        let words = line.split(|byte| matches!(byte, b' ' | b'\t'));
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        let Some((keyword, rest)) = words.split_first() else { return Ok(()) };
        match *keyword {
            [b'#', ..] => Ok(()),
            b"log" => self.log(rest),
            b"witness" => self.witness(rest),
            b"group" => self.group(rest),
            b"quorum" => self.quorum(rest),
            _ => Err(PolicyLineError::Keyword),
        }
    }

    fn add_key(&mut self, is_log: bool, vkey: &str) -> Result<(), PolicyLineError> {
        let is_new = self.keys.insert((is_log, public_key(vkey)));
        if is_new { Ok(()) } else { Err(PolicyLineError::DuplicateKey) }
    }

    fn log(&mut self, words: &[&'a [u8]]) -> Result<(), PolicyLineError> {
        let [key, rest @ ..] = words else {
            return Err(PolicyLineError::Shape("log <vkey> [<url>]"));
        };
        if rest.len() > 1 {
            return Err(PolicyLineError::Shape("log <vkey> [<url>]"));
        }
        let vkey = vkey(key)?;
        let key = VerifierKey::parse(vkey).map_err(PolicyLineError::Key)?;
        self.add_key(true, vkey)?;
        self.logs.push(PolicyLog { key, url: url(rest.first())? });
        limit(self.logs.len())
    }

    fn witness(&mut self, words: &[&'a [u8]]) -> Result<(), PolicyLineError> {
        let shape = PolicyLineError::Shape("witness <name> <vkey> [<url>]");
        let [name, key, rest @ ..] = words else { return Err(shape) };
        if rest.len() > 1 {
            return Err(shape);
        }
        let vkey = vkey(key)?;
        let key = CosignerKey::parse(vkey).map_err(PolicyLineError::Key)?;
        self.add_key(false, vkey)?;
        self.define(name, Member::Witness(self.witnesses.len()))?;
        self.witnesses.push(PolicyWitness { name: lossy(name), key, url: url(rest.first())? });
        limit(self.witnesses.len())
    }

    fn define(&mut self, name: &'a [u8], member: Member) -> Result<(), PolicyLineError> {
        if name == NONE || self.names.contains_key(name) {
            return Err(PolicyLineError::DuplicateName(lossy(name)));
        }
        self.names.insert(name, member);
        Ok(())
    }

    fn defined(&self, name: &[u8]) -> Result<Member, PolicyLineError> {
        let member = self.names.get(name).copied();
        member.ok_or_else(|| PolicyLineError::UnknownName(lossy(name)))
    }

    fn group(&mut self, words: &[&'a [u8]]) -> Result<(), PolicyLineError> {
        let [name, threshold, names @ ..] = words else {
            return Err(PolicyLineError::Shape("group <name> all|any|<k> <name>..."));
        };
        if names.is_empty() {
            return Err(PolicyLineError::Shape("group <name> all|any|<k> <name>..."));
        }
        let threshold = match *threshold {
            b"all" => names.len(),
            b"any" => 1,
            digits => number(digits)
                .filter(|number| (1..=names.len()).contains(number))
                .ok_or(PolicyLineError::Threshold)?,
        };
        let mut members = Vec::with_capacity(names.len());
        for name in names {
            members.push(self.defined(name)?);
            if !self.members.insert(name) {
                return Err(PolicyLineError::SecondMembership(lossy(name)));
            }
        }
        self.define(name, Member::Group(self.groups.len()))?;
        self.groups.push(Group { threshold, members });
        limit(self.groups.len())
    }

    fn quorum(&mut self, words: &[&'a [u8]]) -> Result<(), PolicyLineError> {
        let [name] = words else { return Err(PolicyLineError::Shape("quorum <name>")) };
        if self.quorum.is_some() {
            return Err(PolicyLineError::SecondQuorum);
        }
        let member = if *name == NONE { None } else { Some(self.defined(name)?) };
        self.quorum = Some(member);
        Ok(())
    }
}

fn limit(count: usize) -> Result<(), PolicyLineError> {
    if count > ITEMS_MAX { Err(PolicyLineError::TooMany) } else { Ok(()) }
}

/// Parses a decimal number without sign and leading zeros.
fn number(digits: &[u8]) -> Option<usize> {
    let is_number = digits.iter().all(u8::is_ascii_digit) && !digits.starts_with(b"0");
    std::str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
}
