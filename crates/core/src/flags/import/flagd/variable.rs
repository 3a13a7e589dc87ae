use serde_json::Value;

/// Returns the attribute that `{"var": "…"}` reads, or `None` for other logic.
pub(super) fn read(logic: &Value) -> Option<Result<&str, String>> {
    let operand = operands(logic, "var")?;
    let name = match operand {
        Value::Array(with_default) if with_default.len() == 1 => &with_default[0],
        other => other,
    };
    let Some(name) = name.as_str().filter(|name| !name.is_empty()) else {
        return Some(Err("an attribute must be read by its name and without a default".to_owned()));
    };
    Some(match name {
        "targetingKey" => Ok("key"),
        _ if name.starts_with("$flagd") => Err(format!("{name} has no counterpart")),
        _ if name.contains('.') => {
            Err(format!("{name} is nested in another attribute, but attributes must be flat"))
        }
        _ => Ok(name),
    })
}

/// Returns the operands of an operator.
pub(super) fn operands<'a>(logic: &'a Value, operator: &str) -> Option<&'a Value> {
    let object = logic.as_object().filter(|object| object.len() == 1)?;
    object.get(operator)
}
