import { DEFAULT_TERMS_TYPE } from "@musette/client/terms";
import type { TextOverrides } from "../texts";
import { pageLanguage, useTextsAtHand } from "../texts/use-texts";
import { Skeleton } from "./frame";
import type { TermsConsentProps } from "./props";
import { Screen } from "./screen";

/** Lists the terms, takes the ticks, submits them. A person who changes gets a screen of their own. */
export function TermsConsent(props: TermsConsentProps) {
  const locale = props.locale ?? pageLanguage();
  const texts = useTextsAtHand(locale, labels(props));
  const termsType = props.termsType ?? DEFAULT_TERMS_TYPE;
  // An empty id is that of an applicant, as on the wire.
  const userId = props.userId || undefined;
  return texts ? (
    <Screen
      key={`${termsType} ${userId}`}
      {...props}
      locale={locale}
      query={{ userId, termsType }}
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
