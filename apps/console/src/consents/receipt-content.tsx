import type { LoggedConsent, VerifiedReceipt } from "@musette/client/log";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useMay } from "../api/use-may";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { versionName } from "../language/version-name";
import type { Verdict } from "./check";
import styles from "./consents.module.css";
import { titleOf } from "./consents-filter";
import { type PublishedTerm, publishedTermsQuery, receiptDecisionsQuery } from "./consents-queries";
import { DecisionChip, type Outcome } from "./decision-chip";
import { useConsentsTexts } from "./texts/texts";

interface ReceiptContentProps {
  readonly verdict: Verdict;
  readonly verified: VerifiedReceipt;
  readonly receipt: string | undefined;
}

/** The content of a verified receipt. It matches the certificate. */
export function ReceiptContent({ verdict, verified, receipt }: ReceiptContentProps) {
  const texts = useConsentsTexts();
  const written = useInstant();
  const { language } = useLanguage();
  const { data } = useQuery(publishedTermsQuery);
  const outcomeOf = useOutcomes(receipt);
  const { entry, index, checkpoint } = verified;
  const number = (value: number) => value.toLocaleString(language.tag);
  return (
    <>
      <h3>{texts.content}</h3>
      <dl className={styles.logFacts}>
        <Fact name={texts.person}>
          {entry.user_type === "APPLICANT" ? (
            texts.receiptOfApplicant
          ) : verdict.userId ? (
            <bdi className="mono">{verdict.userId}</bdi>
          ) : (
            texts.riderUnnamed
          )}
        </Fact>
        <Fact name={texts.recorded}>
          <time dateTime={entry.recorded_at}>{written(entry.recorded_at)}</time>
        </Fact>
        {receipt && (
          <Fact name={texts.receiptNumber}>
            <bdi className="mono">{receipt}</bdi>
          </Fact>
        )}
        {entry.app && (
          <Fact name={texts.app}>
            <bdi className="mono">{entry.app}</bdi>
          </Fact>
        )}
      </dl>
      <h3>{texts.decided}</h3>
      <ul className={styles.said}>
        {entry.consents.map((consent) => (
          <Decision
            key={consent.terms_and_conditions_id}
            consent={consent}
            outcome={outcomeOf(consent)}
            term={data?.items.find(({ id }) => id === consent.terms_and_conditions_id)}
          />
        ))}
      </ul>
      <h3>{texts.proof}</h3>
      <dl className={styles.logFacts}>
        <Fact name={texts.entryId}>
          <bdi className="mono">{entry.id}</bdi>
        </Fact>
        <Fact name={texts.place}>{texts.placeOf(number(index + 1), number(checkpoint.size))}</Fact>
        <Fact name={texts.logName}>
          <bdi className="mono">{checkpoint.origin}</bdi>
        </Fact>
        <Fact name={texts.root}>
          <bdi className="mono">{checkpoint.root}</bdi>
        </Fact>
        {verdict.vkey && (
          <Fact name={texts.vkey}>
            <bdi className="mono">{verdict.vkey}</bdi>
          </Fact>
        )}
        <Fact name={texts.subject}>
          <bdi className="mono">{entry.subject}</bdi>
        </Fact>
      </dl>
      <p className="note">{texts.meaning}</p>
    </>
  );
}

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}

/**
 * Returns what each decision of a receipt was. The receipt has only whether the person agreed:
 * whether a refusal ended an earlier consent is in the list of decisions.
 */
function useOutcomes(receipt: string | undefined): (consent: LoggedConsent) => Outcome {
  const may = useMay();
  const { data } = useQuery({
    ...receiptDecisionsQuery(receipt ?? ""),
    enabled: receipt !== undefined && may("personal"),
  });
  return ({ accepted, terms_and_conditions_id: term }) =>
    data?.items.find((decision) => decision.terms_and_conditions_id === term)?.decision ??
    (accepted ? "accepted" : "declined");
}

interface DecisionProps {
  readonly consent: LoggedConsent;
  readonly outcome: Outcome;
  readonly term: PublishedTerm | undefined;
}

function Decision({ consent, outcome, term }: DecisionProps) {
  const texts = useConsentsTexts();
  const written = useInstant();
  const { language } = useLanguage();
  const { method, opened, last_page: page, evidence, sha256 } = consent;
  const tongue = new Intl.DisplayNames([language.tag], { type: "language" });
  const shown = term?.variants.find((variant) => variant.sha256 === sha256);
  const facts = [
    term?.type,
    term && texts.version(versionName(term)),
    term && (term.mandatory ? texts.mandatory : texts.optional),
    shown && tongue.of(shown.locale),
    texts.onDevice(written(consent.consented_at)),
    method && texts.methods[method],
    opened && (page ? texts.readUpTo(page.toLocaleString(language.tag)) : texts.opened),
    evidence !== "presented" && texts.evidences[evidence],
  ].filter(Boolean);
  return (
    <li>
      <DecisionChip decision={outcome} />{" "}
      <bdi>
        {shown?.title ??
          (term
            ? titleOf(term, language.tag)
            : texts.termNumber(`${consent.terms_and_conditions_id}`))}
      </bdi>{" "}
      <a href={`/documents/${sha256}.pdf`} target="_blank" rel="noreferrer">
        {texts.exactText}
      </a>
      <p className="note">{facts.join(" · ")}</p>
      <p className="note">
        SHA-256 <bdi className="mono">{sha256}</bdi>
      </p>
    </li>
  );
}
