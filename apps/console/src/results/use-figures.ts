import { useMemo } from "react";
import { useLanguage } from "../language/language-context";
import { decimalsOf } from "./reading";
import { useResultsTexts } from "./texts/texts";

type Measure = "mean" | "proportion";

/** Below it, only that is said. */
const P_MIN = 0.0001;

/** Numbers of results as people of this language write them. */
export function useFigures() {
  const { tag } = useLanguage().language;
  const words = useResultsTexts();
  return useMemo(() => {
    const format = (options?: Intl.NumberFormatOptions) => {
      const it = new Intl.NumberFormat(tag, options);
      return (value: number) => it.format(value);
    };
    const decimals = (count: number) => ({
      minimumFractionDigits: count,
      maximumFractionDigits: count,
    });
    return {
      count: format(),
      share: format({ style: "percent", maximumFractionDigits: 1 }),
      /** Where nothing is compared, no error says how many digits mean something. */
      mean(measure: Measure, standardError: number) {
        const isShare = measure === "proportion";
        const digits =
          standardError > 0
            ? decimals(decimalsOf(standardError * (isShare ? 100 : 1)))
            : { maximumSignificantDigits: 4 };
        return format({ ...(isShare && { style: "percent" }), ...digits });
      },
      lift: format({ style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 1 }),
      /** The number of a difference: of shares, in percentage points. */
      difference(measure: Measure, standardError: number) {
        const scale = measure === "proportion" ? 100 : 1;
        const written = format({
          signDisplay: "exceptZero",
          ...decimals(decimalsOf(standardError * scale)),
        });
        return (value: number) => written(value * scale);
      },
      tick(measure: Measure) {
        const scale = measure === "proportion" ? 100 : 1;
        const written = format({ signDisplay: "exceptZero", maximumFractionDigits: 6 });
        return (value: number) => written(value * scale);
      },
      withUnit: (measure: Measure, written: string) =>
        measure === "proportion" ? words.points(written) : written,
      pValue: (p: number) =>
        p < P_MIN
          ? `p < ${format({ maximumFractionDigits: 4 })(P_MIN)}`
          : `p = ${format({ maximumSignificantDigits: 2 })(p)}`,
    };
  }, [tag, words]);
}

export type Figures = ReturnType<typeof useFigures>;

/** A name within a sentence, which may run the other way. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
