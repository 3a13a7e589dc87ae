import { useMemo } from "react";
import { useLanguage } from "../language/language-context";
import { decimalsOf } from "./reading";
import type { Metric } from "./results-query";
import { useResultsTexts } from "./texts/texts";

/** The configuration determines how a metric's numbers are formatted. */
type Measured = Pick<Metric, "kind" | "unit">;

const isShareOf = ({ kind }: Measured) => kind === "conversion";

/** Smaller p-values are shown as "less than" this. */
const P_MIN = 0.0001;

/** Returns functions that format the numbers of results in this language. */
export function useFigures() {
  const { tag } = useLanguage().language;
  const texts = useResultsTexts();
  return useMemo(() => {
    const format = (options?: Intl.NumberFormatOptions) => {
      const numberFormat = new Intl.NumberFormat(tag, options);
      return (value: number) => numberFormat.format(value);
    };
    const decimals = (count: number) => ({
      minimumFractionDigits: count,
      maximumFractionDigits: count,
    });
    return {
      count: format(),
      share: format({ style: "percent", maximumFractionDigits: 1 }),
      /** Without a comparison, there is no error that determines the number of digits. */
      mean(metric: Measured, standardError: number) {
        const isShare = isShareOf(metric);
        const digits =
          standardError > 0
            ? decimals(decimalsOf(standardError * (isShare ? 100 : 1)))
            : { maximumSignificantDigits: 4 };
        return format({ ...(isShare && { style: "percent" }), ...digits });
      },
      lift: format({ style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 1 }),
      /** The number of a difference; for shares in percentage points. */
      difference(metric: Measured, standardError: number) {
        const scale = isShareOf(metric) ? 100 : 1;
        const written = format({
          signDisplay: "exceptZero",
          ...decimals(decimalsOf(standardError * scale)),
        });
        return (value: number) => written(value * scale);
      },
      tick(metric: Measured) {
        const scale = isShareOf(metric) ? 100 : 1;
        const written = format({ signDisplay: "exceptZero", maximumFractionDigits: 6 });
        return (value: number) => written(value * scale);
      },
      withUnit(metric: Measured, written: string) {
        if (isShareOf(metric)) return texts.points(written);
        return metric.unit ? texts.inUnit(written, isolated(metric.unit)) : written;
      },
      title(metric: Measured) {
        const title = texts.columns[metric.kind];
        return metric.unit && !isShareOf(metric)
          ? texts.titleInUnit(title, isolated(metric.unit))
          : title;
      },
      pValue: (p: number) =>
        p < P_MIN
          ? `p < ${format({ maximumFractionDigits: 4 })(P_MIN)}`
          : `p = ${format({ maximumSignificantDigits: 2 })(p)}`,
    };
  }, [tag, texts]);
}

export type Figures = ReturnType<typeof useFigures>;

/** Isolates a name within a sentence, because it may have the other text direction. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
