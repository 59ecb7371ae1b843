import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { Pause } from "../times/Pause";
import { errorTexts, useTimes } from "../times/queries";
import { SaveLine } from "../times/SaveLine";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";

/** Pauses talking. If the times fail to load, the summary still shows. */
export function PauseSection({ child }: { child: Child }) {
  const { query, editing, saving, dispatch } = useTimes(child, "summary");
  const { data, error } = query;
  return (
    <section aria-labelledby="pause" className="flex flex-col gap-2 print:hidden">
      <h2 id="pause" className="font-bold">
        Pause talking
      </h2>
      {data !== undefined ? (
        <Pause times={data.times} saving={saving} dispatch={dispatch} />
      ) : error !== null ? (
        <QuietLine sentence={errorMessage(error, errorTexts.load)} className="flex min-h-11 items-center" />
      ) : (
        <Skeleton shapes={["h-11 w-32", "h-11 w-44", "h-11 w-36"]} className="flex-wrap gap-2" />
      )}
      <SaveLine status={editing.status} dispatch={dispatch} className="-mb-5" />
    </section>
  );
}
