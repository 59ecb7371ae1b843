import { Navigate, useNavigation } from "react-router";

/** Redirects, unless another navigation is in progress. */
export function Redirect({ to }: { to: string }) {
  const { state } = useNavigation();
  return state === "idle" ? <Navigate to={to} replace /> : null;
}
