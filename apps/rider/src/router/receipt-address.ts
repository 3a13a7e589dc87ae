/** The id of a receipt: base64url, 192 bits today and never fewer than 128. */
const NUMBER = /^[\w-]{22,64}$/;
/** Where a number may stand in what somebody pastes: our addresses of today and of before. */
const IN_ADDRESS =
  /\/receipt\/?(?:\?[^#]*)?#([\w-]+)$|\/receipts?\/([\w-]+)(?:\.[a-z-]+)?\/?(?:[?#].*)?$/;

/** The number stands in the fragment, which no browser sends to a server or to another page. */
export function receiptHref(id: string): string {
  return `/receipt#${id}`;
}

/** The receipt number in a typed or pasted text: the number alone, a link, or what a code says. */
export function numberIn(typed: string): string | undefined {
  const text = typed.trim();
  const address = IN_ADDRESS.exec(text);
  // A number that was read from a page may have come with a line break in it.
  const number = address?.[1] ?? address?.[2] ?? text.replace(/\s+/g, "");
  return NUMBER.test(number) ? number : undefined;
}

/** The address that the app uses today for one of before, which had the number in its path. */
export function currentAddress(path: string): string | undefined {
  const id = /^\/receipt\/([^/]+)\/?$/.exec(path)?.[1];
  return id && receiptHref(id);
}
