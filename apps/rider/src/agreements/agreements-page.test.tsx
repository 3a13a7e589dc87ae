// @vitest-environment happy-dom

import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstWords } from "../texts/generated/en";
import { AgreementsPage } from "./agreements-page";

const en = completeTexts(firstWords);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const session = vi.hoisted(() => ({ userId: undefined as string | undefined }));
vi.mock("../session/session", () => ({
  useUserId: () => session.userId,
  session: { fetch: () => new Promise(() => {}) },
}));

const page = document.body.appendChild(document.createElement("main"));
const root = createRoot(page);
const show = (userId: string | undefined) => {
  session.userId = userId;
  return act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <AgreementsPage />
      </LanguageProvider>,
    ),
  );
};

it("tells an applicant from a rider whose session has ended", async () => {
  const riders = [{ user_id: "rider-1", name: "Ottilie Fernwick" }];
  vi.stubGlobal("fetch", async () => Response.json({ riders }));
  await show(undefined);
  expect(page.textContent).toContain(en.agreements.emptyApplicant);
  await show("rider-1");
  await show(undefined);
  expect(page.textContent).toContain(en.ended.title);
  expect(page.textContent).not.toContain(en.agreements.emptyTitle);
});
