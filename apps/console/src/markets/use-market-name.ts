import { useQuery } from "@tanstack/react-query";
import { useLanguage } from "../language/language-context";
import { marketsQuery } from "./markets-query";
import { marketTree } from "./tree";

/** What people call a market; its code where it has no name. */
export function useMarketName(): (code: string) => string {
  const { tag } = useLanguage().language;
  const rows = marketTree(useQuery(marketsQuery).data ?? [], tag);
  return (code) => {
    const name = rows.find((row) => row.code === code)?.name;
    return name && name !== code ? `${name} (${code})` : code;
  };
}
