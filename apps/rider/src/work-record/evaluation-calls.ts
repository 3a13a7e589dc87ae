import type { Schema } from "@musette/client/api";
import { HttpError, requestJson } from "@musette/client/http";
import { newIdempotencyKey } from "@musette/client/terms";
import { saveAs } from "../receipts/signed-receipt";
import { session } from "../session/session";
import { evaluationsUrl } from "./contest-queue";
import type { Evaluation, EvaluationDetail } from "./evaluation";

type EvaluationPage = Schema<"EvaluationPage">;
type ReceiptList = Schema<"ReceiptList">;

const PAGE_SIZE = 30;

export function fetchEvaluations(
  userId: string,
  after?: string,
  limit = PAGE_SIZE,
): Promise<EvaluationPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(after && { after }) });
  return requestJson<EvaluationPage>(session.fetch, `${evaluationsUrl(userId)}?${query}`);
}

/** Whether the company has recorded any work of this rider. */
export async function hasEvaluations(userId: string): Promise<boolean> {
  const url = `${evaluationsUrl(userId)}?limit=1`;
  return (await requestJson<EvaluationPage>(session.fetch, url)).items.length > 0;
}

export function fetchEvaluation(userId: string, id: string): Promise<EvaluationDetail> {
  return requestJson<EvaluationDetail>(session.fetch, `${evaluationsUrl(userId)}/${id}`);
}

/** What a rider does with an evaluation, besides contesting it. */
export type RiderAction =
  | { readonly kind: "confirm"; readonly version: number }
  | { readonly kind: "withdraw" }
  | { readonly kind: "message"; readonly message: string };

/** Creates the request of one action. A retry sends the same key, so that it is recorded once. */
export function createAction(
  userId: string,
  id: string,
  action: RiderAction,
): () => Promise<Evaluation> {
  const key = newIdempotencyKey();
  const send = (path: string, method: string, body?: object) =>
    requestJson<Evaluation>(session.fetch, `${evaluationsUrl(userId)}/${id}/${path}`, {
      method,
      headers: {
        ...(body && { "Content-Type": "application/json" }),
        ...(method === "POST" && { "Idempotency-Key": key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  switch (action.kind) {
    case "confirm":
      return () => send("acceptance", "POST", { version: action.version });
    case "withdraw":
      return () => send("discussion", "DELETE");
    case "message":
      return () => send("discussion/messages", "POST", { message: action.message });
  }
}

/** Returns the code of the server's problem. */
export function problemCode(error: unknown): string | undefined {
  return error instanceof HttpError ? error.problem?.code : undefined;
}

const asFile = (value: unknown) =>
  new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: "application/json" });

/** Saves the receipts as the server gave them; `musette receipt verify` reads the file. */
export async function saveReceipts(userId: string, id: string): Promise<void> {
  const url = `${evaluationsUrl(userId)}/${id}/receipts`;
  saveAs(asFile(await requestJson<ReceiptList>(session.fetch, url)), `receipts-${id}.json`);
}

/** Saves the copy of the rider's data, which contains the evaluations and their receipts. */
export async function saveRecord(): Promise<void> {
  saveAs(asFile(await requestJson(session.fetch, "/api/session/v1/me/data")), "my-record.json");
}
