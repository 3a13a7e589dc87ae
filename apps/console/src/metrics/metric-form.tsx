import { Button } from "@musette/react/ui";
import { type FormEvent, useState } from "react";
import type { FlagsDocument, Metric } from "../configuration/document/document";
import { type MetricDraft, metricErrors, metricFrom } from "../configuration/metrics/metric-draft";
import { MetricFields } from "../configuration/metrics/metric-fields";
import { useLanguage } from "../language/language-context";
import dialogStyles from "../ui/dialog.module.css";
import { useMetricsTexts } from "./texts/texts";

interface MetricFormProps {
  readonly document: FlagsDocument;
  readonly original: MetricDraft;
  readonly isNew: boolean;
  readonly onClose: () => void;
  readonly onDone: (metric: Metric) => void;
}

/** Creates or changes a metric. A review of the change follows. */
export function MetricForm({ document, original, isNew, onClose, onDone }: MetricFormProps) {
  const metricsTexts = useMetricsTexts();
  const { texts } = useLanguage();
  const [draft, setDraft] = useState(original);
  const [hasTried, setTried] = useState(false);
  const errors = metricErrors(document, draft, isNew);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (errors.length === 0) onDone(metricFrom(draft));
  };
  return (
    <form className={dialogStyles.confirm} noValidate onSubmit={submit}>
      <h2>{isNew ? metricsTexts.declare : metricsTexts.edit(original.key)}</h2>
      <MetricFields
        document={document}
        draft={draft}
        isNew={isNew}
        errors={hasTried ? errors : []}
        onChange={(part) => setDraft((former) => ({ ...former, ...part }))}
      />
      <div className={dialogStyles.buttons}>
        <Button kind="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit">{metricsTexts.review}</Button>
      </div>
    </form>
  );
}
