import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";

import { type HistoryState, historyState } from "../ui/history-state";

interface LinkPage {
  /** Finds the token in an address. */
  read: (address: string) => string | null;
  /** The page's address without the token. */
  address: string;
  /** Whether a reload restores the token, until the page calls `forget`. */
  survivesReload: boolean;
  onToken?: (token: string) => void;
}

interface LinkToken {
  token: string | null;
  /** Discards the stored token. */
  forget: () => void;
}

/**
 * The token from the page's fragment, or null. Removes it from the address bar and the browser's history, and calls `onToken`
 * once if there is one. A link that is opened later in the same tab replaces it.
 */
export function useLinkToken({ read, address, survivesReload, onToken }: LinkPage): LinkToken {
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const [fragment, setFragment] = useState(hash === "" ? (historyState(state).link ?? "") : hash);
  if (hash !== "" && hash !== fragment) setFragment(hash);
  const token = read(fragment);
  useEffect(() => {
    if (hash === "") return;
    void navigate(address, {
      replace: true,
      state: { link: survivesReload ? hash : null } satisfies HistoryState,
    });
  }, [hash, address, survivesReload, navigate]);

  // React may run the effect twice, but the token is sent only once.
  const sent = useRef<string>(undefined);
  useEffect(() => {
    if (token === null || sent.current === token) return;
    sent.current = token;
    onToken?.(token);
  }, [token, onToken]);
  return { token, forget: () => void navigate(address, { replace: true }) };
}
