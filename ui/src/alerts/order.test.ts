import { expect, test } from "vitest";

import { inGroups } from "./order";
import type { AnyAlert } from "./sentences";
import { phraseAlert, reviewerAlert } from "../test/fake-backend-alerts";

const on = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();

const danger = { concern: "danger", model: "m", not_worrying: false } as const;
const urgent = { ...danger, severity: "urgent" } as const;

const alert = (id: number, at: string, more: Partial<AnyAlert> = {}) =>
  phraseAlert(id, 0, { at, arrived_at: at, ...more });

function listed(alerts: AnyAlert[], ...first: number[]) {
  return inGroups(alerts, new Set(first)).map(({ day, alerts: own }) => [
    day === null ? "now" : new Date(day).getDate(),
    own.map(({ alert_id: id }) => id),
  ]);
}

test("alerts are grouped by the day that is shown, although they arrived in another order", () => {
  const late = alert(9, on(24, 8), { arrived_at: on(27, 9) });

  expect(listed([late, alert(8, on(27, 8)), alert(7, on(27, 18)), alert(6, on(25, 8))])).toEqual([
    [27, [7, 8]],
    [25, [6]],
    [24, [9]],
  ]);
});

test("a silent assistant is listed on the day on which that was noticed", () => {
  const silent = alert(2, on(20, 8), { kind: "silent", arrived_at: on(27, 8) });

  expect(listed([alert(1, on(26, 8)), silent])).toEqual([
    [27, [2]],
    [26, [1]],
  ]);
});

test("what is urgent comes first in its day, and before all days if it is named", () => {
  const alerts = [
    alert(4, on(27, 18)),
    reviewerAlert(3, 0, { at: on(27, 9), flagged: urgent }),
    reviewerAlert(2, 0, { at: on(26, 9), flagged: urgent }),
    reviewerAlert(1, 0, { at: on(26, 18), flagged: { ...urgent, not_worrying: true } }),
  ];

  expect(listed(alerts)).toEqual([
    [27, [3, 4]],
    [26, [2, 1]],
  ]);
  expect(listed(alerts, 2)).toEqual([
    ["now", [2]],
    [27, [3, 4]],
    [26, [1]],
  ]);
});
