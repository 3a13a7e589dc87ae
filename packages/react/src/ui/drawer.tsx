import type { CSSProperties } from "react";
import { DRAWER_ANIMATION_MS, DRAWER_DELAY_MS, DRAWER_WIDTH_PX } from "../theme";
import { type DialogProps, DialogSurface } from "./dialog";

/** Props of `Drawer`. */
export interface DrawerProps extends DialogProps {
  /** The width in CSS pixels. Default 300. */
  readonly width?: number;
  /** The side from which it slides in, relative to the text direction. Default `start`. */
  readonly side?: "start" | "end";
}

/**
 * A dialog that slides in from a side. Escape or a click on its overlay closes it. The focus then returns.
 */
export function Drawer({ width = DRAWER_WIDTH_PX, side = "start", ...rest }: DrawerProps) {
  return (
    <DialogSurface
      {...rest}
      className="mu-drawer"
      data-side={side}
      removeAfterMs={DRAWER_DELAY_MS + DRAWER_ANIMATION_MS}
      style={{ "--mu-drawer-width": `${width}px` } as CSSProperties}
    />
  );
}
