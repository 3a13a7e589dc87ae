import {
  type Agreement,
  isTicked,
  missingMandatory,
  type TermsQuery,
  toggle,
  toggleAll,
} from "@musette/client/terms";
import type { TermsConsentProps } from "./props";
import { useAgreement } from "./use-agreement";
import { useDeferred } from "./use-deferred";
import { useSource } from "./use-source";
import { useSubmission } from "./use-submission";
import { useTerms } from "./use-terms";

export interface ConsentProps extends TermsConsentProps {
  readonly query: TermsQuery;
  /** Called when another person may hold the phone. `cleared`: the ticks of the visit were lost. */
  readonly onStartOver: (cleared: boolean) => void;
}

const NONE: ReadonlySet<number> = new Set();

/** Provides the state and the actions of the consent screen, without its elements and texts. */
export function useConsent(props: ConsentProps, locale: string) {
  const { query, partialClick = "tick", app, onAccepted, onStartOver } = props;
  const { userId, market } = query;
  const source = useSource(props);
  const parts = useDeferred();
  const { deferred } = parts;
  const loaded = useTerms(source, query, props.initialTerms);
  const { terms, earlier } = loaded;
  const agreementState = useAgreement(query, terms, earlier.known, deferred);
  const { agreement, readings, change } = agreementState;

  const ids = terms.map((term) => term.id);
  const ticks = ids.map((id) => isTicked(agreement, id));
  const { state, sender, send } = useSubmission(
    parts,
    { ...query, baseUrl: props.baseUrl },
    {
      calls: props,
      onSaved: (answer) => {
        agreementState.forget();
        earlier.retry();
        onAccepted?.(answer);
      },
      onChanged: loaded.renew,
      onGone: () => onStartOver(!userId && agreement.choices.size > 0),
    },
  );

  function choose(by: (agreement: Agreement) => Agreement): void {
    change(by);
    sender()?.reset();
  }

  return {
    loaded,
    ticks,
    declined: earlier.known ? agreementState.declined : NONE,
    kept: agreementState.restoredTicks,
    state,
    sender,
    deferred,
    loadDeferred: () => void parts.load().catch(() => {}),
    missing: missingMandatory(terms, agreement).length,
    read: (id: number, page: number) => {
      sender()?.touch();
      agreementState.read(id, page);
    },
    toggle: (id: number) => choose((agreement) => toggle(agreement, id)),
    toggleAll: () => choose((agreement) => toggleAll(agreement, ids, partialClick)),
    send: () =>
      send(JSON.stringify([ids, ticks]), ({ prepareSubmission }) =>
        prepareSubmission({ userId, market, terms, agreement, readings, locale, app }, earlier),
      ),
  };
}
