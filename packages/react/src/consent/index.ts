export type { Arrange, Arrangement } from "./arrangement";
export { prepareConsent } from "./prepare-consent";
export type { TermsConsentProps } from "./props";
export { refetchTerms } from "./refetch-terms";
export { TermsConsent } from "./terms-consent";
