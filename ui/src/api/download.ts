import { withToken } from "./http";
import { requestFailed, unreachable } from "./send";

export interface Download {
  file: Blob;
  /** What the server calls it. */
  name: string;
}

/** Fetches a file. It may be large, so there is no deadline. */
export async function download(url: string): Promise<Download> {
  return withToken(async (token) => {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${token}` },
      credentials: "same-origin",
    }).catch((cause: unknown) => {
      throw unreachable(cause);
    });
    if (!response.ok) throw requestFailed(response.status, await response.text());
    const file = await response.blob().catch((cause: unknown) => {
      throw unreachable(cause);
    });
    const name = /filename="([^"]+)"/u.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
    return { file, name: name ?? "porchlight.json" };
  });
}

/** Gives a file to the browser, which keeps it where it keeps downloads. */
export function saveFile({ file, name }: Download): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it when the click is done.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
