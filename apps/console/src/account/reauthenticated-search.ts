import { address, text } from "../routes/address";

export const readReauthenticatedSearch = address({
  /** Why the person is not confirmed: a code of the server. */
  trouble: text(),
});
