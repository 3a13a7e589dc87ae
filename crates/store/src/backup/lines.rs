//! Reads a backup as lines, and refuses one that is cut off or changed.

use std::io::{BufRead as _, BufReader, Read};

use flate2::read::GzDecoder;

use super::{CHUNK_BYTES, FORMAT, Mark, RestoreError, TABLES};
use crate::db::batch::Table;

/// The lines of a backup, in chunks that fit a statement.
pub struct Lines<R: Read> {
    input: BufReader<GzDecoder<R>>,
    table: Option<&'static Table>,
    pub rows: u64,
    ended: bool,
}

impl<R: Read> Lines<R> {
    pub fn open(file: R) -> Result<Self, RestoreError> {
        let input = BufReader::new(GzDecoder::new(file));
        let mut lines = Self { input, table: None, rows: 0, ended: false };
        let first = lines.line()?;
        match serde_json::from_str(&first) {
            Ok(Mark::Format(format)) if format == FORMAT => Ok(lines),
            Ok(Mark::Format(format)) => Err(RestoreError::BadFile(format!(
                "another version of the program wrote it ({format}; this one reads {FORMAT})"
            ))),
            _ => Err(RestoreError::BadFile("it does not start like one".into())),
        }
    }

    fn line(&mut self) -> Result<String, RestoreError> {
        let mut line = String::new();
        self.input
            .read_line(&mut line)
            .map_err(|error| RestoreError::BadFile(error.to_string()))?;
        if line.pop() != Some('\n') {
            return Err(RestoreError::BadFile("it is cut off".into()));
        }
        Ok(line)
    }

    /// Rows of one table as a JSON array; none at the end.
    pub fn next_chunk(&mut self) -> Result<Option<(&'static Table, String)>, RestoreError> {
        let mut chunk = String::from("[");
        while !self.ended {
            let line = self.line()?;
            if line.starts_with('[') {
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
            let table =
                self.table.ok_or_else(|| RestoreError::BadFile("rows of no table".into()))?;
            if !line.starts_with('[') {
                self.turn(&line)?;
            }
            chunk.push(']');
            return Ok(Some((table, chunk)));
        }
        Ok(None)
    }

    fn turn(&mut self, line: &str) -> Result<(), RestoreError> {
        let bad = |what: &str| RestoreError::BadFile(what.to_owned());
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
        let rest = self.input.read(&mut [0]).map_err(|e| RestoreError::BadFile(e.to_string()))?;
        if rest != 0 {
            return Err(RestoreError::BadFile("it goes on after its end".into()));
        }
        self.ended = true;
        Ok(())
    }
}
