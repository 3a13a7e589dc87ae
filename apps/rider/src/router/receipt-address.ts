import { receiptNumber } from "@musette/client/terms";

/** The receipt number in a pasted text: in our current and former addresses. */
const IN_ADDRESS =
  /\/receipt\/?(?:\?[^#]*)?#([\w-]+)$|\/receipts?\/([\w-]+)(?:\.[a-z-]+)?\/?(?:[?#].*)?$/;

/**
 * Returns the address of a receipt. Its number is in the fragment, which no browser sends to a
 * server or to another page.
 */
export function receiptHref(id: string): string {
  return `/receipt#${id}`;
}

/**
 * Returns the receipt number in a typed or pasted text: the number alone, a link, or the content of
 * a QR code.
 */
export function numberIn(typed: string): string | undefined {
  const address = IN_ADDRESS.exec(typed.trim());
  return receiptNumber(address?.[1] ?? address?.[2] ?? typed);
}

/** Returns the current form of a former address, which had the number in its path. */
export function currentAddress(path: string): string | undefined {
  const id = /^\/receipt\/([^/]+)\/?$/.exec(path)?.[1];
  return id && receiptHref(id);
}
