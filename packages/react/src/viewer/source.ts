/** Where a document can be read from. `manifest` only where the link looks like one of ours. */
export interface Source {
  readonly pdf: string;
  readonly manifest?: string;
}

const OURS = /^(.*\/documents\/[0-9a-f]{64})\.pdf$/;

/** Undefined for a link that must never be followed or shown: `javascript:`, `data:`, nonsense. */
export function documentSource(content: string, base = location.href): Source | undefined {
  let url: URL;
  try {
    url = new URL(content, base);
  } catch {
    return undefined;
  }
  if (!/^https?:$/.test(url.protocol)) return undefined;
  const ours = OURS.exec(url.pathname);
  return {
    pdf: url.href,
    ...(ours && { manifest: `${url.origin}${ours[1]}/manifest.json` }),
  };
}

/**
 * For a link to the PDF: saved rather than opened, because our answer is sandboxed, and a sandbox
 * turns the browser's own viewer off. Without the right-to-left overrides of a title, which could
 * make the file's name read as another type of file.
 */
export function saved(title: string) {
  return {
    download: `${title.replace(/[\p{C}/\\]/gu, "")}.pdf`,
    target: "_blank",
    rel: "noopener noreferrer",
  };
}
