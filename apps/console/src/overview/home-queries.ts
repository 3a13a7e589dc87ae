import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import { EVALUATIONS } from "../evaluations/evaluations-queries";
import { RESTRICTIONS } from "../restrictions/restrictions-queries";

const DAY_MS = 86_400_000;
const PAGE = 200;

/** Returns the time so many days before now, at a full hour, so that a query keeps its key. */
export const daysAgo = (days: number, now = Date.now()): string =>
  new Date(Math.floor(now / 3_600_000) * 3_600_000 - days * DAY_MS).toISOString();

/** The withdrawals since a time: at most a page, which is more than a person reads. */
export const withdrawalsQuery = (since: string) =>
  queryOptions({
    queryKey: ["consents", "withdrawals", since],
    queryFn: () =>
      api.get("/api/admin/v1/consents", { query: { decision: "withdrawn", since, limit: PAGE } }),
    staleTime: 60_000,
  });

export const webhookListQuery = queryOptions({
  queryKey: ["overview", "webhooks"],
  queryFn: () => api.get("/api/admin/v1/webhooks", { query: { limit: PAGE } }),
  staleTime: 60_000,
});

export const serviceKeyListQuery = queryOptions({
  queryKey: ["overview", "service-keys"],
  queryFn: () => api.get("/api/admin/v1/service-keys", { query: { limit: PAGE } }),
  staleTime: 60_000,
});

/** The settings of the server, with the counts of sent and failed codes. */
export const settingsQuery = queryOptions({
  queryKey: ["overview", "settings"],
  queryFn: () => api.get("/api/admin/v1/settings"),
  staleTime: 60_000,
});

/** The number of bypassed approvals since a time. */
export const bypassesQuery = (since: string) =>
  queryOptions({
    queryKey: ["audit", "bypasses", since],
    queryFn: () =>
      api.get("/api/admin/v1/audit", { query: { event: "approval_bypassed", since, limit: PAGE } }),
    staleTime: 60_000,
  });

/** The open discussions, by the date on which the answer is due: at most a page. */
export const openDiscussionsQuery = queryOptions({
  // Its first part is that of the list, so that an answer fetches it again.
  queryKey: [EVALUATIONS, "open"],
  queryFn: () => api.get(EVALUATIONS, { query: { status: "IN_DISCUSSION", limit: PAGE } }),
  staleTime: 60_000,
});

/** The open reviews of restrictions, by the date on which the answer is due: at most a page. */
export const openReviewsQuery = queryOptions({
  queryKey: [RESTRICTIONS, "open"],
  queryFn: () => {
    // Only open reviews have a due date, which is never so far ahead.
    const query = { due_before: daysAgo(-366), limit: PAGE };
    return api.get(RESTRICTIONS, { query });
  },
  staleTime: 60_000,
});
