//! Reads a backup as lines, and refuses one that is cut off or changed.

use std::io::{BufRead as _, BufReader, Read};

use flate2::bufread::GzDecoder;
use sha2::{Digest as _, Sha256};

use super::seal::{Authenticity, BackupTrust};
use super::{CHUNK_BYTES, FORMAT, Mark, RestoreError, TABLES, UNSEALED_FORMAT};
use crate::db::batch::Table;
use crate::log::LOGS;

/// The lines of a backup, in chunks that fit a statement.
pub struct Lines<R: Read> {
    input: BufReader<GzDecoder<BufReader<R>>>,
    table: Option<&'static Table>,
    pub rows: u64,
    /// What proves it; none before the end.
    pub authenticity: Option<Authenticity>,
    trust: BackupTrust,
    is_sealed: bool,
    sha256: Sha256,
    /// Verifier keys of the logs in the file.
    vkeys: Vec<String>,
}

fn bad(what: impl ToString) -> RestoreError {
    RestoreError::BadFile(what.to_string())
}

impl<R: Read> Lines<R> {
    pub fn open(file: R, trust: BackupTrust) -> Result<Self, RestoreError> {
        let mut lines = Self {
            input: BufReader::new(GzDecoder::new(BufReader::new(file))),
            table: None,
            rows: 0,
            authenticity: None,
            trust,
            is_sealed: true,
            sha256: Sha256::new(),
            vkeys: Vec::new(),
        };
        let first = lines.hashed_line()?;
        match serde_json::from_str(&first) {
            Ok(Mark::Format(format)) if format == FORMAT => Ok(lines),
            Ok(Mark::Format(format)) if format == UNSEALED_FORMAT && lines.trust.logs.is_none() => {
                Ok(Self { is_sealed: false, ..lines })
            }
            Ok(Mark::Format(format)) if format == UNSEALED_FORMAT => {
                Err(bad("an earlier version wrote it, which signed no backup"))
            }
            Ok(Mark::Format(format)) => Err(bad(format!(
                "another version of the program wrote it ({format}; this one reads {FORMAT})"
            ))),
            _ => Err(bad("it does not start like one")),
        }
    }

    fn line(&mut self) -> Result<String, RestoreError> {
        let mut line = String::new();
        self.input.read_line(&mut line).map_err(bad)?;
        if line.ends_with('\n') { Ok(line) } else { Err(bad("it is cut off")) }
    }

    /// A line that the seal covers, without its end.
    fn hashed_line(&mut self) -> Result<String, RestoreError> {
        let mut line = self.line()?;
        self.sha256.update(&line);
        line.pop();
        Ok(line)
    }

    /// Rows of one table as a JSON array; none at the end.
    pub fn next_chunk(&mut self) -> Result<Option<(&'static Table, String)>, RestoreError> {
        let mut chunk = String::from("[");
        while self.authenticity.is_none() {
            let line = self.hashed_line()?;
            if line.starts_with('[') {
                self.note_vkey(&line)?;
                if chunk.len() > 1 {
                    chunk.push(',');
                }
                chunk.push_str(&line);
                self.rows += 1;
                if chunk.len() < CHUNK_BYTES {
                    continue;
                }
            } else if chunk.len() == 1 {
                self.turn(&line)?;
                continue;
            }
            let table = self.table.ok_or_else(|| bad("rows of no table"))?;
            if !line.starts_with('[') {
                self.turn(&line)?;
            }
            chunk.push(']');
            return Ok(Some((table, chunk)));
        }
        Ok(None)
    }

    /// The keys of the logs verify the signature at the end.
    fn note_vkey(&mut self, line: &str) -> Result<(), RestoreError> {
        if self.table.is_some_and(|table| table.name == LOGS.name) {
            let row: (i64, String, String) = serde_json::from_str(line).map_err(bad)?;
            self.vkeys.push(row.2);
        }
        Ok(())
    }

    fn turn(&mut self, line: &str) -> Result<(), RestoreError> {
        match serde_json::from_str(line).map_err(|_| bad("a line that is no row and no mark"))? {
            Mark::Table(name) => {
                let table = TABLES.iter().find(|table| table.name == name);
                self.table = Some(table.ok_or_else(|| bad("this version does not know one of its tables; restore it with the version that wrote it"))?);
            }
            Mark::End(rows) if rows == self.rows => self.end()?,
            _ => return Err(bad("it does not have the rows that it should have")),
        }
        Ok(())
    }

    /// Only the end of the gzip file tells whether its bytes are those that were written.
    fn end(&mut self) -> Result<(), RestoreError> {
        let authenticity = if self.is_sealed {
            let digest = hex::encode(self.sha256.clone().finalize());
            match serde_json::from_str(&self.line()?) {
                Ok(Mark::Seal(seal)) => seal.check(&digest, &self.vkeys, &self.trust)?,
                _ => return Err(bad("its seal is missing")),
            }
        } else {
            Authenticity::Unproved("an earlier version of the program wrote it")
        };
        let rest = self.input.read(&mut [0]).map_err(bad)?;
        let after = self.input.get_mut().get_mut().fill_buf().map_err(bad)?;
        if rest != 0 || !after.is_empty() {
            return Err(bad("it goes on after its end"));
        }
        self.authenticity = Some(authenticity);
        Ok(())
    }
}

/// Reads a backup to its end without a store, and checks its seal.
pub struct BackupCheck<R: Read>(Lines<R>);

impl<R: Read> BackupCheck<R> {
    /// Reads the beginning.
    pub fn open(file: R, trust: BackupTrust) -> Result<Self, RestoreError> {
        Ok(Self(Lines::open(file, trust)?))
    }

    /// Reads a few megabytes more; whether that was not the end.
    pub fn step(&mut self) -> Result<bool, RestoreError> {
        Ok(self.0.next_chunk()?.is_some())
    }

    /// How many rows it had until now.
    pub fn rows(&self) -> u64 {
        self.0.rows
    }

    /// What proves that it is as it was written; none before its end.
    pub fn authenticity(&self) -> Option<&Authenticity> {
        self.0.authenticity.as_ref()
    }
}
