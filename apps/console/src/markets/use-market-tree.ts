import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useMay } from "../api/use-may";
import { useLanguage } from "../language/language-context";
import { marketsQuery } from "./markets-query";
import { type MarketRow, marketTree } from "./tree";

/** Returns the tree of markets; empty until it is loaded, and for a company without markets. */
export function useMarketTree(): readonly MarketRow[] {
  const { tag } = useLanguage().language;
  const enabled = useMay()("company data");
  const { data } = useQuery({ ...marketsQuery, enabled });
  return useMemo(() => (data ? marketTree(data, tag) : []), [data, tag]);
}
