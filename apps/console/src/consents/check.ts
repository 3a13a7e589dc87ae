import { type VerifiedReceipt, verifyReceipt } from "@musette/client/log";

/** The steps in which a receipt is checked, in their order. */
export const STEPS = ["readable", "key", "signature", "inclusion", "documents", "person"] as const;
export type StepName = (typeof STEPS)[number];
export type Outcome = "good" | "bad" | "open" | "missing";

export interface Step {
  readonly name: StepName;
  /** `open`: not checked, since an earlier step failed or nothing was asked. */
  readonly outcome: Outcome;
  /** Why, as an expert says it. */
  readonly reason?: string;
}

export interface DocumentCheck {
  readonly sha256: string;
  /** `gone`: we have no document of this hash. */
  readonly state: "same" | "other" | "gone" | "unknown";
}

export interface Verdict {
  readonly isGood: boolean;
  readonly steps: readonly Step[];
  readonly verified?: VerifiedReceipt;
  readonly documents: readonly DocumentCheck[];
  /** The verifier key of the log that signed it. */
  readonly vkey?: string;
  /** Whose it was checked to be. */
  readonly userId?: string;
}

/** Which step a refusal belongs to; those before it have passed. */
const FAILED_AT: Readonly<Record<string, StepName>> = {
  malformed: "readable",
  unsupported: "readable",
  bad_key: "key",
  unknown_signer: "key",
  bad_signature: "signature",
  not_in_log: "inclusion",
  other_person: "person",
  applicant_receipt: "person",
};

interface Asked {
  readonly vkeys: readonly string[];
  readonly userId?: string | undefined;
  readonly checkDocument: (sha256: string) => Promise<DocumentCheck["state"]>;
}

/** What is held out: the text of a file, the object in it, or the answer to a submission around it. */
export function unwrapped(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value && "receipt" in value) return value.receipt;
    return value;
  } catch {
    return text;
  }
}

/** Checks in this browser, against the public keys of the logs, and says what held and what did not. */
export async function checkReceipt(text: string, asked: Asked): Promise<Verdict> {
  const { vkeys, userId, checkDocument } = asked;
  const receipt = unwrapped(text);
  // First without a person, so that the documents are looked at whoever it is.
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
  const vkey = vkeys.find((it) => it.startsWith(`${proved.checkpoint.origin}+`));
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

/** A document that cannot be fetched says nothing about the receipt: its hash still stands in the log. */
function documentsOutcome(documents: readonly DocumentCheck[]): Outcome {
  if (documents.some(({ state }) => state === "other")) return "bad";
  return documents.every(({ state }) => state === "same") ? "good" : "missing";
}
