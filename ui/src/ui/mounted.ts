import { useEffect, useRef } from "react";

/** Whether the component is still on the page, for what an answer leads to that comes late. */
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
