import { languages } from "@musette/react/language";
import { useState } from "react";
import type { Group } from "./stories";
import type { Story } from "./story";

const WIDTHS = ["320", "360", "768", "1280"];
const SCHEMES = ["light", "dark"];
const TEXTS = ["100%", "200%"];

/** Shows every story in a separate frame, with a choice of language, scheme, width and text size. */
export function Overview({ groups }: { readonly groups: readonly Group[] }) {
  const [settings, setSettings] = useState({
    locale: "en",
    scheme: "light",
    width: "360",
    text: "100%",
  });
  const choice = (name: keyof typeof settings, label: string, values: readonly string[]) => (
    <label>
      {label}{" "}
      <select
        value={settings[name]}
        onChange={(event) => setSettings({ ...settings, [name]: event.target.value })}
      >
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  );
  return (
    <main className="overview">
      <h1>Gallery of @musette/react</h1>
      <p>
        Every component in every state. Forced colours and reduced motion follow the device: turn
        them on in its settings, or in the browser's developer tools under “Rendering”.
      </p>
      <form className="row">
        {choice(
          "locale",
          "Language",
          languages.map(({ tag }) => tag),
        )}
        {choice("scheme", "Colours", SCHEMES)}
        {choice("width", "Width", WIDTHS)}
        {choice("text", "Text", TEXTS)}
      </form>
      {groups.map(({ title, stories }) => (
        <section key={title}>
          <h2>{title}</h2>
          <div className="stories">
            {stories.map((story) => (
              <Frame key={story.name} story={story} settings={settings} />
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}

interface FrameProps {
  readonly story: Story;
  readonly settings: Readonly<Record<"locale" | "scheme" | "width" | "text", string>>;
}

function Frame({
  story: { name, title, picture, forced },
  settings: { width, ...query },
}: FrameProps) {
  const [height, setHeight] = useState(200);
  const address = `?${new URLSearchParams({ story: name, ...query })}`;
  return (
    <figure data-picture={picture} data-forced={forced}>
      <figcaption>
        <a href={address}>{title}</a> <code>{name}</code>
      </figcaption>
      <iframe
        title={title}
        src={address}
        loading="lazy"
        style={{ inlineSize: `${width}px`, blockSize: `${height}px` }}
        ref={(frame) => {
          const listen = ({ source, data }: MessageEvent) => {
            if (source === frame?.contentWindow && typeof data === "number") setHeight(data);
          };
          addEventListener("message", listen);
          return () => removeEventListener("message", listen);
        }}
      />
    </figure>
  );
}
