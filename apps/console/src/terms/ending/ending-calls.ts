import { api } from "../../api/client";
import type { PublishedTerm } from "../terms-query";

const TERM = "/api/admin/v1/terms/{id}";

/** Returns the query with an admin's reason for bypassing missing approvals. */
const reasonQuery = (breakGlass: string | undefined) =>
  breakGlass === undefined ? {} : { query: { break_glass: breakGlass } };

export const cancelVersion = ({ id }: PublishedTerm, breakGlass?: string) =>
  api.post(`${TERM}/cancellation`, { path: { id }, ...reasonQuery(breakGlass) });

export const undoCancellation = ({ id }: PublishedTerm, breakGlass?: string) =>
  api.delete(`${TERM}/cancellation`, { path: { id }, ...reasonQuery(breakGlass) });

/** Retires the document at `at`; without it, at once. */
export const retireDocument = (
  { id }: PublishedTerm,
  at: string | undefined,
  breakGlass?: string,
) =>
  api.post(`${TERM}/retirement`, {
    path: { id },
    ...reasonQuery(breakGlass),
    body: at === undefined ? {} : { at },
  });

export const undoRetirement = ({ id }: PublishedTerm, breakGlass?: string) =>
  api.delete(`${TERM}/retirement`, { path: { id }, ...reasonQuery(breakGlass) });
