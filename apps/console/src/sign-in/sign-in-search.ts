import { type Address, address, oneOf, text } from "../routes/address";

/** The parameters of the sign-in page. */
export const readSignInSearch = address({
  /**
   * Where the person was going. Only a path of this console is valid, because anyone can write such
   * a link.
   */
  next: text(/^\/(?![/\\])/),
  /** Why the person is here: one of our codes, or one that the server redirected with. */
  trouble: text(),
  /** The person came to set this up, and signs in again for it. */
  set_up: oneOf("authenticator"),
});
export type SignInSearch = Address<typeof readSignInSearch>;
