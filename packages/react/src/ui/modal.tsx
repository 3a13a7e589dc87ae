import { MODAL_CLOSE_MS } from "../theme";
import { type DialogProps, DialogSurface } from "./dialog";

/** Props of `Modal`. */
export type ModalProps = DialogProps;

/** A centered dialog. Escape or a click on its overlay closes it. The focus then returns. */
export function Modal(props: ModalProps) {
  return <DialogSurface {...props} className="mu-modal" removeAfterMs={MODAL_CLOSE_MS} />;
}
