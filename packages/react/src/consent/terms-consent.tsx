import { DEFAULT_TERMS_TYPE } from "@musette/client/terms";
import { useReducer } from "react";
import type { TextOverrides } from "../texts";
import { pageLanguage, useTextsAtHand } from "../texts/use-texts";
import { Skeleton } from "./frame";
import type { TermsConsentProps } from "./props";
import { Screen } from "./screen";

interface Visit {
  readonly number: number;
  /** Whether the ticks of the previous visit were lost. The screen then shows a message. */
  readonly cleared: boolean;
}

const nextVisit = ({ number }: Visit, cleared: boolean): Visit => ({ number: number + 1, cleared });

/**
 * The consent screen. It lists the terms and submits the ticks of the user. It resets for another user or visit.
 *
 * @example
 * <TermsConsent userId="rider-1" onAccepted={(answer) => showReceipt(answer.receipt.id)} />
 */
export function TermsConsent(props: TermsConsentProps) {
  const locale = props.locale ?? pageLanguage();
  const texts = useTextsAtHand(locale, labels(props));
  const termsType = props.termsType ?? DEFAULT_TERMS_TYPE;
  // An empty id means an applicant, as in the API.
  const userId = props.userId || undefined;
  const market = userId ? undefined : props.market || undefined;
  const [visit, startOver] = useReducer(nextVisit, { number: 0, cleared: false });
  const { onBack, onClose } = props;
  const resetBefore = (leave: (() => void) | undefined) =>
    leave &&
    (() => {
      // A host may keep the screen mounted, and another person may open it next.
      startOver(false);
      leave();
    });
  return texts ? (
    <Screen
      key={`${termsType} ${userId} ${market} ${visit.number}`}
      {...props}
      onBack={resetBefore(onBack)}
      onClose={resetBefore(onClose)}
      onStartOver={startOver}
      cleared={visit.cleared}
      locale={locale}
      query={{ userId, termsType, ...(market && { market }) }}
      allTexts={texts}
    />
  ) : (
    <section className="mu-consent" aria-busy="true">
      <Skeleton />
    </section>
  );
}

/** Merges the props of single labels into the texts. The props have priority. */
function labels({ texts, ...props }: TermsConsentProps): TextOverrides {
  const named = {
    title: props.title,
    description: props.description,
    agreeAll: props.agreeAllLabel,
    optional: props.optionalLabel,
    accept: props.acceptLabel,
  };
  const overrides = Object.entries(named).filter(([, label]) => label !== undefined);
  return { ...texts, consent: { ...texts?.consent, ...Object.fromEntries(overrides) } };
}
