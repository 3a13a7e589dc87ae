import type { Flag } from "../environment/document";
import type { FlagsSearch } from "./flags-search";

/** The flags that are asked for, in the order that is asked for; archived ones only when they are. */
export function listFlags(
  flags: readonly Flag[],
  search: FlagsSearch,
  stale: ReadonlySet<string>,
): readonly Flag[] {
  const parts = (search.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const isState = (flag: Flag) => {
    if (search.state === "archived") return flag.archived;
    if (flag.archived) return false;
    if (search.state === "stale") return stale.has(flag.key);
    return !search.state || flag.on === (search.state === "on");
  };
  const found = flags.filter((flag) => {
    if (!isState(flag)) return false;
    if (search.type && flag.type !== search.type) return false;
    if (search.owner && flag.owner !== search.owner) return false;
    if (search.tag && !flag.tags.includes(search.tag)) return false;
    if (parts.length === 0) return true;
    const text = [flag.key, flag.description, flag.owner, ...flag.tags].join(" ").toLowerCase();
    return parts.every((part) => text.includes(part));
  });
  return found.sort(orders[search.sort ?? "key"]);
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byKey = (a: Flag, b: Flag) => byText(a.key, b.key);

const orders: Readonly<Record<NonNullable<FlagsSearch["sort"]>, (a: Flag, b: Flag) => number>> = {
  key: byKey,
  "-key": (a, b) => byKey(b, a),
  // Those that nobody answers for come last.
  owner: (a, b) => byText(a.owner ?? "\uffff", b.owner ?? "\uffff") || byKey(a, b),
  state: (a, b) => Number(b.on) - Number(a.on) || byKey(a, b),
};

/** What can be filtered by. */
export function tagsAndOwners(flags: readonly Flag[]) {
  const unique = (values: Iterable<string>) => [...new Set(values)].sort(byText);
  return {
    tags: unique(flags.flatMap(({ tags }) => tags)),
    owners: unique(flags.flatMap(({ owner }) => owner ?? [])),
  };
}
