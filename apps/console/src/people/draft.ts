import { ROLES, type Role } from "./people-search";

/** Somebody who is being added, as far as it has been typed. */
export interface PersonDraft {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly roles: readonly Role[];
}

const KEY = "musette.console.person";

export const emptyDraft = (roles: readonly Role[]): PersonDraft => ({
  userId: "",
  name: "",
  email: "",
  phone: "",
  roles,
});

/** Of this tab and this visit only: it names a person. */
export function readDraft(): PersonDraft | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (typeof kept !== "object" || !kept) return undefined;
    const held: Partial<Record<string, unknown>> = { ...kept };
    const text = (name: string) => (typeof held[name] === "string" ? held[name] : "");
    const roles = Array.isArray(held.roles) ? held.roles : [];
    return {
      userId: text("userId"),
      name: text("name"),
      email: text("email"),
      phone: text("phone"),
      roles: ROLES.filter((role) => roles.includes(role)),
    };
  } catch {
    // No storage, or something else in it: then it begins empty.
    return undefined;
  }
}

export function writeDraft(draft: PersonDraft): void {
  const isTyped = [draft.userId, draft.name, draft.email, draft.phone].some(Boolean);
  if (!isTyped) {
    dropDraft();
    return;
  }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // No storage: it is only forgotten earlier.
  }
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // See above.
  }
}
