import type { ReactNode } from "react";
import factStyles from "../ui/facts.module.css";
import styles from "./systems.module.css";
import type { SystemBody } from "./systems-queries";
import { useSystemsTexts } from "./texts/texts";

/** A description that cannot be edited here. */
export function Description({ body }: { readonly body: SystemBody }) {
  const texts = useSystemsTexts();
  const { contact } = body;
  return (
    <dl className={factStyles.facts}>
      <Fact label={texts.name}>
        <bdi>{body.name}</bdi>
      </Fact>
      <Fact label={texts.purpose}>
        <p className={styles.paragraphs} dir="auto">
          {body.purpose}
        </p>
      </Fact>
      <Fact label={texts.kind}>{texts.kinds[body.kind]}</Fact>
      <Fact label={texts.markets}>
        <bdi>{body.markets.join(", ") || texts.everywhere}</bdi>
      </Fact>
      <Fact label={texts.data} isEmpty={body.data.length === 0}>
        <ul>
          {body.data.map(({ category, source }) => (
            <li key={`${category} ${source}`}>
              <bdi>{category}</bdi> <bdi className="note">{source}</bdi>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label={texts.parameters} isEmpty={body.parameters.length === 0}>
        <ul>
          {body.parameters.map(({ name, weight, description }) => (
            <li key={name}>
              <bdi>{name}</bdi> <span className="note">{texts.weights[weight]}</span>
              <p dir="auto">{description}</p>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label={texts.decisions} isEmpty={body.decisions.length === 0}>
        <ul>
          {body.decisions.map((decision) => (
            <li key={decision}>
              <bdi>{decision}</bdi>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label={texts.oversight} isEmpty={!body.human_oversight}>
        <p className={styles.paragraphs} dir="auto">
          {body.human_oversight}
        </p>
      </Fact>
      <Fact label={texts.contact}>
        <bdi>{[contact.name, contact.email, contact.phone].filter(Boolean).join(" · ")}</bdi>
      </Fact>
      <Fact label={texts.translations} isEmpty={Object.keys(body.texts).length === 0}>
        <bdi dir="ltr">{Object.keys(body.texts).join(", ")}</bdi>
      </Fact>
    </dl>
  );
}

function Fact(props: {
  readonly label: string;
  readonly isEmpty?: boolean;
  readonly children: ReactNode;
}) {
  if (props.isEmpty) return null;
  return (
    <>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </>
  );
}
