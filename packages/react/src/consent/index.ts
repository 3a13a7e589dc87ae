export type { Arrange, Arrangement } from "./arrangement";
export type { TermsConsentProps } from "./props";
export { TermsConsent } from "./terms-consent";
