import { MODAL_CLOSE_MS } from "../theme";
import { type DialogProps, DialogSurface } from "./dialog";

/** Props of `Modal`. */
export type ModalProps = DialogProps;

/** A dialog in the middle. Escape or a click on its overlay closes it; focus returns. */
export function Modal(props: ModalProps) {
  return <DialogSurface {...props} className="mu-modal" leaveAfterMs={MODAL_CLOSE_MS} />;
}
