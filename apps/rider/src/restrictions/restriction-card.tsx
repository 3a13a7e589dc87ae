import { useId } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { saveAs } from "../receipts/signed-receipt";
import { textFor } from "../work-record/evaluation";
import { SaveButton } from "../work-record/save-button";
import { fetchReceipts, isCurrent, isUpcoming, type Restriction } from "./restriction";
import { Review } from "./review";

interface Props {
  readonly userId: string;
  readonly restriction: Restriction;
  readonly onChanged: () => void;
}

/** A restriction: what it limits, since when, until when, why, the contact, and the review. */
export function RestrictionCard({ userId, restriction, onChanged }: Props) {
  const { texts } = usePageLanguage();
  const labels = texts.restriction;
  const titleId = useId();
  const now = new Date();
  const { id, kind } = restriction;
  const current = isCurrent(restriction, now);
  return (
    <section
      className="card restriction"
      aria-labelledby={titleId}
      data-current={current || undefined}
    >
      <h2 id={titleId}>{current ? labels.kinds[kind] : labels.ended[kind]}</h2>
      <RestrictionFacts restriction={restriction} />
      <Review userId={userId} restriction={restriction} onChanged={onChanged} />
      <details className="work-history">
        <summary>{texts.work.receipts}</summary>
        <p>{texts.work.receiptsText}</p>
        <SaveButton
          label={texts.work.receipts}
          onSave={async () => {
            const receipts = await fetchReceipts(userId, id);
            const text = `${JSON.stringify(receipts, null, 2)}\n`;
            saveAs(new Blob([text], { type: "application/json" }), `receipts-${id}.json`);
          }}
        />
      </details>
    </section>
  );
}

/** The times, the reasons, and the contact. */
export function RestrictionFacts({ restriction }: { readonly restriction: Restriction }) {
  const { language, texts } = usePageLanguage();
  const { statement, reasons, lift_message: liftMessage } = restriction;
  const languages = [language.tag, ...navigator.languages];
  const shown = textFor(statement, languages);
  return (
    <>
      <Facts restriction={restriction} />
      <h3>{texts.work.why}</h3>
      {shown && (
        <p className="work-message" lang={shown.lang} dir="auto">
          {shown.text}
        </p>
      )}
      <ul className="work-reasons">
        {reasons.map(({ code, text }) => {
          const reason = textFor(text, languages);
          return (
            <li key={code}>
              <bdi lang={reason?.lang}>{reason?.text}</bdi>
            </li>
          );
        })}
      </ul>
      {/* The answer to a review that lifts it is shown with the review. */}
      {liftMessage && liftMessage !== restriction.review?.answer && (
        <p className="work-message" dir="auto">
          {liftMessage}
        </p>
      )}
      <h3>{texts.restriction.contact}</h3>
      <Contact contact={restriction.contact} />
    </>
  );
}

function Facts({ restriction }: { readonly restriction: Restriction }) {
  const { language, texts } = usePageLanguage();
  const labels = texts.restriction;
  const at = (instant: string) => dateAndTime(language.tag, instant);
  const { starts_at: start, ends_at: end, ended_at: ended, status, decided_by: by } = restriction;
  return (
    <dl className="work-facts">
      {start && (
        <div>
          <dt>{isUpcoming(restriction, new Date()) ? labels.from : labels.since}</dt>
          <dd>{at(start)}</dd>
        </div>
      )}
      <div>
        <dt>{labels.until}</dt>
        <dd>{ended ? at(ended) : end ? at(end) : labels.noEnd}</dd>
      </div>
      {status === "LIFTED" && ended && (
        <div>
          <dt>{labels.lifted}</dt>
          <dd>{at(ended)}</dd>
        </div>
      )}
      {by.role && (
        <div>
          <dt>{texts.work.who}</dt>
          <dd>{texts.work.by[by.role]}</dd>
        </div>
      )}
    </dl>
  );
}

function Contact({ contact }: Pick<Restriction, "contact">) {
  const { name, email, phone } = contact;
  return (
    <ul className="restriction-contact">
      <li>
        <bdi>{name}</bdi>
      </li>
      {email && (
        <li>
          <a href={`mailto:${encodeURIComponent(email)}`}>
            <bdi dir="ltr">{email}</bdi>
          </a>
        </li>
      )}
      {phone && (
        <li>
          <a href={`tel:${phone.replace(/[^\d+]/g, "")}`}>
            <bdi dir="ltr">{phone}</bdi>
          </a>
        </li>
      )}
    </ul>
  );
}
