import { ChoiceField } from "../ui/choice-field";
import { useMarketsTexts } from "./texts/texts";
import { useMarketTree } from "./use-market-tree";

interface MarketFilterProps {
  readonly value: string | undefined;
  readonly onChange: (market: string | undefined) => void;
}

/** Narrows a list to a market and everything inside; a company without markets does not see it. */
export function MarketFilter({ value, onChange }: MarketFilterProps) {
  const words = useMarketsTexts();
  const rows = useMarketTree();
  if (rows.length === 0 && !value) return null;
  const isKnown = !value || rows.some(({ code }) => code === value);
  return (
    <ChoiceField
      label={words.market}
      value={value ?? ""}
      options={[
        { value: "", words: words.all },
        ...rows.map(({ code, name, depth }) => ({
          value: code,
          words: `${"\u2003".repeat(depth)}${name}`,
        })),
        ...(isKnown ? [] : [value]),
      ]}
      onChange={(market) => onChange(market || undefined)}
    />
  );
}
