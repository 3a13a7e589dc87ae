import type { Item } from "../document/objects";
import { same } from "../document/same";

/** A part of an object that two people have changed from the same base. */
export interface PartConflict {
  /** The name of the member; for an element of a list, the list's name and the element's identifier. */
  readonly part: string;
  /** The base object, and the object with only this part changed. */
  readonly base: Item;
  readonly theirs: Item;
  readonly mine: Item;
}

type Members = Readonly<Record<string, unknown>>;
type Three = readonly [base: unknown, theirs: unknown, mine: unknown];
type Elements = ReadonlyMap<string, unknown>;

/** Calls `conflict` if both have changed a value, and returns its result. */
function pick([base, theirs, mine]: Three, conflict: () => unknown): unknown {
  if (same(base, mine) || same(theirs, mine)) return theirs;
  return same(base, theirs) ? mine : conflict();
}

/**
 * Returns what identifies an element of a list: a rule's id, a variation's key, or the person of an
 * override.
 */
function nameOf(element: unknown): string | undefined {
  const members = (typeof element === "object" && element ? element : {}) as Members;
  const name =
    members.unit === undefined
      ? (members.id ?? members.key ?? members.flag ?? members.experiment)
      : members.id;
  return typeof name === "string" ? [members.unit, name].filter(Boolean).join(" ") : undefined;
}

/** Returns the elements by their identifiers; undefined if it is not a list or they are not unique. */
function elementsOf(list: unknown): Elements | undefined {
  if (!Array.isArray(list)) return undefined;
  const elements = new Map(list.map((element) => [nameOf(element) ?? "", element]));
  return elements.size === list.length && !elements.has("") ? elements : undefined;
}

/**
 * Returns the identifiers of all elements in the changed order; undefined if both sides have
 * changed it.
 */
function orderOf(base: Elements, theirs: Elements, mine: Elements): readonly string[] | undefined {
  const common = (of: Elements) =>
    [...of.keys()].filter((name) => [base, theirs, mine].every((side) => side.has(name)));
  const [was, there, here] = [common(base), common(theirs), common(mine)];
  const isMine = !same(was, here);
  if (isMine && !same(was, there) && !same(here, there)) return undefined;
  const order = [...(isMine ? mine : theirs).keys()];
  // Each element of the other side is inserted after its predecessor there.
  let before = -1;
  for (const name of (isMine ? theirs : mine).keys()) {
    const at = order.indexOf(name);
    if (at < 0) order.splice(before + 1, 0, name);
    before = at < 0 ? before + 1 : at;
  }
  return order;
}

/**
 * Applies the differences between `base` and `mine` to `theirs`, member by member and element by
 * element.
 */
export function mergeItem(
  base: Item,
  theirs: Item,
  mine: Item,
  isMine: (part: string) => boolean,
): { readonly item: Item; readonly conflicts: readonly PartConflict[] } {
  const conflicts: PartConflict[] = [];
  const [was, there, here] = [base, theirs, mine] as unknown as readonly Members[];
  const names = new Set([was, there, here].flatMap((members) => Object.keys(members ?? {})));

  const choose = (part: string, three: Three, laid: (value: unknown) => unknown) => {
    const [name = part] = part.split("/");
    const alone = (value: unknown) => ({ ...was, [name]: laid(value) }) as unknown as Item;
    conflicts.push({ part, base, theirs: alone(three[1]), mine: alone(three[2]) });
    return isMine(part) ? three[2] : three[1];
  };
  const merged = [...names].map((name) => {
    const three: Three = [was?.[name], there?.[name], here?.[name]];
    const both = () => {
      const [a, b, c] = three.map(elementsOf);
      if (!a || !b || !c) return choose(name, three, (value) => value);
      const order = orderOf(a, b, c);
      if (!order) return choose(name, three, (value) => value);
      return order.flatMap((element) => {
        const laid = (value: unknown) =>
          [...new Map(a).set(element, value).values()].filter((value) => value !== undefined);
        const each: Three = [a.get(element), b.get(element), c.get(element)];
        const chosen = pick(each, () => choose(`${name}/${element}`, each, laid));
        return chosen === undefined ? [] : [chosen];
      });
    };
    return [name, pick(three, both)] as const;
  });
  const defined = merged.filter(([, value]) => value !== undefined);
  return { item: Object.fromEntries(defined) as unknown as Item, conflicts };
}
