//! A batch of which one row is bad: it is halved until that row stands alone, and only it is left out.
//! Otherwise whoever gets a bad row in makes everybody else's fail with it.

use crate::db::error::StoreError;

pub(crate) struct Bisection<'a, T> {
    left: Vec<&'a [T]>,
    refused: Vec<&'a T>,
}

impl<'a, T> Bisection<'a, T> {
    pub(crate) fn new(rows: &'a [T]) -> Self {
        Self { left: vec![rows], refused: Vec::new() }
    }

    /// The next part to write; none when nothing is left.
    pub(crate) fn next(&mut self) -> Option<&'a [T]> {
        self.left.pop()
    }

    /// This part was not written. Gives the error back where that is not because of what is in it:
    /// then nothing else could be written either.
    pub(crate) fn failed(&mut self, part: &'a [T], error: StoreError) -> Result<(), StoreError> {
        if !error.is_of_the_data() {
            return Err(error);
        }
        if part.len() <= 1 {
            tracing::error!(error = %error, "a row was dropped because the database rejected its content");
            self.refused.extend(part);
            return Ok(());
        }
        let (first, second) = part.split_at(part.len() / 2);
        self.left.extend([second, first]);
        Ok(())
    }

    /// The rows that were left out.
    pub(crate) fn refused(&self) -> &[&'a T] {
        &self.refused
    }
}
