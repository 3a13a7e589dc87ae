/** Whether two values of JSON say the same; in which order their members stand says nothing. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other)) return false;
    return one.length === other.length && one.every((it, index) => same(it, other[index]));
  }
  const [mine, theirs] = [said(one), said(other)];
  return mine.size === theirs.size && [...mine].every(([name, it]) => same(it, theirs.get(name)));
}

/** A member that is undefined is not there: it does not reach the server either. */
const said = (it: object) =>
  new Map<string, unknown>(Object.entries(it).filter(([, value]) => value !== undefined));
