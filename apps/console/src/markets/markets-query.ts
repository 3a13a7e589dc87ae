import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";

export type Market = Wire<"MarketBody">;

export const MARKETS = "/api/admin/v1/markets";
const MARKET = `${MARKETS}/{code}` as const;

/** All markets. A company has dozens, and every page with a market filter needs their names. */
export const marketsQuery = queryOptions({
  queryKey: [MARKETS],
  queryFn: async () => {
    const { items, undeclared } = await api.get(MARKETS);
    return [...items, ...undeclared];
  },
  staleTime: 60_000,
});

interface SavedMarket {
  readonly code: string;
  readonly name: string;
  readonly timezone: string;
  /** The console does not edit it. A save without it would remove it. */
  readonly locale: string | null;
}

export const saveMarket = ({ code, name, timezone, locale }: SavedMarket) =>
  api.put(MARKET, {
    path: { code },
    body: { ...(name && { name }), ...(timezone && { timezone }), ...(locale && { locale }) },
  });

export const removeMarket = (code: string) => api.delete(MARKET, { path: { code } });
