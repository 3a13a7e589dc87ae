//! The secret keys of a witness. They are created once; a witness with new keys is a new witness.

use std::path::Path;

use hex::FromHex as _;
use musette_core::log::cosignature::Cosigner;
use musette_core::log::key::is_key_name;

use super::WitnessError;
use super::durable::{self, Stored};
use crate::platform::random;

const KIND: &str = "musette-witness-keys v1";

/// Which of the two cosigners of a data directory.
#[derive(Clone, Copy)]
pub enum KeyFile {
    /// The witness itself.
    Witness,
    /// The mirror, whose cosignatures state more.
    Mirror,
}

impl KeyFile {
    fn name(self) -> &'static str {
        match self {
            Self::Witness => "keys",
            Self::Mirror => "mirror-keys",
        }
    }
}

/// The keys with which a witness signs: Ed25519, and ML-DSA-44, which a quantum computer cannot
/// forge.
pub struct Keys {
    name: String,
    ed25519: [u8; 32],
    ml_dsa_44: [u8; 32],
    file: KeyFile,
    /// Whether the file is a copy of the one that this program wrote.
    pub is_copy: bool,
}

impl Keys {
    /// Reads the keys of a directory; `None` if there are none.
    pub fn read(directory: &Path, file: KeyFile) -> Result<Option<Self>, WitnessError> {
        let path = directory.join(file.name());
        let unreadable = |error| WitnessError::File(path.clone(), error);
        let Some(stored) = durable::read(&path, KIND).map_err(unreadable)? else {
            return Ok(None);
        };
        let keys = Self::parse(&stored, file);
        keys.map(Some).ok_or_else(|| WitnessError::Damaged(path, "it does not contain keys".into()))
    }

    fn parse(stored: &Stored, file: KeyFile) -> Option<Self> {
        let mut lines = stored.text.lines();
        let mut next = |label: &str| lines.next().and_then(|line| line.strip_prefix(label));
        let name = next("name ").filter(|name| is_key_name(name))?.to_owned();
        let ed25519 = <[u8; 32]>::from_hex(next("ed25519 ")?).ok()?;
        let ml_dsa_44 = <[u8; 32]>::from_hex(next("ml-dsa-44 ")?).ok()?;
        Some(Self { name, ed25519, ml_dsa_44, file, is_copy: stored.is_copy })
    }

    /// Reads the keys of a directory, or creates them for a witness with this name.
    pub fn read_or_create(
        directory: &Path,
        file: KeyFile,
        name: &str,
    ) -> Result<Self, WitnessError> {
        if !is_key_name(name) {
            return Err(WitnessError::Name);
        }
        match Self::read(directory, file)? {
            Some(keys) if keys.name == name => Ok(keys),
            Some(keys) => Err(WitnessError::OtherName { stored: keys.name }),
            None if matches!(file, KeyFile::Witness)
                && directory.join(super::state::FOLDER).exists() =>
            {
                Err(WitnessError::KeysMissing(directory.to_owned()))
            }
            None => {
                let keys = Self {
                    name: name.to_owned(),
                    ed25519: random::bytes(),
                    ml_dsa_44: random::bytes(),
                    file,
                    is_copy: false,
                };
                keys.write(directory)?;
                Ok(keys)
            }
        }
    }

    /// Writes the keys, so that the file counts as the original.
    pub fn write(&self, directory: &Path) -> Result<(), WitnessError> {
        let path = directory.join(self.file.name());
        let text = format!(
            "name {}\ned25519 {}\nml-dsa-44 {}\n",
            self.name,
            hex::encode(self.ed25519),
            hex::encode(self.ml_dsa_44)
        );
        durable::replace(&path, KIND, &text).map_err(|error| WitnessError::Write(path, error))
    }

    /// Returns the cosigners, Ed25519 first.
    pub fn cosigners(&self) -> Result<[Cosigner; 2], WitnessError> {
        let name = |_| WitnessError::Name;
        Ok([
            Cosigner::ed25519(&self.name, &self.ed25519).map_err(name)?,
            Cosigner::ml_dsa_44(&self.name, &self.ml_dsa_44).map_err(name)?,
        ])
    }
}
