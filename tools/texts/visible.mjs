/** Escapes invisible marks of direction and joining, as in JSON and TypeScript. */
export const visible = (text) =>
  text.replace(
    /[\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16)}`,
  );
