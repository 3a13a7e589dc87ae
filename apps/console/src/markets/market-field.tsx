import { useQuery } from "@tanstack/react-query";
import { Field } from "../ui/field";
import { isMarketCode } from "./code";
import { marketsQuery } from "./markets-query";
import { useMarketsTexts } from "./texts/texts";

interface MarketFieldProps {
  readonly label?: string;
  readonly hint?: string;
  readonly id?: string;
  readonly value: string;
  readonly onChange: (market: string) => void;
  readonly fault?: string | undefined;
  readonly disabled?: boolean;
}

/** The code of a market, with the declared ones as suggestions: a country needs no declaration. */
export function MarketField({ label, hint, fault, ...field }: MarketFieldProps) {
  const words = useMarketsTexts();
  const markets = useQuery(marketsQuery).data ?? [];
  const isCode = field.value === "" || isMarketCode(field.value);
  return (
    <Field
      {...field}
      label={label ?? words.market}
      hint={hint ?? words.codeHint}
      fault={fault ?? (isCode ? undefined : words.noCode)}
      options={markets.map(({ code }) => code)}
      required={false}
      dir="ltr"
      maxLength={48}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
