import { MARKET_CODE } from "../markets/code";
import { type Address, address, text } from "../routes/address";

export const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const MONTHS_SHOWN = 6;
/** The server refuses longer periods. */
const MONTHS_MAX = 120;

/** Period and market. They are in the address, so that a report can be bookmarked and shared. */
export const readReportSearch = address({
  from: text(MONTH),
  to: text(MONTH),
  market: text(MARKET_CODE),
});

export type ReportSearch = Address<typeof readReportSearch>;

export interface Period {
  readonly from: string;
  readonly to: string;
}

const numberOf = (month: string): number =>
  Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

function monthOf(number: number): string {
  const month = String((number % 12) + 1).padStart(2, "0");
  return `${String(Math.floor(number / 12)).padStart(4, "0")}-${month}`;
}

/**
 * Returns the period of the address, by default the last six months in UTC. A period in the wrong
 * order, or a longer one than the server accepts, is cut at its end.
 */
export function periodOf({ from, to }: ReportSearch, now: Date): Period {
  const current = numberOf(now.toISOString().slice(0, 7));
  const last = to === undefined ? Math.max(current, from ? numberOf(from) : 0) : numberOf(to);
  const first = from === undefined ? last - MONTHS_SHOWN + 1 : numberOf(from);
  const end = Math.min(Math.max(last, first), first + MONTHS_MAX - 1);
  return { from: monthOf(first), to: monthOf(end) };
}
