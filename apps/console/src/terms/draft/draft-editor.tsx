import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { inLanguage } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { Page } from "../../ui/page";
import { termsQuery } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { ChangeFields } from "./change-fields";
import { CheckPanel } from "./check-panel";
import { Conflict } from "./conflict";
import { DateFields } from "./date-fields";
import type { Draft } from "./draft";
import styles from "./draft.module.css";
import type { DraftError } from "./draft-calls";
import { DifferenceFields } from "./draft-difference";
import { errorAt, shapeErrors } from "./errors";
import { KeepingLine } from "./keeping-line";
import { LanguageFields } from "./language-fields";
import { MarketFields } from "./market-fields";
import { useDraft } from "./use-draft";
import { WhatFields } from "./what-fields";

export function DraftEditor({ first }: { readonly first: Draft }) {
  const texts = useTermsTexts();
  const { language } = useLanguage();
  const { keeper, body, stored, keeping, wasRestored } = useDraft(first);
  // Errors appear next to their fields only after an attempt to publish: an empty form is not an
  // error.
  const [shownErrors, showErrors] = useState<readonly DraftError[]>([]);
  const published = useInfiniteQuery(termsQuery({ around: true }));
  const terms = published.data?.pages.flatMap(({ items }) => items) ?? [];
  const former = terms.find(({ id }) => id === body.replaces);
  const formerTitle = former && inLanguage(former.variants, language.tag)?.title;
  const title = inLanguage(body.variants, language.tag)?.title;
  const fields = {
    body,
    edit: keeper.edit.bind(keeper),
    errorAt: errorAt([...shapeErrors(keeping), ...shownErrors], texts),
  };
  const heading = title || formerTitle || texts.draft.title;
  const intro = formerTitle ? texts.draft.titleOf(formerTitle) : title && texts.draft.title;
  return (
    <Page title={heading} intro={intro && <bdi>{intro}</bdi>}>
      <KeepingLine keeping={keeping} wasRestored={wasRestored} keeper={keeper} />
      {keeping.kind === "conflict" && (
        <Conflict keeper={keeper} theirs={keeping.theirs} terms={terms} />
      )}
      <div className={styles.draft}>
        {/* Not a form element: Enter must not submit, and the dialogs inside have their own forms. */}
        <div className={styles.draftForm}>
          <WhatFields {...fields} terms={terms} former={former} />
          <MarketFields {...fields} terms={terms} former={former} />
          {body.replaces !== undefined && <ChangeFields {...fields} />}
          <DateFields {...fields} />
          <LanguageFields {...fields} keeper={keeper} />
          <DifferenceFields body={body} former={former} />
        </div>
        <CheckPanel
          {...{ keeper, body, stored, keeping, former }}
          title={title || formerTitle || texts.untitled}
          onErrors={showErrors}
        />
      </div>
    </Page>
  );
}
