// Generates Rust from a catalogue: one constant per language. Arguments are in braces, and replaced by the Rust code.

/** @returns {Map<string, string>} files by name */
export function rust(languages, rightToLeft, { hasDirection }) {
  const english = languages.get("en");
  const files = new Map();
  for (const [tag, { messages }] of languages) {
    const fields = [...english.messages].map(
      ([key, text]) => `    ${key}: ${literal(messages.get(key) ?? text)},\n`,
    );
    files.set(
      `${tag}.rs`,
      `// Generated from ${tag}.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "${tag}",
${hasDirection ? `    rtl: ${rightToLeft.has(tag)},\n` : ""}${fields.join("")}};
`,
    );
  }
  return files;
}

function literal(text) {
  const escaped = text
    .replace(/["\\]/g, "\\$&")
    .replace(/\n/g, "\\n")
    .replace(
      /[\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
      (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`,
    );
  return `"${escaped}"`;
}
