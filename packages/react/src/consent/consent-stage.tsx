import type { ConsentList, Submission, SubmissionAnswer, Term } from "@musette/client/terms";
import { act } from "react";
import { vi } from "vitest";
import { Answers } from "../reading/answers";
import { AnswersContext } from "../reading/use-read";
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

// Not one that a test has replaced.
const nextTurn = setImmediate;

/** What the screen fetches at once after it is drawn, and its look for what waits, have come. */
export async function settleDeferred(): Promise<void> {
  await act(() => import("./deferred"));
  for (let turn = 0; turn < 10; turn++) await act(() => new Promise((done) => nextTurn(done)));
  await settle();
}

/** The screen with a server played by functions, and words for what a person sees and does. */
export async function stage(props: TermsConsentProps = {}, answers = new Answers()) {
  const fetchTerms = vi.fn(async () => [term(1), term(2), term(3, { mandatory: false })]);
  const submitConsents = vi.fn(
    async (_: Submission, __: { readonly idempotencyKey: string }) => answer,
  );
  const onAccepted = vi.fn();
  const screen = (more: TermsConsentProps = {}) => (
    <AnswersContext.Provider value={answers}>
      <TermsConsent {...{ fetchTerms, submitConsents, onAccepted, ...props, ...more }} />
    </AnswersContext.Provider>
  );
  const mounted = await mount(screen());
  await settleDeferred();
  return { ...seen(mounted), fetchTerms, submitConsents, onAccepted, mounted };
}

/** How this page was come to, as the browser tells it. */
export function arriveBy(type: "navigate" | "reload"): void {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as never]);
}

/** The page is gone without a word to anybody, and what the tab keeps is still there. */
export async function reload(mounted: Mounted): Promise<void> {
  const kept = Object.entries(sessionStorage);
  await mounted.leave();
  for (const [key, value] of kept) sessionStorage.setItem(key, String(value));
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

function seen({ page }: Mounted) {
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
    trouble: () => page.querySelector("[role=alert] p")?.textContent?.trim(),
    footer: () => page.querySelector("footer p")?.textContent,
  };
}
