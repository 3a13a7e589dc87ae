import { type Address, address, text } from "../routes/address";

/** `q` is part of a name or of a code. */
export const readMarketsSearch = address({ q: text() });
export type MarketsSearch = Address<typeof readMarketsSearch>;
