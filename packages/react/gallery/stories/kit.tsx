import { english, type Language, languages } from "@musette/react/language";
import { loadTexts, type UiTexts } from "@musette/react/texts";
import { evaluationStatuses, questStatuses, shiftStates } from "@musette/react/theme";
import { Button, Checkbox, Drawer, Modal, Spinner, StatusBadge } from "@musette/react/ui";
import { useEffect, useState } from "react";
import { LanguageSelect } from "../../src/language/language-switch";
import { find, type Scene, type Story, until } from "../story";

const KINDS = ["primary", "secondary", "quiet", "danger"] as const;

function Buttons({ of }: { readonly of: "idle" | "disabled" | "loading" }) {
  return (
    <div className="row">
      {KINDS.map((kind) => (
        <Button key={kind} kind={kind} disabled={of === "disabled"} loading={of === "loading"}>
          {kind}
        </Button>
      ))}
    </div>
  );
}

const STATES = [false, true, "mixed"] as const;

function Checkboxes() {
  return (
    <>
      {[false, true].map((disabled) => (
        <div key={String(disabled)} className="row">
          {STATES.map((checked) => (
            <div key={String(checked)} className="row">
              <Checkbox
                id={`${checked} ${disabled}`}
                checked={checked}
                disabled={disabled}
                onToggle={() => {}}
              />
              <label htmlFor={`${checked} ${disabled}`}>{String(checked)}</label>
            </div>
          ))}
        </div>
      ))}
    </>
  );
}

function Badges({ locale }: Scene) {
  const [labels, setLabels] = useState<UiTexts["status"]>();
  useEffect(() => {
    loadTexts(locale).then(({ ui }) => setLabels(ui.status));
  }, [locale]);
  return (
    <div className="row" data-drawn={labels && ""}>
      {[...shiftStates, ...evaluationStatuses, ...questStatuses].map((status) => (
        <StatusBadge key={status} status={status} {...(labels && { label: labels[status] })} />
      ))}
    </div>
  );
}

function Inside() {
  return (
    <div className="stack">
      <h2>Inside</h2>
      <p>Escape or a click outside closes it.</p>
      <Button kind="secondary">First</Button>
      <Button>Last</Button>
    </div>
  );
}

function Switch({ locale }: Scene) {
  const [language, choose] = useState<Language>(
    languages.find(({ tag }) => tag === locale) ?? english,
  );
  return (
    <LanguageSelect
      label="Language"
      className="row"
      offered={languages}
      language={language}
      choose={async (next) => choose(next)}
    />
  );
}

const opened = () => until(() => find("dialog[data-state=open]"));
const noop = () => {};

const stories: readonly Story[] = [
  { name: "button/idle", title: "Buttons", render: () => <Buttons of="idle" /> },
  { name: "button/disabled", title: "Disabled", render: () => <Buttons of="disabled" /> },
  { name: "button/loading", title: "Loading", render: () => <Buttons of="loading" /> },
  {
    name: "button/focus",
    title: "With the focus",
    render: () => <Buttons of="idle" />,
    async play() {
      await until(() => find(".mu-button"));
      find(".mu-button")?.focus();
    },
  },
  { name: "checkbox", title: "Three states, and disabled", render: () => <Checkboxes /> },
  {
    name: "badge",
    title: "All statuses",
    render: (scene) => <Badges {...scene} />,
    play: () => until(() => find("[data-drawn]")),
  },
  {
    name: "spinner",
    title: "Spinner",
    render: () => (
      <div className="row">
        <Spinner /> Its labels stand beside it
      </div>
    ),
  },
  {
    name: "drawer/start",
    title: "Drawer, from the start",
    height: 360,
    render: () => (
      <Drawer open onClose={noop} label="A drawer">
        <Inside />
      </Drawer>
    ),
    play: opened,
  },
  {
    name: "drawer/end",
    title: "Drawer, from the end",
    height: 360,
    render: () => (
      <Drawer open onClose={noop} label="A drawer" side="end" width={220}>
        <Inside />
      </Drawer>
    ),
    play: opened,
  },
  {
    name: "modal",
    title: "Modal",
    height: 360,
    render: () => (
      <Modal open onClose={noop} label="A modal">
        <Inside />
      </Modal>
    ),
    play: opened,
  },
  { name: "language", title: "Choice of language", render: (scene) => <Switch {...scene} /> },
];

export const kit: readonly Story[] = stories.map((story) => ({ ...story, forced: true }));
