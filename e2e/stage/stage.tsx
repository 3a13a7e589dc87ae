import "@musette/react/style.css";
import { createSession } from "@musette/client/session";
import type { Term } from "@musette/client/terms";
import { TermsConsent } from "@musette/react/consent";
import { Button, Checkbox, Drawer, Modal, StatusBadge } from "@musette/react/ui";
import { type ReactNode, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import "./stage.css";

const settings = new URLSearchParams(location.search);

const session = createSession({ refreshUrl: "/api/session/v1/refresh", onLogout() {} });

/** The consent screen in a host's page. The address contains the host's settings. */
function ConsentOfAHost() {
  const [message, setOutput] = useState("");
  const setting = (name: string) => settings.get(name) ?? undefined;
  const foreign = setting("foreign");
  return (
    <>
      <TermsConsent
        userId={setting("userId")}
        fetch={setting("userId") ? session.fetch : undefined}
        termsType={setting("termsType")}
        locale={setting("locale")}
        partialClick={setting("partialClick") === "untick" ? "untick" : "tick"}
        onBack={settings.has("header") ? () => setOutput("back") : undefined}
        onClose={settings.has("header") ? () => setOutput("closed") : undefined}
        onAccepted={(answer) => setOutput(`accepted ${answer.consents.length}`)}
        fetchTerms={foreign ? async () => [termElsewhere(foreign)] : undefined}
        pdfFrameUrl="/viewer/frame.html"
      />
      <output>{message}</output>
    </>
  );
}

/** Returns a term of a host that keeps its documents on another origin. */
function termElsewhere(content: string): Term {
  return { id: 1, title: "Contract from elsewhere", content, mandatory: true, display_order: 1 };
}

function Kit() {
  const [open, setOpen] = useState<"drawer" | "modal">();
  const [ticked, setTicked] = useState<boolean | "mixed">("mixed");
  const close = () => setOpen(undefined);
  return (
    <main>
      <h1>Kit</h1>
      <Button onClick={() => setOpen("drawer")}>Open drawer</Button>
      <Button kind="secondary" onClick={() => setOpen("modal")}>
        Open modal
      </Button>
      <Button loading onClick={close}>
        Loading
      </Button>
      <div>
        <Checkbox id="states" checked={ticked} onToggle={() => setTicked(ticked !== true)} />
        <label htmlFor="states">Three states</label>
      </div>
      <StatusBadge status="LATE" />
      <StatusBadge status="ACCEPTED" />
      <StatusBadge status="ONGOING" />
      <Drawer open={open === "drawer"} onClose={close} label="A drawer">
        <Inside onClose={close} />
      </Drawer>
      <Modal open={open === "modal"} onClose={close} label="A modal">
        <Inside onClose={close} />
      </Modal>
    </main>
  );
}

function Inside({ onClose }: { readonly onClose: () => void }) {
  return (
    <>
      <h2>Inside</h2>
      <Button kind="secondary" onClick={onClose}>
        First
      </Button>
      <Button onClick={onClose}>Last</Button>
    </>
  );
}

const scenes: Record<string, ReactNode> = { consent: <ConsentOfAHost />, kit: <Kit /> };

const locale = settings.get("locale") ?? "en";
document.documentElement.lang = locale;
document.documentElement.dir = locale === "ar" ? "rtl" : "ltr";
// Our colours follow the host's page: a page that sets none remains light, whatever the device
// wants.
document.documentElement.style.colorScheme = settings.get("scheme") ?? "";

const root = document.getElementById("stage");
if (!root) throw new Error("index.html has no element #stage");
createRoot(root).render(<StrictMode>{scenes[settings.get("scene") ?? "consent"]}</StrictMode>);
