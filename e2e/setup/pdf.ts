/** The smallest PDFs for the tests: pages of text, or a picture of one. */

export function assemble(objects: readonly string[]): Buffer {
  let file = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

export const stream = (content: string, entries = "") =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

const page = (content: number, resources: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << ${resources} >> >>`;

const kids = (first: number, count: number, step: number) =>
  Array.from({ length: count }, (_, index) => `${first + index * step} 0 R`).join(" ");

export function pagesOfWords(heading: string, pages: number): Buffer {
  const bodies = Array.from({ length: pages }, (_, index) => {
    const lines = Array.from(
      { length: 24 },
      (_, line) => `(Section ${index + 1}, rule ${line + 1}: a rider keeps to the left.) Tj T*`,
    );
    return [
      page(5 + index * 2, "/Font << /F 3 0 R >>"),
      stream(
        `BT /F 22 Tf 60 770 Td (${heading}) Tj ET BT /F 12 Tf 24 TL 60 720 Td ${lines.join("\n")} ET`,
      ),
    ];
  });
  return assemble([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages} /Kids [${kids(4, pages, 2)}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...bodies.flat(),
  ]);
}

/** Grey bars in place of the lines of a scanned page, without any text. */
export function scan(): Buffer {
  const [width, height] = [60, 84];
  let pixels = "";
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels += y % 6 === 3 && x > 6 && x < 52 ? "\x50" : "\xf2";
  return assemble([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    page(4, "/XObject << /I 5 0 R >>"),
    stream("q 595 0 0 842 0 0 cm /I Do Q"),
    stream(
      pixels,
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    ),
  ]);
}
