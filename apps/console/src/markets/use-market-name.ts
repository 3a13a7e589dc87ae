import { useMemo } from "react";
import { useMarketTree } from "./use-market-tree";

/** What people call a market; its code where it has no name. */
export function useMarketName(): (code: string) => string {
  const rows = useMarketTree();
  const names = useMemo(() => new Map(rows.map(({ code, name }) => [code, name])), [rows]);
  return (code) => {
    const name = names.get(code);
    return name && name !== code ? `${name} (${code})` : code;
  };
}
