import { type Need, permits } from "../api/grants";

/** What a role must allow for a tab; every role may use the others. */
const NEEDS: Readonly<Partial<Record<string, Need>>> = {
  "/settings/service-keys": "company",
  "/settings/webhooks": "company",
  "/settings/approval": "company",
};

/** Returns whether these roles may use the tab. */
export const mayOpenTab = (roles: readonly string[], to: string): boolean =>
  permits(roles, NEEDS[to]);

/** The tabs of pages, for the tab bar and the palette. */
export const tabs = {
  flags: [
    { to: "/flags/segments", tab: "segments" },
    { to: "/flags/attributes", tab: "attributes" },
    { to: "/flags/metrics", tab: "metrics" },
    { to: "/flags/history", tab: "history" },
    { to: "/flags/planned", tab: "planned" },
    { to: "/flags/stale", tab: "stale" },
    { to: "/flags/json", tab: "json" },
  ],
  consents: [
    { to: "/consents/verify", tab: "verify" },
    { to: "/consents/log", tab: "log" },
  ],
  settings: [
    { to: "/settings/keys", tab: "keys" },
    { to: "/settings/users", tab: "users" },
    { to: "/settings/service-keys", tab: "serviceKeys" },
    { to: "/settings/webhooks", tab: "webhooks" },
    { to: "/settings/approval", tab: "approvalRules" },
    { to: "/settings/markets", tab: "markets" },
    { to: "/settings/environments", tab: "environments" },
    { to: "/settings/sign-in", tab: "signIn" },
    { to: "/settings/about", tab: "about" },
  ],
} as const;

export const tabbed = ["flags", "consents", "settings"] as const satisfies (keyof typeof tabs)[];

export type Tab = (typeof tabs)[(typeof tabbed)[number]][number]["tab"];
