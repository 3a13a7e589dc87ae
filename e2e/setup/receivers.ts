import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** A message of a campaign as it arrived at the mail server. */
export interface Mail {
  readonly recipient: string;
  /** Header and body. */
  readonly text: string;
}

export interface MailServer {
  /** `smtp://HOST:PORT`. */
  readonly url: string;
  readonly mails: readonly Mail[];
}

/** Speaks SMTP (RFC 5321) with one client. Recipients that contain `refused` are refused. */
async function receive(socket: Socket, mails: Mail[]): Promise<void> {
  const reply = (line: string) => socket.write(`${line}\r\n`);
  let recipient = "";
  let body: string[] | undefined;
  reply("220 mail.larkspur.example ESMTP");
  for await (const line of createInterface({
    input: socket,
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (body) {
      if (line !== ".") {
        body.push(line.replace(/^\./, ""));
        continue;
      }
      mails.push({ recipient, text: body.join("\n") });
      body = undefined;
      reply("250 2.0.0 Accepted");
      continue;
    }
    const command = line.slice(0, 4).toUpperCase();
    if (command === "DATA") {
      body = [];
      reply("354 Send the message");
    } else if (command === "RCPT") {
      recipient = /<(.*)>/.exec(line)?.[1] ?? "";
      reply(recipient.includes("refused") ? "550 5.1.1 No such mailbox" : "250 2.1.5 OK");
    } else if (command === "QUIT") {
      reply("221 2.0.0 Bye");
      socket.end();
    } else {
      reply(command === "EHLO" ? "250 mail.larkspur.example" : "250 2.0.0 OK");
    }
  }
}

/** Runs a mail server on a free port until `use` is finished. */
export async function withMailServer(use: (server: MailServer) => Promise<void>): Promise<void> {
  const mails: Mail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The sender may close the connection at any time.
    socket.on("error", () => socket.destroy());
    void receive(socket, mails).catch(() => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await use({ url: `smtp://127.0.0.1:${port}`, mails });
  for (const socket of sockets) socket.destroy();
  server.close();
}

export interface NoticeReceiver {
  readonly url: string;
  /** The `webhook-id` of each request, in order. */
  readonly ids: readonly string[];
  readonly bodies: readonly {
    readonly identifier: string;
    readonly notice: { readonly subject: string; readonly text: string; readonly url: string };
  }[];
}

/** Runs a receiver of the webhook for messages on a free port until `use` is finished. */
export async function withNoticeReceiver(
  use: (receiver: NoticeReceiver) => Promise<void>,
): Promise<void> {
  const ids: string[] = [];
  const bodies: NoticeReceiver["bodies"][number][] = [];
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    ids.push(String(request.headers["webhook-id"]));
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await use({ url: `http://127.0.0.1:${port}/messages`, ids, bodies });
  server.closeAllConnections();
  server.close();
}
