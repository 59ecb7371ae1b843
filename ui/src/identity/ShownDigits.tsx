/** Digits to type on another device. Screen readers read them one by one. */
export function ShownDigits({ digits }: { digits: string }) {
  return (
    <p className="py-2 text-[2.75rem] leading-none font-bold tracking-[0.25em] tabular-nums">
      <span aria-hidden>{digits}</span>
      <span className="sr-only">{digits.split("").join(" ")}</span>
    </p>
  );
}
