import { HttpError } from "@musette/client/http";
import type {
  LoggedSubmission,
  RefusalCode,
  SignedReceipt,
  VerifiedReceipt,
} from "@musette/client/log";
import type { StoredReceipt } from "../terms/receipt";
import type { RiderTexts } from "../texts/texts";

/** The problems that the app can explain, and that the person can act on. */
export type CheckProblem = keyof RiderTexts["proof"]["problems"];

export type CheckOutcome =
  | {
      readonly ok: true;
      readonly key: string;
      readonly position: number;
      readonly size: number;
      readonly userType: LoggedSubmission["user_type"];
    }
  | { readonly ok: false; readonly problem: CheckProblem; readonly detail?: string };

const PROBLEMS: Readonly<Record<RefusalCode, CheckProblem>> = {
  unsupported: "unsupported",
  malformed: "damaged",
  bad_key: "otherKey",
  unknown_signer: "otherKey",
  bad_signature: "changed",
  // This page demands no witnesses.
  bad_policy: "otherKey",
  no_quorum: "otherKey",
  not_in_log: "changed",
  other_person: "otherPerson",
  applicant_receipt: "otherPerson",
};

let request: Promise<string[]> | undefined;

/** Fetches the keys once per visit. An error is not remembered. */
function logKeys(): Promise<string[]> {
  request ??= fetch("/log/keys")
    .then((response) => {
      if (!response.ok) throw new HttpError(response);
      return response.text();
    })
    .then((lines) => lines.trim().split("\n"))
    .catch((error: unknown) => {
      request = undefined;
      throw error;
    });
  return request;
}

/** Checks on this device that the proof is valid, and that it matches what the page shows. */
export async function checkReceipt(
  shown: StoredReceipt,
  signed: SignedReceipt,
): Promise<CheckOutcome> {
  let vkeys: string[];
  let verify: typeof import("@musette/client/log").verifyReceipt;
  try {
    // Few people check a receipt, so the verifier is not part of the page's own chunk.
    [vkeys, { verifyReceipt: verify }] = await Promise.all([
      logKeys(),
      import("@musette/client/log"),
    ]);
  } catch {
    return { ok: false, problem: "unreachable" };
  }
  let verified = await verify(signed, { vkeys, userId: shown.userId || undefined });
  // The receipt was given as an applicant and claimed by the account later. Its entry names no
  // user.
  if (!verified.ok && verified.code === "applicant_receipt") {
    verified = await verify(signed, { vkeys });
  }
  if (!verified.ok) {
    return { ok: false, problem: PROBLEMS[verified.code], detail: verified.reason };
  }
  if (!matchesShown(verified, shown)) {
    return { ok: false, problem: "changed", detail: "the entry is not what is shown" };
  }
  const { index, checkpoint, entry } = verified;
  const { origin, size } = checkpoint;
  // After a restore there are several logs. The key's name is the origin of its log.
  const key = vkeys.find((vkey) => vkey.startsWith(`${origin}+`)) ?? "";
  return { ok: true, key, position: index + 1, size, userType: entry.user_type };
}

function matchesShown({ entry }: VerifiedReceipt, shown: StoredReceipt): boolean {
  const logged = new Map(
    entry.consents.map((consent) => [consent.terms_and_conditions_id, consent.accepted]),
  );
  return (
    Date.parse(entry.recorded_at) === Date.parse(shown.recordedAt) &&
    logged.size === shown.decisions.length &&
    shown.decisions.every(({ termId, accepted }) => logged.get(termId) === accepted)
  );
}
