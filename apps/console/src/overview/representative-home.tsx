import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { meQuery } from "../api/me";
import { useLanguage } from "../language/language-context";
import { useReportsTexts } from "../reports/texts/texts";
import { reportSection, sections, systemsSection } from "../routes/sections";
import { Page } from "../ui/page";
import styles from "./overview.module.css";

/** The start page of a representative: the pages that they may read. */
export function RepresentativeHome() {
  const { texts } = useLanguage();
  const { home } = useReportsTexts();
  const hasSystems = Boolean(useQuery(meQuery).data?.automated_systems);
  const terms = sections(texts).find(({ to }) => to === "/terms");
  const pages = [
    ...(terms ? [{ ...terms, note: home.terms }] : []),
    ...(hasSystems ? [{ ...systemsSection(texts), note: home.systems }] : []),
    { ...reportSection(texts), note: home.report },
  ];
  return (
    <Page title={texts.overview.title}>
      <section className="card" aria-labelledby="readable">
        <h2 id="readable">{home.title}</h2>
        <ul className={styles.attention}>
          {pages.map(({ to, label, note }) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
              <p className="note">{note}</p>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}
