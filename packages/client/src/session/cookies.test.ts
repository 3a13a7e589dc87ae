import { describe, expect, it } from "vitest";
import { memoryCookies, pageCookies } from "./cookies";

/** Creates a page that records each written cookie with its attributes. */
function page(protocol: string) {
  const jar = new Map<string, string>();
  const written: string[] = [];
  return {
    written,
    location: { protocol },
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    },
    set cookie(text: string) {
      written.push(text);
      const [pair = "", ...attributes] = text.split("; ");
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    },
  };
}

const open = (protocol = "https:") => {
  const fake = page(protocol);
  return { fake, cookies: pageCookies(fake as unknown as Document) };
};

describe("the page's cookies", () => {
  it("are written for the whole site with a maximum age of 90 days", () => {
    const { fake, cookies } = open();
    cookies.write("dhh_token", "a.b.c");
    expect(fake.written).toEqual([
      "dhh_token=a.b.c; path=/; SameSite=Lax; Max-Age=7776000; Secure",
    ]);
  });

  it("are not Secure on plain HTTP, where a browser would reject them", () => {
    const { fake, cookies } = open("http:");
    cookies.write("dhh_token", "a.b.c");
    expect(fake.written[0]).not.toContain("Secure");
  });

  it.each(["a.b-c_d", "a+/=", "a;b", 'a"b,c\\ d', "100%25", "ü"])(
    "return %s unchanged",
    (value) => {
      const { fake, cookies } = open();
      cookies.write("refresh_token", value);
      expect(cookies.read("refresh_token")).toBe(value);
      expect(fake.cookie).toMatch(/^refresh_token=[!#$%&'()*+\-./:<=>?@[\]^_`{|}~\w]+$/);
    },
  );

  it("are read by their whole name", () => {
    const { cookies } = open();
    cookies.write("x_dhh_token", "1");
    cookies.write("dhh_token2", "2");
    expect(cookies.read("dhh_token")).toBeUndefined();
  });

  it("are read without change if another script wrote them without escapes", () => {
    const { fake, cookies } = open();
    fake.cookie = "refresh_token=100%";
    expect(cookies.read("refresh_token")).toBe("100%");
  });

  it("are removed", () => {
    for (const cookies of [open().cookies, memoryCookies()]) {
      cookies.write("dhh_token", "a");
      expect(cookies.read("dhh_token")).toBe("a");
      cookies.write("dhh_token");
      expect(cookies.read("dhh_token")).toBeUndefined();
    }
  });
});
