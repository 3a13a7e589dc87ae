import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@musette/react/style.css";
import "./app.css";
import { applyToDocument } from "@musette/react/language";
import { App } from "./app";
import { applyAppearance, rememberedAppearance } from "./appearance/appearance";
import { firstLanguage, LanguageProvider, prepareLanguage } from "./language/language";
import { modernizeAddress } from "./router/router";
import { registerWorker } from "./worker/register";

modernizeAddress();
applyAppearance(rememberedAppearance());

const first = await prepareLanguage(firstLanguage());
applyToDocument(first.language);

const root = document.getElementById("app");
if (!root) throw new Error("index.html has lost its #app");
createRoot(root).render(
  <StrictMode>
    <LanguageProvider first={first}>
      <App />
    </LanguageProvider>
  </StrictMode>,
);

registerWorker(() => document.documentElement.lang);
