import { grantOf } from "../api/grants";
import { storedValue } from "../storage/storage";
import { ROLES } from "./people-search";

/** A person in the form. */
export interface PersonDraft {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly market: string;
  readonly roles: readonly string[];
}

export const emptyDraft = (roles: readonly string[], market = ""): PersonDraft => ({
  userId: "",
  name: "",
  email: "",
  phone: "",
  market,
  roles,
});

const text = (value: unknown) => (typeof value === "string" ? value : "");

function check(value: unknown): PersonDraft | undefined {
  if (typeof value !== "object" || !value) return undefined;
  const stored: Partial<Record<string, unknown>> = { ...value };
  const { userId, name, email, phone, market, roles } = stored;
  const ticked = Array.isArray(roles) ? roles : [];
  return {
    userId: text(userId),
    name: text(name),
    email: text(email),
    phone: text(phone),
    market: text(market),
    roles: ticked.filter(
      (role) =>
        typeof role === "string" && (ROLES as readonly string[]).includes(grantOf(role).role),
    ),
  };
}

/** Stored only for this tab, because it names a person. */
export const personDraft = storedValue("musette.console.person", check, "sessionStorage");

/** Returns the draft; undefined if only roles were chosen. */
export const nonEmptyDraft = (draft: PersonDraft): PersonDraft | undefined =>
  [draft.userId, draft.name, draft.email, draft.phone].some(Boolean) ? draft : undefined;
