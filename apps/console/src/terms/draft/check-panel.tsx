import { Button } from "@musette/react/ui";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { ForRoles } from "../../ui/for-roles";
import quietStyles from "../../ui/quiet-button.module.css";
import { Skeleton } from "../../ui/skeleton";
import stateStyles from "../../ui/state.module.css";
import { LoadFailed } from "../../ui/states";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { blockedNow } from "./blocked-now";
import { DiscardDraft } from "./discard-draft";
import type { DraftBody } from "./draft";
import styles from "./draft.module.css";
import { checkDraft, type DraftCheck, type DraftError } from "./draft-calls";
import { DraftDifference } from "./draft-difference";
import type { DraftKeeper, DraftState } from "./draft-keeper";
import { errorTexts, fieldId, shapeErrors } from "./errors";
import { needsReason, reasonsNeeded, withoutDuplicates } from "./obstacles";
import { otherLanguages } from "./other-languages";
import { PublishDraft } from "./publish-draft";
import { sameDocuments } from "./same-documents";
import { useConsequences } from "./use-consequences";

interface CheckPanelProps extends DraftState {
  readonly keeper: DraftKeeper;
  readonly former: PublishedTerm | undefined;
  readonly title: string;
  readonly onErrors: (errors: readonly DraftError[]) => void;
}

/** What prevents publishing, and what publishing does. */
export function CheckPanel(props: CheckPanelProps) {
  const draftTexts = useTermsTexts().draft;
  const { keeper, body, stored, keeping, former, title, onErrors } = props;
  const [isAsking, setAsking] = useState(false);
  const check = useQuery({
    queryKey: ["term-draft-check", stored.id, stored.revision],
    queryFn: () => checkDraft(stored.id),
    placeholderData: keepPreviousData,
  });
  const publish = async () => {
    await keeper.flush();
    const now = keeper.now().keeping;
    const [unfit] = shapeErrors(now);
    if (unfit) focusField(unfit);
    if (now.kind !== "saved") return;
    const problems = (await check.refetch()).data?.problems;
    const toMend = problems?.filter((problem) => !needsReason(problem, keeper.now().body));
    onErrors(toMend ?? []);
    if (toMend?.length === 0) setAsking(true);
    else if (toMend?.[0]) focusField(toMend[0]);
  };
  return (
    <aside className={`card ${styles.draftCheckPanel}`} aria-label={draftTexts.check}>
      <h2>{draftTexts.check}</h2>
      {check.isPending && <Skeleton rows={3} />}
      {check.isError && <LoadFailed error={check.error} onRetry={check.refetch} />}
      {check.data && (
        <>
          <Missing problems={withoutDuplicates(check.data.problems)} body={body} />
          <Warnings body={body} former={former} warnings={check.data.warnings} />
          <Consequences check={check.data} body={body} />
        </>
      )}
      <ForRoles task="terms">
        <Button disabled={/conflict|gone/.test(keeping.kind)} onClick={() => void publish()}>
          {draftTexts.publish}…
        </Button>
        <DiscardDraft stored={stored} keeper={keeper} />
      </ForRoles>
      {check.data && (
        <PublishDraft
          open={isAsking}
          onClose={() => setAsking(false)}
          draft={stored}
          keeper={keeper}
          title={title}
          asked={reasonsNeeded(check.data.problems, body)}
          blocked={blockedNow(check.data, body)}
        >
          <Warnings body={body} former={former} warnings={check.data.warnings} />
          <Consequences check={check.data} body={body} />
          <DraftDifference body={body} former={former} />
        </PublishDraft>
      )}
    </aside>
  );
}

/** Moves the focus to the field of an error. */
function focusField(error: DraftError): void {
  const field = document.getElementById(fieldId(error.pointer));
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: "center" });
}

function Missing(props: { readonly problems: readonly DraftError[]; readonly body: DraftBody }) {
  const texts = useTermsTexts();
  const { tag } = useLanguage().language;
  const { problems, body } = props;
  if (problems.length === 0) {
    return (
      <p className={stateStyles.state} data-state="good">
        {texts.draft.ready}
      </p>
    );
  }
  const where = ({ pointer }: DraftError) => {
    const variant = body.variants[Number(/^\/variants\/(\d+)/.exec(pointer)?.[1])];
    return variant && languageName(variant.locale, tag);
  };
  return (
    <>
      <p>{texts.draft.todo(problems.length, problems.length.toLocaleString(tag))}</p>
      <ul className={styles.todo}>
        {problems.map((error) => (
          <li key={`${error.pointer} ${error.code}`}>
            <button type="button" className={quietStyles.quiet} onClick={() => focusField(error)}>
              <span>
                {errorTexts(error, texts)}{" "}
                {where(error) && <span className="note">{where(error)}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface WarningsProps {
  readonly body: DraftBody;
  readonly former: PublishedTerm | undefined;
  readonly warnings: readonly DraftError[];
}

function Warnings({ body, former, warnings }: WarningsProps) {
  const draftTexts = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const locales = new Set(body.variants.map(({ locale }) => locale));
  const removed = former?.variants.filter(({ locale }) => !locales.has(locale)) ?? [];
  const names = removed.map(({ locale }) => languageName(locale, tag));
  const isSudden = former && body.mandatory && !body.minor && body.grace_until === undefined;
  const repeated = sameDocuments(body).map((group) =>
    group.map((locale) => languageName(locale, tag)),
  );
  const others = otherLanguages(warnings, body);
  const isShort = warnings.some(({ code }) => code === "notice_too_short");
  if (names.length + repeated.length + others.length === 0 && !isSudden && !isShort) return null;
  const list = new Intl.ListFormat(tag);
  return (
    <div className={styles.draftWarnings}>
      <p className={stateStyles.state} data-state="warning">
        {draftTexts.warnings}
      </p>
      <ul>
        {names.length > 0 && <li>{draftTexts.missingLanguages(list.format(names))}</li>}
        {repeated.map((languages) => (
          <li key={languages.join()}>{draftTexts.sameDocument(list.format(languages))}</li>
        ))}
        {others.map(({ locale, detected }) => (
          <li key={locale}>
            {draftTexts.otherTextLanguage(languageName(locale, tag), languageName(detected, tag))}
          </li>
        ))}
        {isSudden && <li>{draftTexts.graceMissing}</li>}
        {isShort && <li>{draftTexts.noticeTooShort}</li>}
      </ul>
    </div>
  );
}

function Consequences(props: { readonly check: DraftCheck; readonly body: DraftBody }) {
  const { audience, after } = useConsequences(props.check, props.body);
  return (
    <div className={styles.consequences}>
      <p className={styles.consequence}>{audience}</p>
      {after && <p className="note">{after}</p>}
    </div>
  );
}
