import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";

import { createQueryClient } from "./api/query-client";
import { pastedLink } from "./identity/sign-in-link";
import { createRoutes } from "./routes";
import { registerWorker } from "./ui/worker";
import { surviveTranslation } from "./ui/translated-page";
import "./ui/styles.css";

if (import.meta.env.MODE === "fake") {
  const { startFakeBackend } = await import("./test/browser");
  await startFakeBackend();
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root.");

// A token that a mail program moved out of the fragment must not stay in the address, or reach a log with the next request.
const link = pastedLink(location.href);
if (link !== null) history.replaceState(null, "", link);

surviveTranslation(document.body);
const queries = createQueryClient();
const router = createBrowserRouter(createRoutes(queries));

// Where storage is blocked, it fails.
if (import.meta.env.PROD)
  addEventListener("load", () => void registerWorker(() => location.reload()).catch(() => {}));

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
