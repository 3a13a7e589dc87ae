import type { Submission, SubmissionAnswer, Term } from "@musette/client/terms";
import { SWRConfig } from "swr";
import { vi } from "vitest";
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

/** The screen with a server played by functions, and words for what a person sees and does. */
export async function stage(props: TermsConsentProps = {}) {
  const fetchTerms = vi.fn(async () => [term(1), term(2), term(3, { mandatory: false })]);
  const submitConsents = vi.fn(
    async (_: Submission, __: { readonly idempotencyKey: string }) => answer,
  );
  const onAccepted = vi.fn();
  const screen = (more: TermsConsentProps = {}) => (
    <SWRConfig value={{ provider: () => new Map() }}>
      <TermsConsent {...{ fetchTerms, submitConsents, onAccepted, ...props, ...more }} />
    </SWRConfig>
  );
  const mounted = await mount(screen());
  await settle();
  return { ...seen(mounted), fetchTerms, submitConsents, onAccepted, mounted };
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
    trouble: () => page.querySelector("[role=alert] p")?.textContent,
    footer: () => page.querySelector("footer p")?.textContent,
  };
}
