import { Button, Modal } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useLanguage } from "../language/language-context";
import { useMoment } from "../language/use-moment";
import { tones } from "../results/metric-texts";
import { readingOf } from "../results/reading";
import styles from "../results/results.module.css";
import type { Metric, PeriodResults } from "../results/results-query";
import { useResultsTexts } from "../results/texts/texts";
import { isolated, useFigures } from "../results/use-figures";
import dialogStyles from "../ui/dialog.module.css";
import { FailureText } from "../ui/states";
import { type Decision, decisionsQuery, useDecide } from "./decisions-query";
import { useExperimentsTexts } from "./texts/texts";

interface DecisionsProps {
  readonly env: string;
  readonly experiment: string;
  /** Whether there are results to decide on. */
  readonly canDecide: boolean;
}

/** The decisions with their author, time, reason, and the results at that time. */
export function Decisions({ env, experiment, canDecide }: DecisionsProps) {
  const { decisions: decisionsTexts } = useExperimentsTexts();
  const query = useQuery(decisionsQuery(env, experiment));
  const [isAsking, setAsking] = useState(false);
  if (!query.data || (query.data.length === 0 && !canDecide)) return null;
  return (
    <section className={`card ${styles.roleMetrics}`} data-part="decisions">
      <div>
        <h2>{decisionsTexts.title}</h2>
        <p className="note">{query.data.length > 0 ? decisionsTexts.hint : decisionsTexts.none}</p>
      </div>
      <ul>
        {query.data.map((decision) => (
          <li key={decision.id}>
            <DecisionItem decision={decision} />
          </li>
        ))}
      </ul>
      {canDecide && (
        <div>
          <Button kind="secondary" onClick={() => setAsking(true)}>
            {decisionsTexts.record}
          </Button>
        </div>
      )}
      <Modal open={isAsking} onClose={() => setAsking(false)} label={decisionsTexts.record}>
        {isAsking && (
          <Continue env={env} experiment={experiment} onClose={() => setAsking(false)} />
        )}
      </Modal>
    </section>
  );
}

function DecisionItem({ decision }: { readonly decision: Decision }) {
  const { decisions: decisionsTexts } = useExperimentsTexts();
  const moment = useMoment();
  const { results, guardrails } = decision.shown;
  const what =
    decision.decision === "ship"
      ? decisionsTexts.shipped(isolated(decision.variation ?? ""))
      : decisionsTexts.kinds[decision.decision];
  const who = decision.author ? isolated(decision.author) : decisionsTexts.somebody;
  return (
    <>
      <p className={styles.roleName}>
        <strong>{what}</strong>
        <span className="note">{decisionsTexts.by(who, moment(decision.createdAt))}</span>
      </p>
      <p dir="auto">{decision.reason}</p>
      <details>
        <summary>{decisionsTexts.shown}</summary>
        <RecordedResults results={results} metrics={[results.metric, ...guardrails]} />
      </details>
    </>
  );
}

function RecordedResults(props: {
  readonly results: Pick<PeriodResults, "warnings" | "units">;
  readonly metrics: readonly (Metric | undefined)[];
}) {
  const { results } = props;
  const texts = useResultsTexts();
  const figures = useFigures();
  return (
    <ul>
      <li>{texts.all(figures.count(results.units))}</li>
      {results.warnings.map((warning) => (
        <li key={warning}>
          <span className="chip" data-tone="warning">
            {texts.warnings[warning]}
          </span>
        </li>
      ))}
      {props.metrics.flatMap((metric) =>
        (metric?.arms ?? [])
          .filter(({ arm }) => arm !== metric?.baseline)
          .map((arm) => {
            if (!metric) return null;
            const reading = readingOf(arm, results);
            const difference = arm.comparison?.difference;
            const number = figures.difference(metric, difference?.standardError ?? 0);
            return (
              <li key={`${metric.name} ${arm.arm}`}>
                <bdi>{metric.title ?? metric.name}</bdi>
                <bdi>{arm.arm}</bdi>
                <span className="chip" data-tone={tones[reading]}>
                  {texts.readings[reading]}
                </span>
                {difference && (
                  <span className="note">
                    {figures.withUnit(metric, number(difference.value))} (
                    {texts.range(
                      number(difference.always.interval.low),
                      figures.withUnit(metric, number(difference.always.interval.high)),
                    )}
                    )
                  </span>
                )}
              </li>
            );
          }),
      )}
    </ul>
  );
}

/** Records the decision to change nothing. */
function Continue(props: {
  readonly env: string;
  readonly experiment: string;
  readonly onClose: () => void;
}) {
  const { decisions: decisionsTexts } = useExperimentsTexts();
  const { texts } = useLanguage();
  const deciding = useDecide(props.env, props.experiment);
  const [reason, setReason] = useState("");
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    deciding.mutate({ decision: "continue", reason }, { onSuccess: props.onClose });
  };
  return (
    <form className={dialogStyles.confirm} onSubmit={submit}>
      <h2>{decisionsTexts.record}</h2>
      <p className="note">{decisionsTexts.recordHint}</p>
      <div className="field">
        <label htmlFor={id}>{decisionsTexts.reason}</label>
        <textarea
          id={id}
          rows={3}
          maxLength={1000}
          dir="auto"
          required
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      {deciding.isError && <FailureText error={deciding.error} />}
      <div className={dialogStyles.buttons}>
        <Button kind="secondary" onClick={props.onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" loading={deciding.isPending} disabled={!reason.trim()}>
          {decisionsTexts.save}
        </Button>
      </div>
    </form>
  );
}
