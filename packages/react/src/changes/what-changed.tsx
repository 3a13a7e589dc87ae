import { summariesSince } from "@musette/client/terms";
import { useState } from "react";
import { TextChanges, type TextChangesProps } from "./text-changes";

export { complete } from "../texts/complete";

/** Shown below the row of a changed term: the change summaries and, on demand, a comparison word by word. */
export function WhatChanged(props: TextChangesProps) {
  const { term, former, texts } = props;
  const [isOpened, setIsOpened] = useState(false);
  const { changes } = texts;
  // The row of the term already shows the newest summary.
  const earlier = summariesSince(term, former).slice(term.summary ? 1 : 0);
  const name = (version: { readonly label?: string | null; readonly version?: number }) =>
    version.label ?? String(version.version ?? "");
  return (
    <div className="mu-changes">
      {earlier.length > 0 && (
        <ul lang={term.locale}>
          {earlier.map((summary) => (
            <li key={summary} dir="auto">
              {summary}
            </li>
          ))}
        </ul>
      )}
      <details
        onToggle={({ currentTarget }) => setIsOpened((before) => before || currentTarget.open)}
      >
        <summary>
          {changes.show}
          <span className="mu-hidden">
            : <bdi lang={term.locale}>{term.title}</bdi>
          </span>
        </summary>
        <p>{changes.between(name(former), name(term))}</p>
        {isOpened && <TextChanges {...props} />}
      </details>
    </div>
  );
}
