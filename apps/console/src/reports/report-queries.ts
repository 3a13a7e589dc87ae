import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import { fetchFile } from "../api/download";
import type { Wire } from "../api/wire";
import type { Period } from "./report-search";

export type ReportRow = Wire<"DecisionsReportRow">;
/** A count, `<10`, or null for a total that would give a small count away. */
export type ReportedCount = number | string | null;

const REPORT = "/api/admin/v1/reports/decisions";

/** The rows of all markets that the reader may see: the page filters them, and offers their markets. */
export const reportQuery = ({ from, to }: Period) =>
  queryOptions({
    queryKey: [REPORT, from, to],
    queryFn: async () => (await api.get(REPORT, { query: { from, to } })).items,
  });

/** Fetches the same figures as CSV. */
export function fetchReport(
  { from, to }: Period,
  market: string | undefined,
  options: Parameters<typeof fetchFile>[1],
): Promise<Blob> {
  const query = new URLSearchParams({ from, to, format: "csv", ...(market && { market }) });
  return fetchFile(`${REPORT}?${query}`, options);
}
