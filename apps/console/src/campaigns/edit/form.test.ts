import { expect, it } from "vitest";
import type { Campaign } from "../campaigns-queries";
import { bodyOf, emptyForm, FIRST_STEP, formOf, nextStep } from "./form";

const progress = { waiting: 0, accepted: 0, bounced: 0, failed: 0, skipped: 0 };
const CAMPAIGN: Campaign = {
  id: "0199b2a4-0000-7000-8000-000000000001",
  status: "draft",
  term_id: 7,
  market: "DE",
  steps: [
    { at: { before: "effective_from", by: "P30D" }, channel: "email", due_at: null, progress },
    { at: { after: "start", by: "P1DT2H" }, channel: "sms", due_at: null, progress },
    { at: { instant: "2027-01-15T09:00:00.000Z" }, channel: "push", due_at: null, progress },
  ],
  texts: { en: { subject: "{{title}}", body: "Please read it.\n\n{{link}}" } },
  any_time: true,
  created_at: "2026-11-27T09:00:00Z",
  started_at: null,
  ended_at: null,
};

it("saves a loaded campaign without a change", () => {
  expect(bodyOf(formOf(CAMPAIGN))).toEqual({
    term_id: 7,
    market: "DE",
    steps: CAMPAIGN.steps.map(({ at, channel }) => ({ at, channel })),
    texts: CAMPAIGN.texts,
    any_time: true,
  });
});

it("leaves out the market of a campaign for all markets", () => {
  const body = bodyOf(formOf({ ...CAMPAIGN, market: null }));
  expect("market" in body).toBe(false);
});

it("begins with one step at the start", () => {
  const { steps } = bodyOf(emptyForm(7, undefined));
  expect(steps).toEqual([{ at: { after: "start", by: "P0D" }, channel: "email" }]);
});

it("adds each step a week later by the same channel", () => {
  const second = nextStep([{ ...FIRST_STEP, channel: "sms" }]);
  expect(second).toMatchObject({ anchor: "start", amount: "7", unit: "D", channel: "sms" });
  expect(nextStep([FIRST_STEP, second])).toMatchObject({ amount: "14" });
  expect(nextStep([])).toEqual(FIRST_STEP);
});
