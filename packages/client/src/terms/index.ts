export {
  type Agreement,
  acceptedBefore,
  afterToggleAll,
  agreeAllState,
  type Choice,
  type ConsentMethod,
  isTicked,
  missingMandatory,
  type PartialClick,
  toggle,
  toggleAll,
} from "./agreement";
export {
  type Consent,
  type ConsentList,
  defaultConsentList,
  submittedUserType,
  type UserType,
} from "./consents";
export { clearDraft, type Draft, loadDraft, saveDraft } from "./draft";
export { type FailureKind, failureKind } from "./failure";
export {
  buildSubmission,
  newIdempotencyKey,
  type Reading,
  type Receipt,
  type Submission,
  type SubmissionAnswer,
  type SubmissionInput,
  type SubmittedConsent,
} from "./submission";
export { askedTypes, asTerms, DEFAULT_TERMS_TYPE, sortTerms, type Term } from "./term";
export {
  type ConsentCalls,
  type ConsentHistory,
  createConsentCalls,
  createTermsClient,
  DEFAULT_BASE_URL,
  type PastConsent,
  type SubmitOptions,
  type TermsClient,
  type TermsClientOptions,
  type TermsQuery,
} from "./terms-client";
