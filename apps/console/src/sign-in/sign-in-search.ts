import { type Address, address, oneOf, text } from "../routes/address";

/** What the address of the sign-in page tells it. */
export const readSignInSearch = address({
  /** Where the person was going: a path of this console, since anybody may have made the address. */
  next: text(/^\/(?![/\\])/),
  /** Why they are here: a code of ours, or one that the server sent the browser back with. */
  trouble: text(),
  /** The person came to set this up, and signs in for it once more. */
  set_up: oneOf("authenticator"),
});
export type SignInSearch = Address<typeof readSignInSearch>;
