import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";

export type Settings = Wire<"SettingsBody">;

export const RETENTION_KEYS = [
  "idempotency_keys_days",
  "ended_sessions_days",
  "flag_events_days",
  "flag_usage_days",
  "term_views_days",
] as const satisfies readonly (keyof Settings["retention"])[];
export type RetentionKey = (typeof RETENTION_KEYS)[number];

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: () => api.get("/api/admin/v1/settings"),
});

/** Sends a test message, only to the operator's own address. */
export const testDelivery = (to: string) =>
  api.post("/api/admin/v1/settings/delivery/test", { body: { to } });
