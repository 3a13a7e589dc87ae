import { StatusBadge } from "@musette/react/ui";
import { useId } from "react";
import { date, period } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { Link } from "../router/router";
import { actualTimes, type Evaluation, plannedTimes, type Times } from "./evaluation";

export const evaluationHref = (id: string): string => `/evaluation#${id}`;
export const contestHref = (id: string): string => `/contest#${id}`;

/** One piece of work in the list: its date, status and times. */
export function EvaluationItem(props: {
  readonly evaluation: Evaluation;
  readonly isUnsent: boolean;
}) {
  const { texts } = usePageLanguage();
  const { evaluation } = props;
  const titleId = useId();
  return (
    <li className="card work" aria-labelledby={titleId}>
      <h2 id={titleId}>
        <Link href={evaluationHref(evaluation.id)}>
          <WorkTitle evaluation={evaluation} />
        </Link>
      </h2>
      <p className="work-status">
        <StatusBadge status={evaluation.status} label={texts.work.status[evaluation.status]} />
        {props.isUnsent && <strong>{texts.work.unsent}</strong>}
      </p>
      <dl className="work-facts">
        <TimeRows evaluation={evaluation} />
      </dl>
    </li>
  );
}

/** The name of a piece of work: its kind and the day on which it began. */
export function WorkTitle({ evaluation }: { readonly evaluation: Evaluation }) {
  const { language, texts } = usePageLanguage();
  const { kind, starts_at } = evaluation.subject;
  return `${texts.work.kinds[kind]} · ${date(language.tag, new Date(starts_at))}`;
}

/** The planned times, and the actual ones as far as they are recorded. */
export function TimeRows({ evaluation }: { readonly evaluation: Evaluation }) {
  const { texts } = usePageLanguage();
  const { start, end } = actualTimes(evaluation);
  return (
    <>
      <Row label={texts.work.planned}>
        <TimeRange {...plannedTimes(evaluation)} />
      </Row>
      {(start || end) && (
        <Row label={texts.work.actual}>
          <ActualRange start={start} end={end} />
        </Row>
      )}
    </>
  );
}

function ActualRange({
  start,
  end,
}: {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}) {
  const { language, texts } = usePageLanguage();
  if (start) return <TimeRange start={start} {...(end && { end })} />;
  return <>{end && texts.work.endedAt(period(language.tag, end))}</>;
}

function TimeRange({ start, end }: Times) {
  const { language } = usePageLanguage();
  return <bdi>{start && period(language.tag, start, end)}</bdi>;
}

export function Row(props: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
