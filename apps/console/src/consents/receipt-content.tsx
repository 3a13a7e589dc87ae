import type { LoggedConsent, VerifiedReceipt } from "@musette/client/log";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { versionName } from "../language/version-name";
import type { Verdict } from "./check";
import styles from "./consents.module.css";
import { titleOf } from "./consents-filter";
import { type PublishedTerm, publishedTermsQuery } from "./consents-queries";
import { useConsentsTexts } from "./texts/texts";

interface ReceiptContentProps {
  readonly verdict: Verdict;
  readonly verified: VerifiedReceipt;
}

/** The content of a verified receipt. It matches the certificate. */
export function ReceiptContent({ verdict, verified }: ReceiptContentProps) {
  const texts = useConsentsTexts();
  const written = useInstant();
  const { language } = useLanguage();
  const { data } = useQuery(publishedTermsQuery);
  const { entry, index, checkpoint } = verified;
  const number = (value: number) => value.toLocaleString(language.tag);
  const tongue = new Intl.DisplayNames([language.tag], { type: "language" });
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
        <Fact name={texts.receiptNumber}>
          <bdi className="mono">{entry.id}</bdi>
        </Fact>
        {entry.locale && <Fact name={texts.language}>{tongue.of(entry.locale)}</Fact>}
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
            term={data?.items.find(({ id }) => id === consent.terms_and_conditions_id)}
          />
        ))}
      </ul>
      <h3>{texts.proof}</h3>
      <dl className={styles.logFacts}>
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

interface DecisionProps {
  readonly consent: LoggedConsent;
  readonly term: PublishedTerm | undefined;
}

function Decision({ consent, term }: DecisionProps) {
  const texts = useConsentsTexts();
  const written = useInstant();
  const { language } = useLanguage();
  const { accepted, method, opened, last_page: page, evidence, sha256 } = consent;
  const shown = term?.variants.find((variant) => variant.sha256 === sha256);
  const facts = [
    term?.type,
    term && texts.version(versionName(term)),
    term && (term.mandatory ? texts.mandatory : texts.optional),
    texts.onDevice(written(consent.consented_at)),
    method && texts.methods[method],
    opened && (page ? texts.readUpTo(page.toLocaleString(language.tag)) : texts.opened),
    evidence !== "presented" && texts.evidences[evidence],
  ].filter(Boolean);
  return (
    <li>
      <span className="chip" data-tone={accepted ? "good" : "bad"}>
        {accepted ? texts.accepted : texts.refused}
      </span>{" "}
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
