import { queryOptions } from "@tanstack/react-query";
import { changeAdmin, readAdmin } from "../api/admin";

/** How the server was started, without its secrets, and whether codes get anywhere. */
export interface Settings {
  readonly version: string;
  readonly engine: "sqlite" | "postgres";
  readonly public_url?: string;
  readonly issuer: string;
  readonly demo: boolean;
  readonly delivery: {
    readonly kind: "log" | "smtp" | "webhook";
    /** False where codes reach nobody. */
    readonly sends: boolean;
    readonly address?: string;
    readonly sender?: string;
    readonly last_24_hours: { readonly sent: number; readonly failed: number };
    readonly last_failure?: { readonly at: string; readonly reason: string };
  };
  readonly sign_in: {
    readonly password: boolean;
    readonly oidc?: { readonly issuer: string; readonly name: string };
  };
  readonly cors_origins: readonly string[];
  readonly flag_key?: string;
  readonly retention: Readonly<Record<Kept, number>>;
  readonly limits: {
    readonly submissions_per_minute?: number;
    readonly reads_per_minute?: number;
    readonly json_bytes: number;
    readonly document_bytes: number;
  };
}

export const KEPT = [
  "idempotency_keys_days",
  "ended_sessions_days",
  "flag_events_days",
  "flag_usage_days",
  "term_views_days",
] as const;
export type Kept = (typeof KEPT)[number];

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: () => readAdmin<Settings>("/settings"),
});

/** To an address of one's own, and to no other. */
export const testDelivery = (to: string) =>
  changeAdmin<{ readonly to: string }>("/settings/delivery/test", {
    method: "POST",
    body: { to },
  });
