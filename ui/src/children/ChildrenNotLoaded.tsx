import { t } from "@lingui/core/macro";

import type { ChildrenList } from "./children";
import { ErrorState } from "../ui/ErrorState";
import { LoadingPage } from "../ui/LoadingPage";

/** Replaces a page while the list of children is loading or has failed. A retry moves the focus to the heading. */
export function ChildrenNotLoaded({ list }: { list: Exclude<ChildrenList, { kind: "loaded" }> }) {
  const failure =
    list.kind === "failed" ? (
      <ErrorState sentence={t`Error: ${{ sentence: list.sentence }}`} onRetry={list.retry} />
    ) : undefined;
  return <LoadingPage sentence={t`Loading children...`} failure={failure} />;
}
