import {
  type Condition,
  type Flag,
  type FlagsDocument,
  withFlag,
  withLayer,
  withSegment,
} from "../document/document";

/** Collects all attributes and segments that a condition uses. */
function collectReferences(
  condition: Condition,
  used: { attributes: Set<string>; segments: Set<string> },
) {
  if ("attr" in condition) used.attributes.add(condition.attr);
  else if ("segment" in condition) used.segments.add(condition.segment);
  else if ("not" in condition) collectReferences(condition.not, used);
  else
    for (const part of "all" in condition ? condition.all : condition.any)
      collectReferences(part, used);
}

/**
 * Returns `to` with this flag of `from` and the missing objects that it needs. Whether it is on in
 * `to` does not change.
 */
export function copyFlag(from: FlagsDocument, to: FlagsDocument, flag: Flag): FlagsDocument {
  const used = { attributes: new Set<string>(), segments: new Set<string>() };
  for (const rule of flag.rules) {
    collectReferences(rule.when, used);
    if ("rollout" in rule.serve) used.attributes.add(rule.serve.rollout.unit);
  }
  // Iterating over a Set includes members that are added meanwhile.
  for (const key of used.segments) {
    const segment = from.segments.find((segment) => segment.key === key);
    if (segment) collectReferences(segment.match, used);
  }
  const existing = to.flags.find(({ key }) => key === flag.key);
  let copied = withFlag(to, { ...flag, ...(existing && { on: existing.on }) });
  for (const segment of from.segments) {
    const isMissing = !to.segments.some(({ key }) => key === segment.key);
    if (used.segments.has(segment.key) && isMissing) copied = withSegment(copied, segment);
  }
  const attributes = from.attributes.filter(
    ({ name }) =>
      used.attributes.has(name) && !to.attributes.some((attribute) => attribute.name === name),
  );
  for (const { serve } of flag.rules) {
    const layer = "experiment" in serve ? serve.experiment.layer : undefined;
    const original = from.layers.find(({ key }) => key === layer);
    if (!original || !("experiment" in serve) || to.layers.some(({ key }) => key === layer))
      continue;
    const slots = original.slots.filter(({ experiment }) => experiment === serve.experiment.key);
    copied = withLayer(copied, { ...original, slots });
  }
  return { ...copied, attributes: [...copied.attributes, ...attributes] };
}
