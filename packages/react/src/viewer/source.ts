/** The addresses of a document. `manifest` is set only for a link with the form of a Musette document. */
export interface Source {
  readonly pdf: string;
  readonly manifest?: string;
}

const MUSETTE_DOCUMENT = /^(.*\/documents\/[0-9a-f]{64})\.pdf$/;

/** Returns the addresses of a document; undefined for a link that must not be used, such as `javascript:` or `data:`. */
export function documentSource(content: string, base = location.href): Source | undefined {
  let url: URL;
  try {
    url = new URL(content, base);
  } catch {
    return undefined;
  }
  if (!/^https?:$/.test(url.protocol)) return undefined;
  const match = MUSETTE_DOCUMENT.exec(url.pathname);
  return {
    pdf: url.href,
    ...(match && { manifest: `${url.origin}${match[1]}/manifest.json` }),
  };
}

/**
 * Returns the attributes of a download link to a PDF. The link does not open it, because the server sandboxes its
 * response, and a sandbox disables the PDF viewer of the browser. The file name has no right-to-left overrides,
 * which could disguise its type.
 */
export function downloadAttributes(title: string) {
  return {
    download: `${title.replace(/[\p{C}/\\]/gu, "")}.pdf`,
    target: "_blank",
    rel: "noopener noreferrer",
  };
}
