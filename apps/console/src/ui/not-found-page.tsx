import { Link } from "@tanstack/react-router";
import { useLanguage } from "../language/language-context";
import { Page } from "./page";
import styles from "./page.module.css";

export function NotFoundPage() {
  const { texts } = useLanguage();
  return (
    <main className={styles.lonely}>
      <Page title={texts.notFound.title} intro={texts.notFound.text} isNowhere>
        <Link className="mu-button" data-kind="primary" to="/">
          {texts.backToOverview}
        </Link>
      </Page>
    </main>
  );
}
