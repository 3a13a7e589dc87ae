import { type Address, address, oneOf, text } from "../routes/address";
export const ROLES = ["rider", "worker", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What the list of people shows: it stands in the address, so that it can be kept and sent. */
export const readPeopleSearch = address({ q: text(), role: oneOf(...ROLES) });
export type PeopleSearch = Address<typeof readPeopleSearch>;
