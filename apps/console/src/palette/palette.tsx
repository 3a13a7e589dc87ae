import { Modal } from "@musette/react/ui";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useRoles } from "../api/use-roles";
import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";
import { type Command, commandGroups, searchResultGroups } from "./commands";
import { contains } from "./contains";
import styles from "./palette.module.css";
import { useSearch } from "./use-found";

export interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** The command palette: pages, commands, and objects by name. */
export function Palette(props: PaletteProps) {
  const { open } = props;
  const { texts } = useLanguage();
  const [wasOpen, setWasOpen] = useState(open);
  const [opening, setOpening] = useState(0);
  if (open !== wasOpen) {
    setWasOpen(open);
    // Resets the state, also if it is opened again during the closing animation.
    if (open) setOpening(opening + 1);
  }
  return (
    <Modal open={open} onClose={props.onClose} label={texts.palette.title}>
      <PaletteInside key={opening} {...props} />
    </Modal>
  );
}

function PaletteInside({ onClose, onShortcuts }: PaletteProps) {
  const language = useLanguage();
  const { texts } = language;
  const router = useRouter();
  const roles = useRoles();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState<string>();
  const listId = useId();
  const { results, isSearching } = useSearch(typed);
  const text = typed.trim();
  const groups = [
    ...commandGroups(language, router, roles, onShortcuts).map((group) => ({
      ...group,
      commands: group.commands.filter(({ label }) => contains(label, text)),
    })),
    ...searchResultGroups(results, language, router),
  ].filter(({ commands }) => commands.length > 0);
  const commands = groups.flatMap((group) => group.commands);
  // With text in the field the first option is active, so that Enter runs it.
  const at = commands.findIndex(({ id }) => id === active);
  const current = at < 0 && text !== "" ? 0 : at;

  function run(command: Command): void {
    onClose();
    command.run();
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const command = commands[current];
    if (step !== undefined && commands.length > 0) {
      const from = current < 0 && step < 0 ? 0 : current;
      setActive(commands.at((from + step) % commands.length)?.id);
    } else if (event.key === "Escape") {
      // Otherwise the browser clears the field first, and a second press is needed.
      onClose();
    } else if (event.key === "Enter" && command && !event.nativeEvent.isComposing) run(command);
    else return;
    event.preventDefault();
  }

  return (
    <div className={styles.palette} aria-busy={isSearching}>
      <div className={styles.search}>
        <Icon name="search" />
        {/* A combobox whose list is always open (WAI-ARIA): the focus stays in the field. */}
        <input
          type="search"
          aria-label={texts.palette.open}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={current < 0 ? undefined : `${listId}${current}`}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the dialog opened for this field
          autoFocus
          placeholder={texts.palette.placeholder}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setActive(undefined);
          }}
          onKeyDown={press}
        />
      </div>
      <div id={listId} role="listbox" aria-label={texts.palette.title}>
        {groups.map(({ title, commands: listed }) => (
          <Group key={title} title={title}>
            {listed.map((command) => (
              <Option
                key={command.id}
                id={`${listId}${commands.indexOf(command)}`}
                command={command}
                isActive={command === commands[current]}
                onActive={() => setActive(command.id)}
                onRun={() => run(command)}
              />
            ))}
          </Group>
        ))}
      </div>
      {commands.length === 0 && (
        <p className="note" role="status">
          {isSearching ? texts.palette.searching : texts.palette.nothing}
        </p>
      )}
    </div>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group of options
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles.group}>
        {title}
      </div>
      {children}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isActive: boolean;
  readonly onActive: () => void;
  readonly onRun: () => void;
}

function Option({ id, command, isActive, onActive, onRun }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  const { label, detail, icon } = command;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has both
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      // Not onPointerEnter: the list moves below a resting pointer while the person types.
      onPointerMove={onActive}
      onClick={onRun}
    >
      <Icon name={icon} />
      <bdi>{label}</bdi>
      {detail && <bdi className="note">{detail}</bdi>}
    </div>
  );
}
