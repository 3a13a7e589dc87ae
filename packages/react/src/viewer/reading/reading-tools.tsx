import { type RefObject, useEffect, useId, useRef, useState } from "react";
import type { ViewerTexts } from "../../texts/texts";
import { IconButton } from "../icon-button";
import { findWords, highlightMatches } from "./find-words";
import { COLOURS, type Preferences, SPACINGS } from "./preferences";
import { useSpeech } from "./use-speech";

interface ReadingToolsProps {
  readonly root: RefObject<HTMLElement | null>;
  readonly texts: ViewerTexts;
  /** The language of the document. */
  readonly lang: string | undefined;
  /** The language of the texts. */
  readonly locale: string | undefined;
  readonly preferences: Preferences;
  /** Whether some pages are shown as images, which are not searchable. */
  readonly partly: boolean;
}

/** The tools of the text view: search, reading aloud and text settings. */
export function ReadingTools(props: ReadingToolsProps) {
  const { root, texts, lang, locale, preferences, partly } = props;
  const [open, setOpen] = useState<"search" | "settings">();
  const speech = useSpeech(root, lang);
  const speaking = speech?.state === "speaking";
  const toggle = (tool: "search" | "settings") => setOpen(open === tool ? undefined : tool);
  return (
    <div className="mu-viewer-tools" lang={locale}>
      <div className="mu-viewer-group">
        <ToolButton icon="search" label={texts.search} {...{ open, toggle }} opens="search" />
        <ToolButton
          icon="letters"
          label={texts.textSettings}
          {...{ open, toggle }}
          opens="settings"
        />
        {speech && (
          <IconButton
            icon={speaking ? "stop" : "speak"}
            label={speaking ? texts.stopReading : texts.readAloud}
            onClick={speaking ? speech.stop : speech.speak}
          />
        )}
      </div>
      <p role="status" className="mu-viewer-said">
        {speech?.state === "no-voice" && texts.noVoice}
      </p>
      {open === "search" && (
        <Search {...{ root, texts, partly }} onClose={() => toggle("search")} />
      )}
      {open === "settings" && <Settings {...{ texts, preferences }} />}
    </div>
  );
}

type ToolName = "search" | "settings";

interface ToolButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly opens: ToolName;
  readonly open: ToolName | undefined;
  readonly toggle: (tool: ToolName) => void;
}

function ToolButton({ icon, label, opens, open, toggle }: ToolButtonProps) {
  return (
    <button
      type="button"
      className="mu-viewer-icon"
      data-icon={icon}
      title={label}
      aria-expanded={open === opens}
      onClick={() => toggle(opens)}
    />
  );
}

interface SearchProps extends Pick<ReadingToolsProps, "root" | "texts" | "partly"> {
  readonly onClose: () => void;
}

function Search({ root, texts, partly, onClose }: SearchProps) {
  const [matches, setMatches] = useState<readonly Range[]>();
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    return () => highlightMatches([], undefined);
  }, []);

  const go = (ranges: readonly Range[], to: number) => {
    const index = (to + ranges.length) % Math.max(1, ranges.length);
    const range = ranges[index];
    setAt(index);
    highlightMatches(ranges, range);
    const element = range?.startContainer.parentElement;
    const details = element?.closest("details");
    if (details) details.open = true;
    // The match may be at either end of a long paragraph, or in a scrollable table.
    element?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const surface = root.current?.closest("section");
    if (!surface || !range) return;
    const { top, height } = surface.getBoundingClientRect();
    surface.scrollBy(0, range.getBoundingClientRect().top - top - height / 2);
  };
  const search = (text: string) => {
    const ranges = root.current && text.trim() ? findWords(root.current, text) : [];
    setMatches(text.trim() ? ranges : undefined);
    go(ranges, 0);
  };
  return (
    <search className="mu-viewer-search">
      <input
        ref={field}
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        onChange={(event) => search(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && matches) go(matches, at + (event.shiftKey ? -1 : 1));
          if (event.key !== "Escape") return;
          // Closes the search, not the viewer.
          event.preventDefault();
          root.current?.closest("section")?.focus({ preventScroll: true });
          onClose();
        }}
      />
      {matches && matches.length > 1 && (
        <div className="mu-viewer-group">
          <IconButton icon="up" label={texts.previousMatch} onClick={() => go(matches, at - 1)} />
          <IconButton icon="down" label={texts.nextMatch} onClick={() => go(matches, at + 1)} />
        </div>
      )}
      <p role="status">
        {matches && (matches.length ? texts.position(at + 1, matches.length) : texts.notFound)}
        {matches && partly && ` · ${texts.picturesNotSearched}`}
      </p>
    </search>
  );
}

type SettingsProps = Pick<ReadingToolsProps, "texts" | "preferences">;

function Settings({ texts, preferences }: SettingsProps) {
  const { spacing, colours, set } = preferences;
  return (
    <div className="mu-viewer-settings">
      <Choice
        legend={texts.spacing}
        options={SPACINGS.map((option) => [option, texts[SPACING_TEXTS[option]]])}
        chosen={spacing}
        onChoose={(option) => set({ spacing: option })}
      />
      <Choice
        legend={texts.colours}
        options={COLOURS.map((option) => [option, texts[COLOUR_TEXTS[option]]])}
        chosen={colours}
        onChoose={(option) => set({ colours: option })}
      />
    </div>
  );
}

const SPACING_TEXTS = { normal: "spacingNormal", wide: "spacingWide" } as const;
const COLOUR_TEXTS = { auto: "coloursAuto", light: "coloursLight", dark: "coloursDark" } as const;

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly options: readonly (readonly [T, string])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

function Choice<T extends string>({ legend, options, chosen, onChoose }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
