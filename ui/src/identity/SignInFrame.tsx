import { Trans } from "@lingui/react/macro";
import { type ReactNode, useState } from "react";

import { Alert } from "../ui/Alert";
import { blocksStorage } from "../ui/browser-storage";
import { Mark } from "../ui/Mark";
import { PageHeading } from "../ui/PageHeading";

interface SignInFrameProps {
  heading: string;
  title?: string;
  children: ReactNode;
}

/** The layout of the sign-in pages. */
export function SignInFrame({ heading, title = heading, children }: SignInFrameProps) {
  const [isBlocked] = useState(blocksStorage);
  return (
    // A warm gradient at the top.
    <main className="flex min-h-dvh flex-col items-center px-5 pt-[14vh] bg-[radial-gradient(60rem_34rem_at_50%_-8rem,var(--color-lamp-glow),transparent)] pb-12">
      <div className="flex w-full max-w-sm flex-col gap-10">
        <div className="flex flex-col gap-2">
          <p className="flex items-center gap-2.5 text-lg font-bold">
            <Mark className="size-10" />
            Porchlight
          </p>
          <p className="text-muted">
            <Trans>See what your child and their voice assistant talk about.</Trans>
          </p>
        </div>
        <div className="flex flex-col gap-6">
          <PageHeading title={title}>{heading}</PageHeading>
          {isBlocked && (
            <Alert kind="error">
              <Trans>
                This browser blocks cookies or storage for this page. Allow them for this address, or you are
                signed out again within minutes.
              </Trans>
            </Alert>
          )}
          {children}
        </div>
      </div>
    </main>
  );
}
