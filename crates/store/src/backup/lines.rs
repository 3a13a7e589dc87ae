//! Reads a backup as lines, and rejects a truncated or modified one. Writes its lines.

use std::io::{BufRead as _, BufReader, Read, Write};

use flate2::bufread::GzDecoder;
use sha2::{Digest as _, Sha256};

use super::seal::{Authenticity, BackupTrust};
use super::{CHUNK_BYTES, FORMAT, Mark, RestoreError, TABLES, UNSEALED_FORMAT};
use crate::db::batch::Table;
use crate::db::error::StoreError;
use crate::log::LOGS;

/// Bytes that are compressed at once, so that the thread can serve other tasks in between.
const PIECE_BYTES: usize = 64 * 1024;

/// Writes a line, and yields between its pieces.
pub(super) async fn write_line(out: &mut impl Write, line: &str) -> Result<(), StoreError> {
    for piece in line.as_bytes().chunks(PIECE_BYTES) {
        out.write_all(piece)?;
        if piece.len() == PIECE_BYTES {
            tokio::task::yield_now().await;
        }
    }
    Ok(out.write_all(b"\n")?)
}

/// The lines of a backup, in chunks that fit into one statement.
pub struct Lines<R: Read> {
    input: BufReader<GzDecoder<BufReader<R>>>,
    table: Option<&'static Table>,
    pub rows: u64,
    /// What proves that the backup is authentic; `None` before the end.
    pub authenticity: Option<Authenticity>,
    trust: BackupTrust,
    is_sealed: bool,
    sha256: Sha256,
    /// Verifier keys of the logs in the file.
    vkeys: Vec<String>,
}

fn bad_file(what: impl ToString) -> RestoreError {
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
                Err(bad_file("it was written by an earlier version, which did not sign backups"))
            }
            Ok(Mark::Format(format)) => Err(bad_file(format!(
                "it was written by another version of the program (format {format}; this version reads {FORMAT})"
            ))),
            _ => Err(bad_file("it does not start with the header of a backup")),
        }
    }

    fn line(&mut self) -> Result<String, RestoreError> {
        let mut line = String::new();
        self.input.read_line(&mut line).map_err(bad_file)?;
        if line.ends_with('\n') { Ok(line) } else { Err(bad_file("it is truncated")) }
    }

    /// Reads a line that the seal covers, without its line break.
    fn hashed_line(&mut self) -> Result<String, RestoreError> {
        let mut line = self.line()?;
        self.sha256.update(&line);
        line.pop();
        Ok(line)
    }

    /// Returns rows of one table as a JSON array; `None` at the end.
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
                self.apply_mark(&line)?;
                continue;
            }
            let table =
                self.table.ok_or_else(|| bad_file("it has rows before the name of a table"))?;
            if !line.starts_with('[') {
                self.apply_mark(&line)?;
            }
            chunk.push(']');
            return Ok(Some((table, chunk)));
        }
        Ok(None)
    }

    /// Collects the keys of the logs, which verify the signature at the end.
    fn note_vkey(&mut self, line: &str) -> Result<(), RestoreError> {
        if self.table.is_some_and(|table| table.name == LOGS.name) {
            let row: (i64, String, String) = serde_json::from_str(line).map_err(bad_file)?;
            self.vkeys.push(row.2);
        }
        Ok(())
    }

    fn apply_mark(&mut self, line: &str) -> Result<(), RestoreError> {
        match serde_json::from_str(line)
            .map_err(|_| bad_file("it has a line that is neither a row nor a mark"))?
        {
            Mark::Table(name) => {
                let table = TABLES.iter().find(|table| table.name == name);
                self.table = Some(table.ok_or_else(|| bad_file("it has a table that this version does not support; restore it with the version that wrote it"))?);
            }
            Mark::End(rows) if rows == self.rows => self.check_end()?,
            _ => return Err(bad_file("its number of rows is wrong")),
        }
        Ok(())
    }

    /// Checks the seal. Only the end of the gzip file proves that its bytes are those that were
    /// written.
    fn check_end(&mut self) -> Result<(), RestoreError> {
        let authenticity = if self.is_sealed {
            let digest = hex::encode(self.sha256.clone().finalize());
            match serde_json::from_str(&self.line()?) {
                Ok(Mark::Seal(seal)) => seal.check(&digest, &self.vkeys, &self.trust)?,
                _ => return Err(bad_file("its seal is missing")),
            }
        } else {
            Authenticity::Unproved("it was written by an earlier version of the program")
        };
        let rest = self.input.read(&mut [0]).map_err(bad_file)?;
        let after = self.input.get_mut().get_mut().fill_buf().map_err(bad_file)?;
        if rest != 0 || !after.is_empty() {
            return Err(bad_file("it has data after its end"));
        }
        self.authenticity = Some(authenticity);
        Ok(())
    }
}

/// Checks a backup and its seal without a store, by reading it to its end.
pub struct BackupCheck<R: Read>(Lines<R>);

impl<R: Read> BackupCheck<R> {
    /// Reads the header of the file.
    pub fn open(file: R, trust: BackupTrust) -> Result<Self, RestoreError> {
        Ok(Self(Lines::open(file, trust)?))
    }

    /// Reads a few more megabytes and returns whether more data may follow.
    pub fn step(&mut self) -> Result<bool, RestoreError> {
        Ok(self.0.next_chunk()?.is_some())
    }

    /// Returns how many rows were read so far.
    pub fn rows(&self) -> u64 {
        self.0.rows
    }

    /// Returns what proves that the backup is authentic; `None` before its end.
    pub fn authenticity(&self) -> Option<&Authenticity> {
        self.0.authenticity.as_ref()
    }
}
