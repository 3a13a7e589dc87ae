import { Drawer } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useState } from "react";
import { Reauthentication } from "../account/reauthentication";
import { entersConsole } from "../api/grants";
import { meQuery } from "../api/me";
import { useKeyboard } from "../keyboard/use-keyboard";
import { useLanguage } from "../language/language-context";
import { PaletteButton } from "../palette/palette-button";
import { usePalette } from "../palette/use-palette";
import { useSessionState } from "../session/session";
import { ToastArea } from "../toast/toast-area";
import bannerStyles from "../ui/banner.module.css";
import { Brand } from "../ui/brand";
import { Icon } from "../ui/icon";
import iconButtonStyles from "../ui/icon-button.module.css";
import { NotAllowed } from "../ui/not-allowed";
import { LoadFailed, Loading } from "../ui/states";
import { Breadcrumb } from "./breadcrumb";
import { Navigation } from "./navigation";
import { Person } from "./person";
import { SecondFactorBanner } from "./second-factor-banner";
import styles from "./shell.module.css";

/** The navigation: next to the page, or behind a button on a phone. */
export function Shell() {
  const { texts } = useLanguage();
  const [menu, setMenu] = useState(false);
  const { status } = useSessionState();
  const { show, palette } = usePalette();
  const { showMap, map } = useKeyboard(show);
  return (
    <div className={styles.console}>
      <a className={styles.skip} href="#content">
        {texts.skip}
      </a>
      <header className={styles.topBar}>
        <button
          type="button"
          className={iconButtonStyles.iconButton}
          aria-label={texts.nav.menu}
          aria-haspopup="dialog"
          onClick={() => setMenu(true)}
        >
          <Icon name="menu" />
        </button>
        <Brand />
        <PaletteButton isSmall onClick={show} />
      </header>
      <header className={styles.side}>
        <Brand />
        <PaletteButton onClick={show} />
        <Navigation />
        <Person />
      </header>
      <Drawer open={menu} onClose={() => setMenu(false)} label={texts.nav.menu}>
        <div className={styles.sideMenu}>
          <Navigation onGo={() => setMenu(false)} />
          <Person onGo={() => setMenu(false)} />
        </div>
      </Drawer>
      <main id="content" tabIndex={-1}>
        {status === "suspended" && (
          <p role="status" className={bannerStyles.banner}>
            {texts.suspended}
          </p>
        )}
        <Breadcrumb />
        <Allowed />
      </main>
      <ToastArea />
      <Reauthentication />
      {palette(showMap)}
      {map}
    </div>
  );
}

function Allowed() {
  const me = useQuery(meQuery);
  if (me.isPending) return <Loading />;
  if (me.isError) return <LoadFailed error={me.error} onRetry={me.refetch} />;
  if (!entersConsole(me.data.roles)) return <NotAllowed userId={me.data.user_id} />;
  return (
    <>
      <SecondFactorBanner />
      <Outlet />
    </>
  );
}
