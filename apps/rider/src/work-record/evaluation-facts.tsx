import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { Link } from "../router/router";
import { useMe } from "../session/me";
import { useUserId } from "../session/session";
import {
  contestState,
  decisionOf,
  duration,
  type Evaluation,
  type EvaluationDetail,
  type EvaluationVersion,
  type Figures,
  systemHref,
  textFor,
  zoneName,
} from "./evaluation";
import { Row, TimeRows } from "./evaluation-item";

/** The recorded times and figures, the reasons, the decider, and the time to contest. */
export function EvaluationFacts({ evaluation }: { readonly evaluation: EvaluationDetail }) {
  const { texts } = usePageLanguage();
  const decision = decisionOf(evaluation);
  return (
    <>
      <section className="card work-section">
        <h2>{texts.work.recorded}</h2>
        <Recorded evaluation={evaluation} />
      </section>
      {decision && (
        <>
          <section className="card work-section">
            <h2>{texts.work.why}</h2>
            <Reasons evaluation={evaluation} />
          </section>
          <section className="card work-section">
            <h2>{texts.work.who}</h2>
            <Decider evaluation={evaluation} decision={decision} />
          </section>
        </>
      )}
      <section className="card work-section">
        <h2>{texts.work.until}</h2>
        <Until evaluation={evaluation} />
      </section>
    </>
  );
}

function Recorded({ evaluation }: { readonly evaluation: Evaluation }) {
  const { language, texts } = usePageLanguage();
  const zone = zoneName(language.tag, new Date(evaluation.subject.starts_at));
  return (
    <>
      <dl className="work-facts">
        <TimeRows evaluation={evaluation} />
        <FigureRows figures={evaluation.figures} />
      </dl>
      <p className="note">{texts.work.zone(zone)}</p>
    </>
  );
}

/** Every figure that is recorded, with its unit. */
export function FigureRows({ figures }: { readonly figures: Figures }) {
  const { language, texts } = usePageLanguage();
  const { work } = texts;
  const minutes = (count: number | null | undefined) =>
    typeof count === "number" ? count * 60 : undefined;
  const rows = [
    [work.plannedTime, minutes(figures.planned_minutes)],
    [work.workedTime, minutes(figures.worked_minutes)],
    [work.lateBy, figures.late_by_seconds ?? undefined],
    [work.earlyBy, figures.early_by_seconds ?? undefined],
    [work.overtime, figures.overtime_seconds ?? undefined],
  ] as const;
  return rows.map(
    ([label, seconds]) =>
      seconds !== undefined && (
        <Row key={label} label={label}>
          {duration(language.tag, seconds)}
        </Row>
      ),
  );
}

/** The reasons in the reader's language, and the statement. */
export function Reasons({ evaluation }: { readonly evaluation: Evaluation }) {
  const { language, texts } = usePageLanguage();
  const { reasons, statement } = evaluation;
  const languages = [language.tag, ...navigator.languages];
  if (reasons.length === 0 && !statement) return <p>{texts.work.noReasons}</p>;
  return (
    <>
      {reasons.length > 0 && (
        <ul className="work-reasons">
          {reasons.map(({ code, text }) => {
            const shown = textFor(text, languages);
            return (
              <li key={code}>
                <bdi lang={shown?.lang}>{shown?.text}</bdi>
              </li>
            );
          })}
        </ul>
      )}
      {statement && (
        <p className="work-message" dir="auto">
          {statement}
        </p>
      )}
    </>
  );
}

function Decider(props: {
  readonly evaluation: EvaluationDetail;
  readonly decision: EvaluationVersion;
}) {
  const { language, texts } = usePageLanguage();
  const { work } = texts;
  const { evaluation, decision } = props;
  const { by, at } = decision;
  const { status, decided_by: last, subject } = evaluation;
  const system = decision.system ?? evaluation.system;
  const userId = useUserId();
  const hasRegister = Boolean(useMe(userId ?? "")?.automated_systems);
  const isProgram = by.kind === "service";
  return (
    <>
      <p>
        {isProgram && system ? work.by.program(system.name, system.version) : deciderText(work, by)}
      </p>
      {!isProgram && system && <p>{work.basedOn(system.name, system.version)}</p>}
      <p className="note">{dateAndTime(language.tag, at)}</p>
      {system && hasRegister && (
        <p>
          <Link className="work-link" href={systemHref(system, at, subject.market)}>
            {work.howItWorks}
          </Link>
        </p>
      )}
      {status === "ACCEPTED" && last.kind === "rider" && <p>{work.confirmed}</p>}
      {status === "ACCEPTED" && last.kind === "lapse" && <p>{work.by.lapse}</p>}
    </>
  );
}

/** Names who made a transition: a program, a role, or the rider. */
export function deciderText(
  work: ReturnType<typeof usePageLanguage>["texts"]["work"],
  by: Evaluation["decided_by"],
): string {
  if (by.kind === "service") return work.by.service;
  if (by.kind === "human") return by.role ? work.by[by.role] : work.by.human;
  return work.by[by.kind];
}

function Until({ evaluation }: { readonly evaluation: EvaluationDetail }) {
  const { language, texts } = usePageLanguage();
  const { work } = texts;
  const at = (instant: string) => dateAndTime(language.tag, instant);
  switch (contestState(evaluation, new Date())) {
    case "undecided":
      return <p>{work.undecided}</p>;
    case "discussed":
      return <p>{work.discussed}</p>;
    case "rounds":
      return <p>{work.roundsUsed}</p>;
    case "open":
      return <p>{work.openUntil(at(evaluation.contest_until ?? ""))}</p>;
    case "final": {
      const since = evaluation.finalised_at ?? evaluation.contest_until;
      return <p>{since ? work.final(at(since)) : work.closed}</p>;
    }
  }
}
