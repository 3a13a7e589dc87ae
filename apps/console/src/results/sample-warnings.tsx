import styles from "./results.module.css";
import type { PeriodResults } from "./results-query";
import { useResultsTexts } from "./texts/texts";
import { useFigures } from "./use-figures";

/** Warnings before all figures, because they make the figures invalid. */
export function SampleWarnings({ results }: { readonly results: PeriodResults }) {
  const texts = useResultsTexts();
  const figures = useFigures();
  const { warnings, sampleRatio, multipleExposures } = results;
  return (
    <>
      {warnings.includes("weights_changed") && (
        <section className={`failure ${styles.resultsWarning}`} role="alert">
          <h2>{texts.weightsOff}</h2>
          <p>{texts.weightsOffText}</p>
        </section>
      )}
      {warnings.includes("sample_ratio_mismatch") && sampleRatio && (
        <section className={`failure ${styles.resultsWarning}`} role="alert">
          <h2>{texts.ratioOff}</h2>
          <p>{texts.ratioOffText(figures.pValue(sampleRatio.pValue))}</p>
          <ul>
            {texts.ratioCauses.map((cause) => (
              <li key={cause}>{cause}</li>
            ))}
          </ul>
        </section>
      )}
      {warnings.includes("multiple_exposures") && (
        <section className={`failure ${styles.resultsWarning}`} role="alert">
          <h2>{texts.twiceOff}</h2>
          <p>
            {texts.twiceOffText(
              figures.count(multipleExposures.units),
              figures.share(multipleExposures.share),
            )}
          </p>
        </section>
      )}
    </>
  );
}
