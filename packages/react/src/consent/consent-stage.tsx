import type { ConsentList, Submission, SubmissionAnswer, Term } from "@musette/client/terms";
import { act } from "react";
import { vi } from "vitest";
import { QueryCache } from "../reading/answers";
import { QueryCacheContext } from "../reading/use-read";
import { type Mounted, mount, settle } from "../testing/mount";
import type { TermsConsentProps } from "./props";
import { TermsConsent } from "./terms-consent";

export function term(id: number, over: Partial<Term> = {}): Term {
  const content = `https://terms.example/documents/${id}.pdf`;
  return { id, title: `Term ${id}`, content, mandatory: true, display_order: id, ...over };
}

export const answer: SubmissionAnswer = {
  user_id: "",
  user_type: "APPLICANT",
  consents: [],
  recorded_at: "2026-11-21T09:30:00.000Z",
  receipt: { id: "receipt-1" },
};

// The original function, before a test replaces it.
const originalSetImmediate = setImmediate;

/** Waits until the deferred chunk has loaded and the check for pending submissions has ended. */
export async function settleDeferred(): Promise<void> {
  await act(() => import("./deferred"));
  for (let turn = 0; turn < 10; turn++)
    await act(() => new Promise((resolve) => originalSetImmediate(resolve)));
  await settle();
}

/** Mounts the screen with a fake server. Returns helpers for the actions and the view of a user. */
export async function stage(props: TermsConsentProps = {}, cache = new QueryCache()) {
  const fetchTerms = vi.fn(async () => [term(1), term(2), term(3, { mandatory: false })]);
  const submitConsents = vi.fn(
    async (_: Submission, __: { readonly idempotencyKey: string }) => answer,
  );
  const onAccepted = vi.fn();
  const screen = (more: TermsConsentProps = {}) => (
    <QueryCacheContext.Provider value={cache}>
      <TermsConsent {...{ fetchTerms, submitConsents, onAccepted, ...props, ...more }} />
    </QueryCacheContext.Provider>
  );
  const mounted = await mount(screen());
  await settleDeferred();
  return { ...helpersOf(mounted), fetchTerms, submitConsents, onAccepted, mounted };
}

/** Sets the navigation type that the browser reports for this page. */
export function arriveBy(type: "navigate" | "reload"): void {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as never]);
}

/** Simulates a reload: unmounts the page without events and keeps the session storage. */
export async function reload(mounted: Mounted): Promise<void> {
  const entries = Object.entries(sessionStorage);
  await mounted.leave();
  for (const [key, value] of entries) sessionStorage.setItem(key, String(value));
  arriveBy("reload");
}

export function consents(user_id: string, decided: Readonly<Record<number, boolean>>): ConsentList {
  const list = Object.entries(decided).map(([id, accepted]) => ({
    terms_and_conditions_id: Number(id),
    accepted,
    consented_at: "2026-11-01T09:30:00.000Z",
  }));
  return { user_id, user_type: "RIDER", consents: list };
}

function helpersOf({ page }: Mounted) {
  const boxes = () => [...page.querySelectorAll<HTMLInputElement>("input")];
  const box = (id: number | "all") =>
    page.querySelector<HTMLInputElement>(`[data-term="${id}"] input`);
  const button = (name: string) =>
    [...page.querySelectorAll("button")].find(
      (button) => (button.getAttribute("aria-label") ?? button.textContent) === name,
    );
  return {
    page,
    box,
    button,
    accept: () => button("Agree and continue"),
    ticks: () => boxes().map((box) => (box.indeterminate ? "mixed" : box.checked)),
    state: () => page.querySelector<HTMLElement>(".mu-consent")?.dataset.state,
    alertText: () => page.querySelector("[role=alert] p")?.textContent?.trim(),
    footer: () => page.querySelector("footer p")?.textContent,
  };
}
