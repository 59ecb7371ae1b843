import { defineConfig } from "orval";

export default defineConfig({
  porchlight: {
    input: {
      target: "../openapi.yaml",
      // The assistant's calls are not the browser's: they stay out of the client.
      filters: { mode: "exclude", tags: ["assistant"] },
      override: {
        // `http` rejects on every answer that is not a success, so only those have a type here.
        transformer: (contract) => {
          for (const item of Object.values(contract.paths ?? {})) {
            for (const method of ["get", "put", "post", "delete"] as const) {
              const responses = item[method]?.responses ?? {};
              const errors = Object.keys(responses).filter((status) => !/^[23]/u.test(status));
              for (const status of errors) Reflect.deleteProperty(responses, status);
            }
          }
          return contract;
        },
      },
    },
    output: {
      mode: "tags-split",
      target: "src/api/generated/client",
      client: "react-query",
      httpClient: "fetch",
      baseUrl: "/api",
      clean: true,
      indexFiles: false,
      urlEncodeParameters: true,
      override: {
        header: false,
        mutator: { path: "src/api/http.ts", name: "http" },
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
