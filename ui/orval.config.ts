import { defineConfig } from "orval";

export default defineConfig({
  porchlight: {
    // The assistant's calls are not the browser's: they stay out of the client.
    input: { target: "../openapi.yaml", filters: { mode: "exclude", tags: ["assistant"] } },
    output: {
      mode: "tags-split",
      target: "src/api/generated/client",
      schemas: "src/api/generated/model",
      client: "react-query",
      httpClient: "fetch",
      baseUrl: "/api",
      clean: true,
      indexFiles: false,
      urlEncodeParameters: true,
      override: {
        mutator: { path: "src/api/http.ts", name: "http" },
        // `http` rejects on every answer that is not a success, so only those have a type here.
        fetch: { forceSuccessResponse: true },
        operations: {
          listSessions: { query: { useInfinite: true, useInfiniteQueryParam: "before" } },
          listCompletedActivities: { query: { useInfinite: true, useInfiniteQueryParam: "before" } },
          listHistory: { query: { useInfinite: true, useInfiniteQueryParam: "before" } },
          listMessages: { query: { useInfinite: true, useInfiniteQueryParam: "after" } },
        },
      },
    },
  },
});
