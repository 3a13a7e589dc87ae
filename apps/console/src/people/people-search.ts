export const ROLES = ["rider", "worker", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What the list of people shows: it stands in the address, so that it can be kept and sent. */
export interface PeopleSearch {
  readonly q?: string;
  readonly role?: Role;
}

export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
  // The router reads a bare number as one, and a phone number or an id may be a number.
  const q = ["string", "number"].includes(typeof search.q) ? String(search.q).trim() : "";
  const role = ROLES.find((role) => role === search.role);
  return { ...(q && { q }), ...(role && { role }) };
}

/** As the server is asked. */
export function peopleParameters({ q, role }: PeopleSearch): URLSearchParams {
  return new URLSearchParams({ ...(q && { q }), ...(role && { role }) });
}
