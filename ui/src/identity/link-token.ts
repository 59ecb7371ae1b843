import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The token in the address of a page that a link opened; null without one. Removes it from the address bar and the history, and
 * calls `onToken` once with it, if there is one. A link that is opened in the same tab later brings another token.
 */
export function useLinkToken(
  /** Parses a fragment. */
  read: (fragment: string) => string | null,
  /** The page's address without the token. */
  address: string,
  onToken?: (token: string) => void,
): string | null {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => read(hash));
  const opened = read(hash);
  if (opened !== null && opened !== token) setToken(opened);
  useEffect(() => {
    if (hash !== "") void navigate(address, { replace: true });
  }, [hash, address, navigate]);

  // React may run the effect twice, but the token is sent only once.
  const sent = useRef<string>(undefined);
  useEffect(() => {
    if (token === null || sent.current === token) return;
    sent.current = token;
    onToken?.(token);
  }, [token, onToken]);
  return token;
}
