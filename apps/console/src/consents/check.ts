import { type VerifiedReceipt, verifyReceipt } from "@musette/client/log";

/** The steps of the check, in order. */
export const STEPS = ["readable", "key", "signature", "inclusion", "documents", "person"] as const;
export type StepName = (typeof STEPS)[number];
export type Outcome = "good" | "bad" | "open" | "missing";

export interface Step {
  readonly name: StepName;
  /** `open`: an earlier step failed, or no user id was given. `missing`: a document could not be compared. */
  readonly outcome: Outcome;
  /** The technical reason. */
  readonly reason?: string;
}

export interface DocumentCheck {
  readonly sha256: string;
  /** `same` or `other` bytes; `gone`: no document with this hash exists; `unknown`: it could not be loaded. */
  readonly state: "same" | "other" | "gone" | "unknown";
}

export interface Verdict {
  readonly isGood: boolean;
  readonly steps: readonly Step[];
  readonly verified?: VerifiedReceipt;
  readonly documents: readonly DocumentCheck[];
  /** The verifier key of the log that signed it. */
  readonly vkey?: string;
  /** The user id that the receipt was checked against. */
  readonly userId?: string;
}

/** The step that an error code belongs to. The steps before it have passed. */
const FAILED_AT: Readonly<Record<string, StepName>> = {
  malformed: "readable",
  unsupported: "readable",
  bad_key: "key",
  unknown_signer: "key",
  bad_signature: "signature",
  bad_policy: "key",
  no_quorum: "signature",
  not_in_log: "inclusion",
  other_person: "person",
  applicant_receipt: "person",
};

interface CheckOptions {
  readonly vkeys: readonly string[];
  readonly userId?: string | undefined;
  readonly checkDocument: (sha256: string) => Promise<DocumentCheck["state"]>;
}

/**
 * Returns the receipt from a pasted text: the text itself, the object in it, or the `receipt` in
 * the answer to a submission.
 */
export function receiptIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value && "receipt" in value) return value.receipt;
    return value;
  } catch {
    return text;
  }
}

/** Returns the number of the receipt in a text, if it has one. */
export function receiptNumberIn(text: string): string | undefined {
  const receipt = receiptIn(text);
  const hasId = typeof receipt === "object" && receipt && "id" in receipt;
  return hasId && typeof receipt.id === "string" ? receipt.id : undefined;
}

/**
 * Checks a receipt in this browser against the public keys of the logs, and returns the outcome of
 * each step.
 */
export async function checkReceipt(text: string, options: CheckOptions): Promise<Verdict> {
  const { vkeys, userId, checkDocument } = options;
  const receipt = receiptIn(text);
  // First without a person, so that the documents are checked in any case.
  const proved = await verifyReceipt(receipt, { vkeys });
  if (!proved.ok) {
    const failed = FAILED_AT[proved.code] ?? "readable";
    return { isGood: false, steps: stepsUntil(failed, proved.reason), documents: [] };
  }
  const hashes = [...new Set(proved.entry.consents.map(({ sha256 }) => sha256))];
  const documents = await Promise.all(
    hashes.map(async (sha256) => ({ sha256, state: await checkDocument(sha256) })),
  );
  const person = userId ? await verifyReceipt(receipt, { vkeys, userId }) : undefined;
  const steps: Step[] = [
    ...stepsUntil("documents").slice(0, 4),
    { name: "documents", outcome: documentsOutcome(documents) },
    {
      name: "person",
      outcome: person ? (person.ok ? "good" : "bad") : "open",
      ...(person && !person.ok && { reason: person.reason }),
    },
  ];
  const isGood = steps.every(({ outcome }) => outcome !== "bad");
  const vkey = vkeys.find((vkey) => vkey.startsWith(`${proved.checkpoint.origin}+`));
  return {
    isGood,
    steps,
    verified: proved,
    documents,
    ...(vkey && { vkey: vkey.trim() }),
    ...(userId && person?.ok && { userId }),
  };
}

function stepsUntil(failed: StepName, reason?: string): readonly Step[] {
  const place = STEPS.indexOf(failed);
  return STEPS.map((name, index) => {
    const outcome = index < place ? "good" : index === place ? "bad" : "open";
    return { name, outcome, ...(index === place && reason && { reason }) };
  });
}

/** A document that cannot be fetched does not invalidate the receipt: the log still contains its hash. */
function documentsOutcome(documents: readonly DocumentCheck[]): Outcome {
  if (documents.some(({ state }) => state === "other")) return "bad";
  return documents.every(({ state }) => state === "same") ? "good" : "missing";
}
