import { NAME } from "../configuration/document/environment-search";
import { type Address, address, oneOf, text } from "../routes/address";

/** `all` includes revoked keys. */
export const readKeysSearch = address({ env: text(NAME), all: oneOf(true) });
export type KeysSearch = Address<typeof readKeysSearch>;
