import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { CheckIcon, UserRoundIcon } from "lucide-react";
import { Suspense, lazy, useState } from "react";
import { Link } from "react-router";

import { Failure } from "../api/Failure";
import type { Guardian } from "../api/identity-token";
import { useIdentity } from "../identity/identity";
import { paths } from "../paths";
import { Menu, menuItemClass } from "../ui/Menu";
import { switchSearchKey, useSearchKey } from "../ui/search-key";
import { type Theme, chooseTheme, useTheme } from "../ui/theme";

// Code-split, because it is rarely rendered.
const SignOutEverywhere = lazy(async () => ({
  default: (await import("../identity/SignOutEverywhere")).SignOutEverywhere,
}));

const themes: readonly { theme: Theme; label: MessageDescriptor }[] = [
  { theme: "light", label: msg`Light` },
  { theme: "dark", label: msg`Dark` },
  { theme: "system", label: msg`Like this device` },
];

/** Whether the device has a mouse or the like, so probably a keyboard; a phone hasn't. */
function hasKeyboard(): boolean {
  return matchMedia("(any-pointer: fine)").matches;
}

/** The account menu: who is signed in, the theme, and signing out. */
export function GuardianMenu({ guardian }: { guardian: Guardian }) {
  const { signOut } = useIdentity();
  const theme = useTheme();
  const searchKey = useSearchKey();
  const leave = useMutation({ mutationFn: signOut });
  const [asking, setAsking] = useState(false);
  const name = guardian.name ?? guardian.email;

  return (
    <div className="relative">
      <Menu
        label={t`Your account`}
        placement="below"
        triggerClassName="flex size-11 items-center justify-center rounded-full border border-edge text-muted hover:bg-quiet hover:text-ink"
        trigger={<UserRoundIcon />}
        above={
          <p className="px-3 pt-2 pb-3 text-sm text-muted [overflow-wrap:anywhere]">
            <Trans>
              Signed in as <span className="block font-bold text-ink">{name}</span>
            </Trans>
            {guardian.name !== undefined && <span className="block">{guardian.email}</span>}
          </p>
        }
      >
        <div role="group" aria-labelledby="appearance" className="border-y border-line py-1.5">
          <p id="appearance" role="none" className="px-3 pt-1.5 text-sm text-muted">
            <Trans>Appearance</Trans>
          </p>
          {themes.map((choice) => (
            <button
              key={choice.theme}
              type="button"
              role="menuitemradio"
              aria-checked={choice.theme === theme}
              onClick={() => chooseTheme(choice.theme)}
              className={menuItemClass}
            >
              <CheckIcon className={`size-5 ${choice.theme === theme ? "" : "invisible"}`} />
              {i18n._(choice.label)}
            </button>
          ))}
        </div>
        <div className="pt-1.5">
          {hasKeyboard() && (
            <button
              type="button"
              role="menuitemcheckbox"
              aria-checked={searchKey}
              onClick={() => switchSearchKey(!searchKey)}
              className={menuItemClass}
            >
              <CheckIcon className={`size-5 ${searchKey ? "" : "invisible"}`} />
              <Trans>The key / opens the search</Trans>
            </button>
          )}
          <Link to={paths.you()} role="menuitem" className={menuItemClass}>
            <span>
              <Trans>You</Trans>{" "}
              <span className="block text-sm text-muted">
                <Trans>Email, devices, recovery codes</Trans>
              </span>
            </span>
          </Link>
          <button
            type="button"
            role="menuitem"
            onClick={() => leave.mutate({ everywhere: false })}
            className={menuItemClass}
          >
            <Trans>Sign out</Trans>
          </button>
          <button type="button" role="menuitem" onClick={() => setAsking(true)} className={menuItemClass}>
            <Trans>Sign out everywhere</Trans>
          </button>
        </div>
      </Menu>
      {leave.isError && (
        <div className="absolute top-full end-0 mt-1.5 w-max max-w-[min(20rem,calc(100vw-2rem))] rounded-control shadow-float">
          <Failure error={leave.error} />
        </div>
      )}
      {asking && (
        <Suspense fallback={null}>
          <SignOutEverywhere onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  );
}
