export {
  type Agreement,
  acceptedBefore,
  afterToggleAll,
  agreeAllState,
  type Choice,
  type ConsentMethod,
  choiceOf,
  declinedTerms,
  type EarlierConsents,
  earlierConsents,
  isTicked,
  missingMandatory,
  type PartialClick,
  toggle,
  toggleAll,
} from "./agreement";
export {
  asConsents,
  type Consent,
  type ConsentList,
  defaultConsentList,
  submittedUserType,
  type UserType,
} from "./consents";
export { resolveContent } from "./document-links";
export { clearDraft, hasDraft, loadDraft, saveDraft } from "./draft";
export { type Failure, type FailureKind, failureKind, failureOf, isOffline } from "./failure";
export { isUnknownMarket } from "./market";
export { fetchMarkets, marketName } from "./markets";
export {
  findPending,
  forgetPending,
  isExpired,
  keepPending,
  type PendingOutcome,
  type PendingOwner,
  replayPending,
  type Submit,
  settlePending,
} from "./pending";
export { mayBePending } from "./pending-mark";
export type { PendingSubmission } from "./pending-submission";
export {
  type ConsentReads,
  createConsentReads,
  DEFAULT_BASE_URL,
  type TermsClientOptions,
  type TermsQuery,
} from "./reads";
export { receiptNumber } from "./receipt-number";
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
export {
  askedTypes,
  asTerms,
  DEFAULT_TERMS_TYPE,
  type EarlierVersion,
  sortTerms,
  type Term,
  versionIds,
} from "./term";
export {
  type ConsentCalls,
  type ConsentHistory,
  createConsentCalls,
  createTermsClient,
  type OpenedReceipt,
  type Outstanding,
  type PastConsent,
  type SubmitOptions,
  type TermsClient,
} from "./terms-client";
export { formerVersion, summariesSince } from "./versions";
export { beginVisit, endVisit, interruptedVisit, isOfVisit, VISIT_IDLE_MS } from "./visit";
