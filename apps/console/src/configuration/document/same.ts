/** Whether two JSON values are equal. The order of members does not matter. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other)) return false;
    return one.length === other.length && one.every((value, index) => same(value, other[index]));
  }
  const [first, second] = [definedMembers(one), definedMembers(other)];
  return first.size === second.size && [...first].every(([name, it]) => same(it, second.get(name)));
}

/** Undefined members count as absent, as in JSON. */
const definedMembers = (object: object) =>
  new Map<string, unknown>(Object.entries(object).filter(([, value]) => value !== undefined));
