import type { ReactNode } from "react";
import { day } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { type AutomatedSystem, paragraphs } from "./systems";

/** One system: what it is for, what it knows, what counts, and who answers for it. */
export function SystemCard({ system }: { readonly system: AutomatedSystem }) {
  const { language, texts } = usePageLanguage();
  const labels = texts.systems;
  // The company's texts may be in another language than the app.
  const own = { lang: system.locale ?? "", dir: "auto" } as const;
  const weighted = (weight: AutomatedSystem["parameters"][number]["weight"]) =>
    system.parameters.filter((parameter) => parameter.weight === weight);
  return (
    <li className="card system">
      <div>
        <h2 {...own}>{system.name}</h2>
        <p className="note">{labels[system.kind]}</p>
      </div>
      {paragraphs(system.purpose).map((text) => (
        <p key={text} {...own}>
          {text}
        </p>
      ))}
      <Part title={labels.data} isEmpty={system.data.length === 0}>
        <ul {...own}>
          {system.data.map(({ category, source }) => (
            <li key={`${category} ${source}`}>
              <strong>{category}</strong>
              <span className="note">{source}</span>
            </li>
          ))}
        </ul>
      </Part>
      {(["main", "secondary"] as const).map((weight) => (
        <Part key={weight} title={labels[weight]} isEmpty={weighted(weight).length === 0}>
          <ul {...own}>
            {weighted(weight).map(({ name, description }) => (
              <li key={name}>
                <strong>{name}</strong>
                <span>{description}</span>
              </li>
            ))}
          </ul>
        </Part>
      ))}
      <Part title={labels.decisions} isEmpty={system.decisions.length === 0}>
        <ul {...own}>
          {system.decisions.map((decision) => (
            <li key={decision}>{decision}</li>
          ))}
        </ul>
      </Part>
      <Part title={labels.oversight} isEmpty={system.human_oversight === null}>
        {paragraphs(system.human_oversight ?? "").map((text) => (
          <p key={text} {...own}>
            {text}
          </p>
        ))}
      </Part>
      <Part title={labels.contact}>
        <Contact contact={system.contact} />
      </Part>
      <p className="note">
        {labels.since(day(language.tag, system.effective_from), String(system.version))}
      </p>
    </li>
  );
}

function Part(props: {
  readonly title: string;
  readonly isEmpty?: boolean;
  readonly children: ReactNode;
}) {
  if (props.isEmpty) return null;
  return (
    <section>
      <h3>{props.title}</h3>
      {props.children}
    </section>
  );
}

function Contact({ contact }: Pick<AutomatedSystem, "contact">) {
  const { name, email, phone } = contact;
  return (
    <ul>
      <li>
        <bdi>{name}</bdi>
      </li>
      {email !== null && (
        <li>
          <a href={`mailto:${encodeURIComponent(email)}`}>
            <bdi dir="ltr">{email}</bdi>
          </a>
        </li>
      )}
      {phone !== null && (
        <li>
          <a href={`tel:${phone.replace(/[^\d+]/g, "")}`}>
            <bdi dir="ltr">{phone}</bdi>
          </a>
        </li>
      )}
    </ul>
  );
}
