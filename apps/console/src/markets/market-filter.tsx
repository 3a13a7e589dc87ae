import { useQuery } from "@tanstack/react-query";
import { useLanguage } from "../language/language-context";
import { ChoiceField } from "../ui/choice-field";
import { marketsQuery } from "./markets-query";
import { useMarketsTexts } from "./texts/texts";
import { marketTree } from "./tree";

interface MarketFilterProps {
  readonly value: string | undefined;
  readonly onChange: (market: string | undefined) => void;
}

/** Narrows a list to a market and everything inside; a company without markets does not see it. */
export function MarketFilter({ value, onChange }: MarketFilterProps) {
  const words = useMarketsTexts();
  const { tag } = useLanguage().language;
  const rows = marketTree(useQuery(marketsQuery).data ?? [], tag);
  if (rows.length === 0 && !value) return null;
  const isKnown = !value || rows.some(({ code }) => code === value);
  return (
    <ChoiceField
      label={words.market}
      value={value ?? ""}
      options={[
        { value: "", words: words.everywhere },
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
