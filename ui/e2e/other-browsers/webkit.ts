/** WebKit's MiniBrowser, over Debian's WebDriver, on a virtual screen. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { createServer } from "node:net";

import { type OtherBrowser, asJson, clickActions, keyActions, parseJson } from "./browser";

const DRIVER = "/usr/bin/WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";
const MINI_BROWSER = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")[0];

export const hasWebkit = MINI_BROWSER !== undefined && existsSync(DRIVER) && existsSync(SCREEN);

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

async function stopped(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return;
  const ended = once(process, "exit");
  process.kill("SIGTERM");
  await ended;
}

/** Starts a virtual screen with a free display number. */
async function startScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(SCREEN, ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  screen.stdio[3]?.once("data", (part: Buffer) => resolve(`:${part.toString().trim()}`));
  screen.once("exit", () => reject(new Error("Xvfb ended.")));
  return { screen, display: await promise };
}

export async function startWebkit(): Promise<OtherBrowser> {
  const { screen, display } = await startScreen();
  const port = await freePort();
  const call = async (method: "POST" | "DELETE", path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { value }: { value: unknown } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  const driver = spawn(DRIVER, ["--host=127.0.0.1", `--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: "x11",
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
    },
  });
  await once(driver, "spawn");
  for (let tries = 0; ; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- until it listens
    const listens = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null);
    if (listens !== null) break;
    if (tries === 150) throw new Error("WebKitWebDriver does not listen.");
    // oxlint-disable-next-line no-await-in-loop -- see above
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    openTab: async () => {
      const opened = await call("POST", "/session", {
        capabilities: {
          alwaysMatch: { "webkitgtk:browserOptions": { binary: MINI_BROWSER, args: ["--automation"] } },
        },
      });
      const session = `/session/${String(Reflect.get(Object(opened), "sessionId"))}`;
      await call("POST", `${session}/window/rect`, { x: 0, y: 0, width: 1240, height: 860 });
      const act = async (actions: object) => call("POST", `${session}/actions`, { actions: [actions] });
      return {
        goto: async (url) => void (await call("POST", `${session}/url`, { url })),
        evaluate: async (expression) =>
          parseJson(
            await call("POST", `${session}/execute/async`, {
              script: `const done = arguments[arguments.length - 1]; ${asJson(expression)}.then(done, (error) => done(JSON.stringify({ failed: String(error) })));`,
              args: [],
            }),
          ),
        clickAt: async (x, y) =>
          void (await act({
            type: "pointer",
            id: "mouse",
            parameters: { pointerType: "mouse" },
            actions: clickActions(x, y),
          })),
        type: async (text) => void (await act({ type: "key", id: "keys", actions: keyActions(text) })),
        close: async () => void (await call("DELETE", session)),
      };
    },
    stop: async () => {
      await stopped(driver);
      await stopped(screen);
    },
  };
}
