import type { Flag } from "../configuration/document/document";
import type { FlagsSearch } from "./flags-search";

/** Returns the flags that match the filters. Archived flags appear only if they are requested. */
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
  return flags.filter((flag) => {
    if (!isState(flag)) return false;
    if (search.type && flag.type !== search.type) return false;
    if (search.owner && flag.owner !== search.owner) return false;
    if (search.tag && !flag.tags.includes(search.tag)) return false;
    if (parts.length === 0) return true;
    const text = [flag.key, flag.description, flag.owner, ...flag.tags].join(" ").toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}

/** The sort value of each sortable column. */
export const SORTED_BY: Readonly<Record<string, (flag: Flag) => string | number | undefined>> = {
  key: ({ key }) => key,
  owner: ({ owner }) => owner,
  on: ({ on }) => Number(on),
};

/** Returns the tags and owners to filter by. */
export function tagsAndOwners(flags: readonly Flag[]) {
  const unique = (values: Iterable<string>) => [...new Set(values)].sort();
  return {
    tags: unique(flags.flatMap(({ tags }) => tags)),
    owners: unique(flags.flatMap(({ owner }) => owner ?? [])),
  };
}
