export type { TermsConsentProps } from "./props";
export { TermsConsent } from "./terms-consent";
