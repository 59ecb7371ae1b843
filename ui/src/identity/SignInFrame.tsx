import type { ReactNode } from "react";

import { Mark } from "../ui/icons";
import { PageHeading } from "../ui/PageHeading";

/** The quiet page around signing in: the mark, a heading, and one thing to do. */
export function SignInFrame({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-8 px-5 py-12">
      <p className="flex items-center gap-2.5 text-lg font-bold">
        <Mark className="size-9" />
        Porchlight
      </p>
      <div className="flex flex-col gap-6">
        <PageHeading>{heading}</PageHeading>
        {children}
      </div>
    </main>
  );
}
