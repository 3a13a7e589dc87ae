import { summariesSince } from "@musette/client/terms";
import { useState } from "react";
import { TextChanges, type TextChangesProps } from "./text-changes";

export { complete } from "../texts/complete";

/** Under the row of a changed term: in one sentence, and on demand word by word. */
export function WhatChanged(props: TextChangesProps) {
  const { term, former, texts } = props;
  const [opened, setOpened] = useState(false);
  const words = texts.changes;
  // The newest one stands in the row already.
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
        onToggle={({ currentTarget }) => setOpened((before) => before || currentTarget.open)}
      >
        <summary>
          {words.show}
          <span className="mu-hidden">
            : <bdi lang={term.locale}>{term.title}</bdi>
          </span>
        </summary>
        <p>{words.between(name(former), name(term))}</p>
        {opened && <TextChanges {...props} />}
      </details>
    </div>
  );
}
