import type { Musette } from "./musette";

/** A fictional system that makes decisions, with a German and an Arabic translation. */
const dispatch = {
  name: "Order dispatch",
  purpose: "Offers each order to a rider who can collect it soon.\n\nDeclining has no consequence.",
  kind: "decision",
  locale: "en",
  markets: [],
  data: [{ category: "Location", source: "The rider app, only during a shift" }],
  parameters: [
    { name: "Distance", weight: "main", description: "The nearest rider is asked first." },
    { name: "Waiting time", weight: "secondary", description: "It decides between two riders." },
  ],
  decisions: ["Which rider is offered an order."],
  human_oversight: "A dispatcher can assign each order by hand.",
  contact: { name: "Rider support", email: "riders@larkspur.example", phone: "+49 30 000000" },
  texts: {
    de: { name: "Auftragsverteilung", purpose: "Bietet Aufträge an." },
    ar: { name: "توزيع الطلبات", purpose: "يعرض كل طلب على سائق يمكنه استلامه قريبًا." },
  },
};

/** Publishes the description of an automated system, as another program of the company would. */
export async function publishSystem(musette: Musette, change: object = {}): Promise<void> {
  musette.addAdmin("systems-admin", "systems@larkspur.example");
  const { dhhToken } = musette.tokens("systems-admin", 900);
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${musette.url}/api/admin/v1/automated-systems/${path}`, {
      method,
      headers: { Authorization: `Bearer ${dhhToken}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  };
  await send("PUT", "order-dispatch", { ...dispatch, ...change });
  await send("POST", "order-dispatch/publish", {});
}
