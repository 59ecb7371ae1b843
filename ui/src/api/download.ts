import { withToken } from "./http";
import { requestFailed, unreachable } from "./send";

export interface Download {
  file: Blob;
  /** The file name from the server. */
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
    if (!response.ok) throw await requestFailed(response.status, await response.text());
    const file = await response.blob().catch((cause: unknown) => {
      throw unreachable(cause);
    });
    const name = /filename="([^"]+)"/u.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
    return { file, name: name ?? "porchlight.json" };
  });
}

/** Saves a file through the browser's downloads. */
export function saveFile({ file, name }: Download): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // After the click the browser still reads the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
