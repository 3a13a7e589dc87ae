import {
  type Agreement,
  buildSubmission,
  isTicked,
  missingMandatory,
  type TermsQuery,
  toggle,
  toggleAll,
} from "@musette/client/terms";
import type { TermsConsentProps } from "./props";
import { useAgreement } from "./use-agreement";
import { useSource } from "./use-source";
import { useSubmission } from "./use-submission";
import { useTerms } from "./use-terms";

/** Everything that the screen knows and does, without a word or an element of it. */
export function useConsent(props: TermsConsentProps, query: TermsQuery, locale: string) {
  const { partialClick = "tick", app, onAccepted } = props;
  const { source, submit } = useSource(props);
  const loaded = useTerms(source, query);
  const { terms } = loaded;
  const { agreement, readings, change, read, forget } = useAgreement(query, loaded.earlier);

  const ids = terms.map((term) => term.id);
  const ticks = ids.map((id) => isTicked(agreement, id));
  const submission = useSubmission(JSON.stringify([ids, ticks]), {
    build: () =>
      buildSubmission({
        userId: query.userId,
        terms,
        agreement,
        readings,
        consentedAt: new Date(),
        locale,
        app,
      }),
    submit,
    onSaved: (answer) => {
      forget();
      onAccepted?.(answer);
    },
    onChanged: loaded.reload,
  });

  function choose(by: (agreement: Agreement) => Agreement): void {
    change(by);
    submission.reset();
  }

  return {
    loaded,
    ticks,
    read,
    state: submission.state,
    missing: missingMandatory(terms, agreement).length,
    toggle: (id: number) => choose((agreement) => toggle(agreement, id)),
    toggleAll: () => choose((agreement) => toggleAll(agreement, ids, partialClick)),
    send: submission.send,
  };
}
