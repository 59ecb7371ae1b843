import { Navigate, useNavigation } from "react-router";

/** Replaces the page by another one, unless somebody is on their way to a third one meanwhile. */
export function Redirect({ to }: { to: string }) {
  const { state } = useNavigation();
  return state === "idle" ? <Navigate to={to} replace /> : null;
}
