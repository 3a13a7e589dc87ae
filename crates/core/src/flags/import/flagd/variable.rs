use serde_json::Value;

/// The attribute that `{"var": "…"}` reads; none where it is something else.
pub(super) fn read(logic: &Value) -> Option<Result<&str, String>> {
    let read = operands(logic, "var")?;
    let name = match read {
        Value::Array(with_default) if with_default.len() == 1 => &with_default[0],
        other => other,
    };
    let Some(name) = name.as_str().filter(|name| !name.is_empty()) else {
        return Some(Err("an attribute is read by its name, and without a default".to_owned()));
    };
    Some(match name {
        "targetingKey" => Ok("key"),
        _ if name.starts_with("$flagd") => Err(format!("no counterpart of {name}")),
        _ if name.contains('.') => {
            Err(format!("{name} lies inside another attribute, and attributes here are flat"))
        }
        _ => Ok(name),
    })
}

/// The operands of an operator.
pub(super) fn operands<'a>(logic: &'a Value, operator: &str) -> Option<&'a Value> {
    let object = logic.as_object().filter(|object| object.len() == 1)?;
    object.get(operator)
}
