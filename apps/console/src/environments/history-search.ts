import { type Address, address, count } from "../routes/address";

/** Which two versions are compared; the one before, where the older is not said. */
export const readHistorySearch = address({ version: count, against: count }, "version");
export type HistorySearch = Address<typeof readHistorySearch>;
