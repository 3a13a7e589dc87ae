import { address, count, text } from "../routes/address";

/** The two versions to compare. Without `against`, it is the version before. */
const compared = address({ version: count, against: count }, "version");
/** Only versions that changed this flag, or that this person saved. */
const filtered = address({ flag: text(), by: text() });

export const readHistorySearch = (search: Record<string, unknown>) => ({
  ...compared(search),
  ...filtered(search),
});
export type HistorySearch = ReturnType<typeof readHistorySearch>;
