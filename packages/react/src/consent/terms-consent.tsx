import { DEFAULT_TERMS_TYPE } from "@musette/client/terms";
import { useReducer } from "react";
import type { TextOverrides } from "../texts";
import { pageLanguage, useTextsAtHand } from "../texts/use-texts";
import { Skeleton } from "./frame";
import type { TermsConsentProps } from "./props";
import { Screen } from "./screen";

interface Visit {
  readonly number: number;
  /** The ticks of the visit before are gone, and whoever sees the screen is told. */
  readonly cleared: boolean;
}

const nextVisit = ({ number }: Visit, cleared: boolean): Visit => ({ number: number + 1, cleared });

/** Lists the terms, takes the ticks, submits them. Another person, or visit, gets a screen of its own. */
export function TermsConsent(props: TermsConsentProps) {
  const locale = props.locale ?? pageLanguage();
  const texts = useTextsAtHand(locale, labels(props));
  const termsType = props.termsType ?? DEFAULT_TERMS_TYPE;
  // An empty id is that of an applicant, as on the wire.
  const userId = props.userId || undefined;
  const market = userId ? undefined : props.market || undefined;
  const [visit, startOver] = useReducer(nextVisit, { number: 0, cleared: false });
  const { onBack, onClose } = props;
  const leaving = (leave: (() => void) | undefined) =>
    leave &&
    (() => {
      // A host may keep the screen where it is: who opens it again may be somebody else.
      startOver(false);
      leave();
    });
  return texts ? (
    <Screen
      key={`${termsType} ${userId} ${market} ${visit.number}`}
      {...props}
      onBack={leaving(onBack)}
      onClose={leaving(onClose)}
      onStartOver={startOver}
      cleared={visit.cleared}
      locale={locale}
      query={{ userId, termsType, ...(market && { market }) }}
      words={texts}
    />
  ) : (
    <section className="mu-consent" aria-busy="true">
      <Skeleton />
    </section>
  );
}

/** The labels that have a prop of their own, over those among the texts. */
function labels({ texts, ...props }: TermsConsentProps): TextOverrides {
  const named = {
    title: props.title,
    description: props.description,
    agreeAll: props.agreeAllLabel,
    optional: props.optionalLabel,
    accept: props.acceptLabel,
  };
  const given = Object.entries(named).filter(([, label]) => label !== undefined);
  return { ...texts, consent: { ...texts?.consent, ...Object.fromEntries(given) } };
}
