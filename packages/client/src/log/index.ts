export type { Checkpoint } from "./checkpoint";
export type { LoggedConsent, LoggedSubmission } from "./entry";
export { leafHash } from "./hash";
export { type Consistency, type Inclusion, verifyConsistency, verifyInclusion } from "./merkle";
export type { MlDsa } from "./note";
export {
  type ReceiptOptions,
  type SignedReceipt,
  type VerifiedReceipt,
  verifyReceipt,
} from "./receipt";
export {
  type LoggedBatch,
  type LoggedDecision,
  type LoggedOpening,
  type MessageRecord,
  type OpeningOptions,
  type Verified,
  type VerifiedDecision,
  type VerifiedMessage,
  verifyDecisionReceipt,
  verifyMessageProof,
  verifyOpeningReceipt,
} from "./recorded";
export type { Refusal, RefusalCode } from "./refusal";
export { type ProvenEntry, type VerifyOptions, verifyTlogProof } from "./tlog-proof";
