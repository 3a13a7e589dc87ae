//! Splits a batch that contains invalid rows until each invalid row is alone, so that only invalid
//! rows are skipped. Otherwise one invalid row would make the rows of all other clients fail too.

use crate::db::error::StoreError;

pub(crate) struct Bisection<'a, T> {
    pending: Vec<&'a [T]>,
    rejected: Vec<&'a T>,
}

impl<'a, T> Bisection<'a, T> {
    pub(crate) fn new(rows: &'a [T]) -> Self {
        Self { pending: vec![rows], rejected: Vec::new() }
    }

    /// Returns the next part to write; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<&'a [T]> {
        self.pending.pop()
    }

    /// Records that a part was not written. Returns the error if the values of the part did not
    /// cause it: then no other part could be written either.
    pub(crate) fn failed(&mut self, part: &'a [T], error: StoreError) -> Result<(), StoreError> {
        if !error.is_caused_by_values() {
            return Err(error);
        }
        if part.len() <= 1 {
            tracing::error!(error = %error, "a row was dropped because the database rejected its content");
            self.rejected.extend(part);
            return Ok(());
        }
        let (first, second) = part.split_at(part.len() / 2);
        self.pending.extend([second, first]);
        Ok(())
    }

    /// Returns the rows that were skipped.
    pub(crate) fn rejected(&self) -> &[&'a T] {
        &self.rejected
    }
}
