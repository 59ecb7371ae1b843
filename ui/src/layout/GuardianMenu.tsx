import { useMutation } from "@tanstack/react-query";
import { CheckIcon, UserRoundIcon } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";

import type { Guardian } from "../api/identity-token";
import { sentenceOf } from "../api/problem";
import { useIdentity } from "../identity/identity";
import { SignOutEverywhere } from "../identity/SignOutEverywhere";
import { paths } from "../paths";
import { Menu, menuItemClass } from "../ui/Menu";
import { type Theme, chooseTheme, useTheme } from "../ui/theme";

const themes: readonly { theme: Theme; label: string }[] = [
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
  { theme: "system", label: "Like this device" },
];

/** The account menu: who is signed in, the theme, and signing out. */
export function GuardianMenu({ guardian }: { guardian: Guardian }) {
  const { signOut } = useIdentity();
  const theme = useTheme();
  const leave = useMutation({ mutationFn: signOut });
  const [isAsked, setAsked] = useState(false);

  return (
    <>
      <Menu
        label="Your account"
        placement="below"
        triggerClassName="flex size-11 items-center justify-center rounded-full border border-edge text-muted hover:bg-quiet hover:text-ink"
        trigger={<UserRoundIcon />}
      >
        <p className="px-3 pt-2 pb-3 text-sm text-muted [overflow-wrap:anywhere]">
          Signed in as <span className="block font-bold text-ink">{guardian.name ?? guardian.email}</span>
          {guardian.name !== undefined && <span className="block">{guardian.email}</span>}
        </p>
        <div role="group" aria-labelledby="appearance" className="border-y border-line py-1.5">
          <p id="appearance" className="px-3 pt-1.5 text-sm text-muted">
            Appearance
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
              {choice.label}
            </button>
          ))}
        </div>
        <div className="pt-1.5">
          <Link to={paths.signIns()} role="menuitem" className={menuItemClass}>
            Your sign-ins
          </Link>
          <button
            type="button"
            role="menuitem"
            onClick={() => leave.mutate({ everywhere: false })}
            className={menuItemClass}
          >
            Sign out
          </button>
          <button type="button" role="menuitem" onClick={() => setAsked(true)} className={menuItemClass}>
            Sign out everywhere
          </button>
        </div>
        {leave.isError && (
          <p role="alert" className="px-3 py-2 text-sm text-danger">
            {sentenceOf(leave.error, "Signing out failed.")}
          </p>
        )}
      </Menu>
      {isAsked && <SignOutEverywhere onClose={() => setAsked(false)} />}
    </>
  );
}
