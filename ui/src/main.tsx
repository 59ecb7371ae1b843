import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";

import { createQueryClient } from "./api/query-client";
import { createRoutes } from "./routes";
import { surviveTranslation } from "./ui/translated-page";
import "./ui/styles.css";

if (import.meta.env.MODE === "fake") {
  const { startFakeBackend } = await import("./test/browser");
  await startFakeBackend();
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root.");

surviveTranslation(document.body);
const queries = createQueryClient();
const router = createBrowserRouter(createRoutes(queries));

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
