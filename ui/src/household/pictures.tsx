import type { ReactNode } from "react";

/** A drawing of what a child can talk to: lines in the text's colour, and one lit part. */
function Picture({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 64 48"
      aria-hidden="true"
      className="h-14 w-auto shrink-0 fill-none stroke-current sm:h-16"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

const lit = "fill-flame stroke-none";
const surface = "fill-surface";

/** A tablet with what was said, and the answer. */
export const appPicture = (
  <Picture>
    <rect x="13" y="4" width="38" height="40" rx="5" className={surface} />
    <path d="M20 12h13a3 3 0 0 1 3 3v3a3 3 0 0 1-3 3h-8l-4 3.500v-3.500h-1a0 0 0 0 1 0 0z" />
    <path d="M31 27h10a3 3 0 0 1 3 3v2a3 3 0 0 1-3 3H31a3 3 0 0 1-3-3v-2a3 3 0 0 1 3-3z" className={lit} />
    <path d="M30 40h4" />
  </Picture>
);

/** A house that listens. */
export const homePicture = (
  <Picture>
    <path d="M10 24 32 5l22 19" />
    <path d="M15 21v20a2 2 0 0 0 2 2h30a2 2 0 0 0 2-2V21" className={surface} />
    <path d="M28 43V32a4 4 0 0 1 8 0v11z" className={lit} />
    <path d="M24.500 25.500a10.500 10.500 0 0 1 15 0M28 21a16 16 0 0 1 8 0" />
  </Picture>
);

/** A speaker with its board beside it. */
export const speakerPicture = (
  <Picture>
    <rect x="8" y="4" width="26" height="40" rx="6" className={surface} />
    <circle cx="21" cy="29" r="8" />
    <circle cx="21" cy="29" r="3" className={lit} />
    <path d="M17 12h8" />
    <rect x="42" y="22" width="15" height="15" rx="2" className={surface} />
    <path d="M46 22v-4M53 22v-4M46 41v-4M53 41v-4M34 29.500h8" />
  </Picture>
);

/** A toy robot. */
export const toyPicture = (
  <Picture>
    <path d="M32 9V5" />
    <circle cx="32" cy="4" r="2.500" className={lit} />
    <rect x="18" y="9" width="28" height="19" rx="7" className={surface} />
    <path d="M26 17v2M38 17v2M28 23.500a6 6 0 0 0 8 0" />
    <path d="M23 28v9a6 6 0 0 0 6 6h6a6 6 0 0 0 6-6v-9" className={surface} />
    <path d="M23 32h-4a4 4 0 0 0-4 4v2M41 32h4a4 4 0 0 1 4 4v2" />
    <circle cx="32" cy="35" r="3" className={lit} />
  </Picture>
);

/** A lamp with nobody under it yet. */
export const nothingPicture = (
  <Picture>
    <path d="M32 3v5M25 8h14" />
    <path d="M25 8h14l5 14H20z" className={lit} />
    <path d="M25 8h14l5 14H20z" />
    <path d="M22 42h20" strokeDasharray="1 5" />
    <path d="M27 29l-2 6M32 29v6M37 29l2 6" />
  </Picture>
);
