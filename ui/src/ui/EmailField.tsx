import type { ComponentProps } from "react";

import { TextField } from "./TextField";

/** The field `email` of a form: the guardian's own address, unless `autoComplete` is off. */
export function EmailField(props: ComponentProps<typeof TextField>) {
  return <TextField type="email" name="email" autoComplete="email" maxLength={254} {...props} />;
}
