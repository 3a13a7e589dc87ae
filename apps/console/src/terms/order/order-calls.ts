import { changeAdmin, readTagged, type Tagged } from "../../api/admin";

/** One document of a type: its version in effect, or the first that will be. */
export interface OrderedTerm {
  readonly id: number;
  readonly title: string;
  readonly mandatory: boolean;
  readonly status: "active" | "scheduled";
}

interface TermOrder {
  readonly type: string;
  readonly items: readonly OrderedTerm[];
}

export const readOrder = (type: string): Promise<Tagged<TermOrder>> =>
  readTagged<TermOrder>(`/terms/order?${new URLSearchParams({ type })}`);

export const writeOrder = (type: string, ids: readonly number[], etag: string) =>
  changeAdmin<TermOrder>("/terms/order", { method: "PUT", body: { type, ids }, ifMatch: etag });

/** Puts them back as they were, unless somebody has changed the order since. */
export async function restoreOrder(type: string, ids: readonly number[], since: readonly number[]) {
  const { body, etag } = await readOrder(type);
  if (body.items.some(({ id }, index) => id !== since[index])) return false;
  await writeOrder(type, ids, etag);
  return true;
}
