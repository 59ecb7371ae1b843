import { defineConfig } from "orval";

/** What no code calls through the client: streams and tokens have modules of their own, pages link to the provider. */
const leftOut = new Set([
  "completeOidcSignIn",
  "issueIdentityToken",
  "listRulesHistory",
  "startOidcSignIn",
  "streamEvents",
]);

/** What code calls without a hook. `client.test.ts` compares this with the code. */
const withoutHook = [
  "acceptInvitation",
  "beginSetup",
  "completePairing",
  "deleteSession",
  "eraseSession",
  "exportChild",
  "keepSession",
  "listAlerts",
  "listTries",
  "markNotChild",
  "moveSession",
  "noteAlertsSeen",
  "replaceBlockedTopics",
  "replaceContext",
  "replaceLanguage",
  "replaceNotWorrying",
  "replacePushSubscription",
  "replaceSubscription",
  "replaceTimes",
  "replaceWatchedPhrases",
  "searchTranscripts",
  "setAlertDealtWith",
  "setAlertNotWorrying",
  "signIn",
  "signInWithRecoveryCode",
  "signInWithSetupLink",
  "signOut",
  "tryWatchedPhrase",
  "undeleteSession",
];

const pagedBy = (useInfiniteQueryParam: string) => ({ useInfinite: true, useInfiniteQueryParam });

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
              if (leftOut.has(item[method]?.operationId ?? "")) Reflect.deleteProperty(item, method);
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
          ...Object.fromEntries(
            withoutHook.map((id) => [id, { query: { useQuery: false, useMutation: false } }]),
          ),
          listCompletedActivities: { query: { useQuery: false, ...pagedBy("before") } },
          listHistory: { query: { useQuery: false, ...pagedBy("before") } },
          listMessages: { query: pagedBy("after") },
          listSessions: { query: pagedBy("before") },
        },
      },
    },
  },
});
