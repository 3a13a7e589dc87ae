import { api } from "../../api/client";
import type { Wire } from "../../api/wire";

export type OrderedTerm = Wire<"OrderedTerm">;

const ORDER = "/api/admin/v1/terms/order";

export const readOrder = (type: string) => api.tagged(ORDER, { query: { type } });

export const writeOrder = (
  type: string,
  ids: readonly number[],
  etag: string,
  breakGlass?: string,
) =>
  api.put(ORDER, {
    body: { type, ids },
    ifMatch: etag,
    ...(breakGlass && { query: { break_glass: breakGlass } }),
  });

/** Returns the number in the ETag of an order. */
export const revisionOf = (etag: string) => Number(etag.replaceAll('"', ""));

/** Restores the former order, unless another person has changed it since. */
export async function restoreOrder(type: string, ids: readonly number[], since: readonly number[]) {
  const { body, etag } = await readOrder(type);
  if (body.items.some(({ id }, index) => id !== since[index])) return false;
  await writeOrder(type, ids, etag);
  return true;
}
