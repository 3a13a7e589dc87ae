import { useQuery } from "@tanstack/react-query";
import { marketsQuery } from "../markets/markets-query";

/** Returns the time zone of a market, else of the nearest one around it; undefined if none has one. */
export function useWorkZone(market: string | null | undefined): string | undefined {
  const markets = useQuery(marketsQuery).data ?? [];
  const [area = "", place] = (market ?? "").split(".");
  const [country] = area.split("-");
  const around = place === undefined ? [area, country] : [market, area, country];
  for (const code of around) {
    const zone = markets.find((one) => one.code === code)?.timezone;
    if (zone) return zone;
  }
  return undefined;
}
