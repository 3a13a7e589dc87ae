import { useId, useState } from "react";
import { urlOf } from "../../api/client";
import { timeZone } from "../../language/dates";
import { dayOf } from "../../language/days";
import { useLanguage } from "../../language/language-context";
import { fromLocal } from "../../ui/local-time";
import sheetStyles from "../../ui/sheet.module.css";
import { SkippedTime } from "../../ui/skipped-time";
import { DownloadButton } from "./download-button";
import { usePersonTexts } from "./texts/texts";

/** Downloads everything about a person that a court needs, until now or until a chosen time. */
export function CaseFile({ userId }: { readonly userId: string }) {
  const texts = usePersonTexts();
  const { language } = useLanguage();
  const [until, setUntil] = useState("");
  const field = useId();
  const asOf = fromLocal(until);
  const query = { locale: language.tag, as_of: asOf || undefined };
  const suffix = asOf && `-${dayOf(new Date(asOf))}`;
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.caseFile}</h2>
      <p className="note">{texts.caseFileHint}</p>
      <div className="field">
        <label htmlFor={field}>{texts.caseFileAsOf}</label>
        <input
          id={field}
          type="datetime-local"
          value={until}
          aria-describedby={`${field}-hint`}
          onChange={(event) => setUntil(event.target.value)}
        />
        <p id={`${field}-hint`} className="note">
          {texts.caseFileAsOfHint(timeZone())}
        </p>
        <SkippedTime local={until} />
      </div>
      <DownloadButton
        label={texts.downloadCaseFile}
        url={urlOf("/api/admin/v1/people/{userId}/case.zip", { path: { userId }, query })}
        name={`case-${userId}${suffix}.zip`}
      />
    </section>
  );
}
