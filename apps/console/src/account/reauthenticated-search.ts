import { address, text } from "../routes/address";

export const readReauthenticatedSearch = address({
  /** Why the re-authentication failed: an error code of the server. */
  trouble: text(),
});
