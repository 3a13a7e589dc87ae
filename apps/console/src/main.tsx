import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@musette/react/style.css";
import "./app.css";
import { applyToDocument } from "@musette/react/language";
import { queryClient } from "./api/query-client";
import { applyAppearance, rememberedAppearance } from "./appearance/appearance";
import { firstLanguage, LanguageProvider, prepareLanguage } from "./language/language-context";
import { router } from "./router";
import { applyRowHeight } from "./table/row-height";

applyAppearance(rememberedAppearance());
applyRowHeight();

const first = await prepareLanguage(firstLanguage());
applyToDocument(first.language);

const root = document.getElementById("console");
if (!root) throw new Error("index.html has no element #console");
createRoot(root).render(
  <StrictMode>
    <LanguageProvider first={first}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
);
