//! Converts GrowthBook's conditions, which follow MongoDB's queries.

use serde_json::{Map, Value};

use super::test::{Reading, tests};
use crate::flags::document::Condition;
use crate::flags::import::draft::not;
use crate::flags::import::report::{OmittedItem, SourcePointer};

impl Reading<'_> {
    /// Returns the condition, or the first part of it that cannot be converted.
    pub(super) fn condition(
        &mut self,
        condition: &Map<String, Value>,
        place: &SourcePointer,
    ) -> Result<Condition, OmittedItem> {
        let mut parts = Vec::new();
        for (name, value) in condition {
            let place = place.at(name);
            parts.push(match name.as_str() {
                "$and" => Condition::All(self.each(value, &place)?),
                "$nor" => not(self.any(value, &place)?),
                "$or" => self.any(value, &place)?,
                "$not" => {
                    let value = value.as_object();
                    not(self.condition(
                        value.ok_or_else(|| place.left_out("not a condition"))?,
                        &place,
                    )?)
                }
                _ => tests(self, name, value).map_err(|reason| place.left_out(reason))?,
            });
        }
        Ok(Condition::All(parts))
    }

    /// Converts `$or`. An empty `$or` is true in GrowthBook.
    fn any(&mut self, value: &Value, place: &SourcePointer) -> Result<Condition, OmittedItem> {
        let parts = self.each(value, place)?;
        Ok(if parts.is_empty() { Condition::always() } else { Condition::Any(parts) })
    }

    fn each(
        &mut self,
        value: &Value,
        place: &SourcePointer,
    ) -> Result<Vec<Condition>, OmittedItem> {
        let list = value.as_array().ok_or_else(|| place.left_out("not a list of conditions"))?;
        let mut parts = Vec::new();
        for (i, part) in list.iter().enumerate() {
            let place = place.at(i);
            let part = part.as_object().ok_or_else(|| place.left_out("not a condition"))?;
            parts.push(self.condition(part, &place)?);
        }
        Ok(parts)
    }
}
