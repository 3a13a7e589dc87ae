import { useEffect } from "react";
import { company } from "../company/company";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { isCurrent, type Restriction } from "../restrictions/restriction";
import { RestrictionFacts } from "../restrictions/restriction-card";
import { useMe } from "../session/me";
import { Thread } from "../work-record/discussion-card";
import type { Evaluation } from "../work-record/evaluation";
import { deciderText, FigureRows, Reasons } from "../work-record/evaluation-facts";
import { TimeRows, WorkTitle } from "../work-record/evaluation-item";

/** Everything that is printed, at the time at which it was fetched. */
export interface WholeRecord {
  readonly evaluations: readonly Evaluation[];
  readonly restrictions: readonly Restriction[];
  readonly at: Date;
}

/**
 * The whole record for a person without an account, such as a lawyer. It is not visible on the
 * screen: the browser prints it, or saves it as a PDF.
 */
export function PrintRecord(props: {
  readonly userId: string;
  readonly record: WholeRecord;
  readonly onPrinted: () => void;
}) {
  const { language, texts } = usePageLanguage();
  const { userId, onPrinted } = props;
  const { evaluations, restrictions, at } = props.record;
  const me = useMe(userId);
  useEffect(() => {
    addEventListener("afterprint", onPrinted);
    print();
    return () => removeEventListener("afterprint", onPrinted);
  }, [onPrinted]);
  return (
    <article className="print-record">
      <h1>{texts.work.title}</h1>
      <p>
        <bdi>{[me?.name, userId].filter(Boolean).join(" · ")}</bdi>
        <br />
        <bdi>{company().name}</bdi>
        <br />
        {texts.systems.asOf(dateAndTime(language.tag, at.toISOString()))}
      </p>
      {restrictions.map((restriction) => (
        <PrintedRestriction key={restriction.id} restriction={restriction} at={at} />
      ))}
      {evaluations.map((evaluation) => (
        <PrintedEvaluation key={evaluation.id} evaluation={evaluation} />
      ))}
      <p>{texts.work.receiptsText}</p>
    </article>
  );
}

function PrintedEvaluation({ evaluation }: { readonly evaluation: Evaluation }) {
  const { texts } = usePageLanguage();
  const { work } = texts;
  const { status, subject, figures, discussion } = evaluation;
  return (
    <section>
      <h2>
        <WorkTitle evaluation={evaluation} />
      </h2>
      <p>
        <strong>{work.status[status]}</strong> · <bdi>{subject.reference}</bdi>
      </p>
      <dl className="work-facts">
        <TimeRows evaluation={evaluation} />
        <FigureRows figures={figures} />
      </dl>
      {status !== "PENDING" && <Decision evaluation={evaluation} />}
      {discussion && (
        <>
          <h3>{work.thread}</h3>
          <Thread discussion={discussion} />
        </>
      )}
    </section>
  );
}

function Decision({ evaluation }: { readonly evaluation: Evaluation }) {
  const { language, texts } = usePageLanguage();
  const { work } = texts;
  const { system, decided_by: by, decided_at, contest_until, finalised_at } = evaluation;
  const at = (instant: string) => dateAndTime(language.tag, instant);
  const isProgram = by.kind === "service";
  return (
    <>
      <h3>{work.why}</h3>
      <Reasons evaluation={evaluation} />
      <h3>{work.who}</h3>
      <p>
        {isProgram && system ? work.by.program(system.name, system.version) : deciderText(work, by)}
        {decided_at && <> · {at(decided_at)}</>}
      </p>
      {!isProgram && system && <p>{work.basedOn(system.name, system.version)}</p>}
      {finalised_at ? (
        <p>{work.final(at(finalised_at))}</p>
      ) : (
        contest_until && <p>{work.openUntil(at(contest_until))}</p>
      )}
    </>
  );
}

function PrintedRestriction(props: { readonly restriction: Restriction; readonly at: Date }) {
  const { language, texts } = usePageLanguage();
  const labels = texts.restriction;
  const { restriction, at } = props;
  const { kind, review } = restriction;
  return (
    <section>
      <h2>{isCurrent(restriction, at) ? labels.kinds[kind] : labels.ended[kind]}</h2>
      <RestrictionFacts restriction={restriction} />
      {review && (
        <>
          <h3>{labels.review}</h3>
          <p className="work-message" dir="auto">
            {review.message}
          </p>
          <p>
            {review.outcome === null
              ? texts.work.due(dateAndTime(language.tag, review.answer_due))
              : labels.outcomes[review.outcome]}
          </p>
          <p className="work-message" dir="auto">
            {review.answer}
          </p>
        </>
      )}
    </section>
  );
}
