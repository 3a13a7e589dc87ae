import type { OpenedReceipt } from "@musette/client/terms";
import { usePageLanguage } from "../language/page-language";

export type ReceiptLink = NonNullable<OpenedReceipt["link"]>;

/** QR code readers need a margin of this many modules. */
const QUIET = 4;

/**
 * The receipt's address as a QR code, for another phone. Without a public URL the server returns
 * none: another phone could not open the address of this page. Last on the page, because it appears
 * once the server has answered and must not move the text above it.
 */
export function ReceiptCode({ qr }: ReceiptLink) {
  const { receipt } = usePageLanguage().texts;
  const side = qr.size + 2 * QUIET;
  return (
    <section className="card receipt-code">
      <h2>{receipt.qrTitle}</h2>
      <p>{receipt.qrText}</p>
      {/* Black on white in every appearance, because cameras read other colours less reliably. */}
      <svg
        viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
        role="img"
        aria-label={receipt.qrTitle}
        shapeRendering="crispEdges"
      >
        <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
        <path d={qr.path} fill="#000" />
      </svg>
    </section>
  );
}
