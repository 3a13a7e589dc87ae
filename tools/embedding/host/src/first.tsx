import { TermsConsent } from "@musette/react/consent";
import "@musette/react/style.css";
import { createRoot } from "react-dom/client";

createRoot(document.getElementById("root") as HTMLElement).render(<TermsConsent />);
