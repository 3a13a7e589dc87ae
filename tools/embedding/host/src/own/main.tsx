import "./own.css";
import { addLanguage } from "@musette/react/texts";
import { createRoot } from "react-dom/client";
import { Onboarding } from "./onboarding";

addLanguage("nl", () => import("./nl").then(({ nl }) => nl));

createRoot(document.getElementById("root") as HTMLElement).render(<Onboarding />);
