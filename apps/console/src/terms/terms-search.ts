export const statuses = ["draft", "scheduled", "active", "superseded"] as const;
export type TermStatus = (typeof statuses)[number];

export const sorts = ["order", "newest", "title"] as const;
export type TermsSort = (typeof sorts)[number];

/** What the list shows: it stands in the address, so that it can be kept and sent. */
export interface TermsSearch {
  readonly status?: TermStatus;
  readonly type?: string;
  /** In the order in which riders see them unless it says otherwise. */
  readonly sort?: Exclude<TermsSort, "order">;
}

/** As the server takes a type. */
export const TYPE = /^[A-Z][A-Z0-9_]{0,31}$/;

export function readTermsSearch(search: Record<string, unknown>): TermsSearch {
  const status = statuses.find((it) => it === search.status);
  const type = typeof search.type === "string" && TYPE.test(search.type) ? search.type : undefined;
  const sort = sorts.find((it) => it === search.sort);
  return {
    ...(status && { status }),
    ...(type && { type }),
    ...(sort && sort !== "order" && { sort }),
  };
}
