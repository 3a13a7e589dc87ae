/** The company whose terms this server shows, as it writes them into the page. */
export interface Company {
  readonly name: string | undefined;
  /** The URL of the logo. */
  readonly logo: string | undefined;
}

/** Reads the settings `--company-name` and `--company-logo`. */
export function company(): Company {
  return { name: contentOf("company-name"), logo: contentOf("company-logo") };
}

function contentOf(name: string): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="musette-${name}"]`);
  return meta?.content || undefined;
}
