import { describe, expect, it } from "vitest";
import { memoryCookies, pageCookies } from "./cookies";

/** A page whose cookie jar keeps what was written, attributes and all. */
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
  it("are written for the whole site, so that they outlive WebKit's session and the access token", () => {
    const { fake, cookies } = open();
    cookies.write("dhh_token", "a.b.c");
    expect(fake.written).toEqual([
      "dhh_token=a.b.c; path=/; SameSite=Lax; Max-Age=7776000; Secure",
    ]);
  });

  it("are not Secure on a developer's machine, where they would be refused", () => {
    const { fake, cookies } = open("http:");
    cookies.write("dhh_token", "a.b.c");
    expect(fake.written[0]).not.toContain("Secure");
  });

  it.each(["a.b-c_d", "a+/=", "a;b", 'a"b,c\\ d', "100%25", "ü"])("keep %s as it is", (value) => {
    const { fake, cookies } = open();
    cookies.write("refresh_token", value);
    expect(cookies.read("refresh_token")).toBe(value);
    expect(fake.cookie).toMatch(/^refresh_token=[!#$%&'()*+\-./:<=>?@[\]^_`{|}~\w]+$/);
  });

  it("are told apart by their whole name", () => {
    const { cookies } = open();
    cookies.write("x_dhh_token", "1");
    cookies.write("dhh_token2", "2");
    expect(cookies.read("dhh_token")).toBeUndefined();
  });

  it("that somebody else wrote without escapes are read as they are", () => {
    const { fake, cookies } = open();
    fake.cookie = "refresh_token=100%";
    expect(cookies.read("refresh_token")).toBe("100%");
  });

  it("are forgotten", () => {
    for (const cookies of [open().cookies, memoryCookies()]) {
      cookies.write("dhh_token", "a");
      expect(cookies.read("dhh_token")).toBe("a");
      cookies.write("dhh_token");
      expect(cookies.read("dhh_token")).toBeUndefined();
    }
  });
});
