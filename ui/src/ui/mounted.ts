import { useEffect, useRef } from "react";

/** A ref to whether the component is mounted, for responses that arrive late. */
export function useMounted() {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
