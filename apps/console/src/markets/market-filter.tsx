import { useEffect, useState } from "react";
import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import { useMarketsTexts } from "./texts/texts";
import { type MarketRow, marketNamed, matchingMarkets } from "./tree";
import { useMarketTree } from "./use-market-tree";

interface MarketFilterProps {
  readonly value: string | undefined;
  readonly onChange: (market: string | undefined) => void;
}

/** With more markets than this, a field with suggestions replaces the list. */
const MANY = 40;

/** Filters a list by a market and everything inside it. Hidden for a company without markets. */
export function MarketFilter({ value, onChange }: MarketFilterProps) {
  const texts = useMarketsTexts();
  const rows = useMarketTree();
  if (rows.length === 0 && !value) return null;
  if (rows.length > MANY) {
    return <FoundMarket rows={rows} value={value} onChange={onChange} />;
  }
  const isKnown = !value || rows.some(({ code }) => code === value);
  return (
    <ChoiceField
      label={texts.market}
      value={value ?? ""}
      options={[
        { value: "", label: texts.all },
        ...rows.map(({ code, name, depth }) => ({
          value: code,
          label: `${"\u2003".repeat(depth)}${name}`,
        })),
        ...(isKnown ? [] : [value]),
      ]}
      onChange={(market) => onChange(market || undefined)}
    />
  );
}

interface FoundMarketProps extends MarketFilterProps {
  readonly rows: readonly MarketRow[];
}

function FoundMarket({ rows, value, onChange }: FoundMarketProps) {
  const texts = useMarketsTexts();
  const [typed, setTyped] = useState(value ?? "");
  // For a change from elsewhere, such as the button that clears the filter. Text that is being
  // typed remains.
  useEffect(() => {
    setTyped((former) => (marketNamed(rows, former)?.code === value ? former : (value ?? "")));
  }, [rows, value]);
  return (
    <Field
      label={texts.market}
      placeholder={texts.all}
      value={typed}
      options={rows.map(({ code, name }) => ({ value: code, label: name }))}
      error={matchingMarkets(rows, typed).length === 0 ? texts.noneFits : undefined}
      required={false}
      type="search"
      autoComplete="off"
      spellCheck={false}
      onChange={(text) => {
        setTyped(text);
        const market = marketNamed(rows, text);
        if (text === "" || market) onChange(market?.code);
      }}
      onBlur={() => setTyped(value ?? "")}
    />
  );
}
