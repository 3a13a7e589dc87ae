import { Link, useLocation } from "@tanstack/react-router";
import { useLanguage } from "../language/language-context";
import { sections, systemsSection } from "../routes/sections";
import { tabbed, tabs } from "../routes/tabs";
import styles from "./shell.module.css";

/** Links to the lists that the page is part of. A list and its tabs have none. */
export function Breadcrumb() {
  const { texts } = useLanguage();
  const { pathname } = useLocation();
  const [area, part, ...rest] = pathname.split("/").filter(Boolean);
  const tab = tabbed.flatMap((name) => [...tabs[name]]).find(({ to }) => to === `/${area}/${part}`);
  const isList = part === undefined || (tab && rest.length === 0);
  const section = [...sections(texts), systemsSection(texts)].find(({ to }) => to === `/${area}`);
  // The tabs of the settings stay visible on the pages of their objects.
  if (isList || !section || area === "settings") return null;
  return (
    <nav className={styles.breadcrumb} aria-label={texts.breadcrumb}>
      <Link to={section.to} activeOptions={{ exact: true }}>
        {section.label}
      </Link>
      {tab && (
        <Link to={tab.to} activeOptions={{ exact: true }}>
          {texts.tabs[tab.tab]}
        </Link>
      )}
    </nav>
  );
}
