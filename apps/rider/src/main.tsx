import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@musette/react/style.css";
import "./app.css";
import { mayBePending } from "@musette/client/terms";
import { prepareConsent } from "@musette/react/consent";
import { applyToDocument } from "@musette/react/language";
import { App } from "./app";
import { applyAppearance, rememberedAppearance } from "./appearance/appearance";
import { firstLanguage, LanguageProvider, prepareLanguage } from "./language/language";
import { startSendingOpenings } from "./notices/openings";
import { startRemovingOtherAnswers } from "./offline/stored-answers";
import { endPush, startPush } from "./push/start-push";
import { replaceFormerAddress } from "./router/router";
import { startSendingLogOuts } from "./session/log-out";
import { beforeLeaving } from "./session/person";
import { session } from "./session/session";
import { startSending } from "./terms/background";
import { refetchStaleTerms } from "./terms/follow-terms";
import { registerWorker } from "./worker/register";

replaceFormerAddress();
// Before anything is shown: another person may have opened the app.
startRemovingOtherAnswers();
applyAppearance(rememberedAppearance());

// The page does not preload this: on a slow connection it would delay the list, which does not wait
// for it.
if (/^\/(apply|terms)\/?$/.test(location.pathname)) prepareConsent();

const first = await prepareLanguage(firstLanguage());
applyToDocument(first.language);

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no element #app");
createRoot(root).render(
  <StrictMode>
    <LanguageProvider first={first}>
      <App />
    </LanguageProvider>
  </StrictMode>,
);

const language = () => document.documentElement.lang;
refetchStaleTerms();
registerWorker(language);
startSendingLogOuts();
startSending(language, async (userId) => {
  if (!mayBePending()) return true;
  const { settleContests } = await import("./work-record/contest-queue");
  return settleContests(userId, session.fetch);
});
startSendingOpenings();
beforeLeaving(endPush);
startPush();
