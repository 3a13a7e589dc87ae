import { useMemo } from "react";
import { useLanguage } from "../language/language-context";
import { countryName } from "./code";
import { useMarketTree } from "./use-market-tree";

/** Returns a function that names a market; it returns the code if the market has no name. */
export function useMarketName(): (code: string) => string {
  const rows = useMarketTree();
  const { tag } = useLanguage().language;
  const names = useMemo(() => new Map(rows.map(({ code, name }) => [code, name])), [rows]);
  return (code) => {
    // A country needs no declaration.
    const name = names.get(code) ?? countryName(code, tag);
    return name && name !== code ? `${name} (${code})` : code;
  };
}
