/** Places columns side by side, with `padding` of a column's step between and around them. */
export function bands(count: number, from: number, to: number, padding = 0) {
  const step = (to - from) / Math.max(1, count + padding);
  return { step, width: step * (1 - padding), left: (index: number) => from + step * (padding + index) };
}

/** The ticks of an axis from 0 that reaches `highest`: about `count` round steps. The last one is the axis's end. */
export function ticksTo(highest: number, count: number): number[] {
  let [end, step] = [highest, 0];
  // A higher end may ask for a larger step.
  for (let next = roundStep(end / count); next !== step; next = roundStep(end / count)) {
    step = next;
    end = Math.ceil(end / step) * step;
  }
  return Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
}

/** 1, 2 or 5 times a power of ten, whichever is nearest. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = step / power;
  return (
    power * (factor >= Math.sqrt(50) ? 10 : factor >= Math.sqrt(10) ? 5 : factor >= Math.sqrt(2) ? 2 : 1)
  );
}
