import { api } from "../../api/client";
import type { PublishedTerm } from "../terms-query";

const TERM = "/api/admin/v1/terms/{id}";

export const cancelVersion = ({ id }: PublishedTerm) =>
  api.post(`${TERM}/cancellation`, { path: { id } });

export const undoCancellation = ({ id }: PublishedTerm) =>
  api.delete(`${TERM}/cancellation`, { path: { id } });

/** From `at` on, else at once. */
export const retireDocument = ({ id }: PublishedTerm, at: string | undefined) =>
  api.post(`${TERM}/retirement`, { path: { id }, body: at === undefined ? {} : { at } });

export const undoRetirement = ({ id }: PublishedTerm) =>
  api.delete(`${TERM}/retirement`, { path: { id } });
