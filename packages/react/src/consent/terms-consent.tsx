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
      {...props}
      locale={locale}
      key={`${termsType} ${userId}`}
      query={{ userId, termsType }}
      words={texts}
    />
  ) : (
    <section className="mu-consent" aria-busy="true">
      <Skeleton />
    </section>
  );
}

function labels(props: TermsConsentProps): TextOverrides {
  const { title, description, agreeAllLabel, optionalLabel, acceptLabel, texts } = props;
  const consent = {
    ...texts?.consent,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(agreeAllLabel !== undefined && { agreeAll: agreeAllLabel }),
    ...(optionalLabel !== undefined && { optional: optionalLabel }),
    ...(acceptLabel !== undefined && { accept: acceptLabel }),
  };
  return { ...texts, consent };
}
