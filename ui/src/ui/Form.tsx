import { type ComponentProps, createContext, useContext } from "react";

const InsideForm = createContext(false);

/**
 * Throws if the caller is rendered inside a form, also through a portal. Browsers stop the `submit` event of a nested form at
 * the outer one: React never hears it, and the browser loads the page again with what was typed in its address.
 */
export function useOutsideForms(what: string): void {
  if (useContext(InsideForm))
    throw new Error(`${what} is rendered inside a form. Render it beside the form.`);
}

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit" | "action" | "method"> {
  onSubmit: (typed: FormData) => void;
}

/** A form that the app submits, never the browser. */
export function Form({ onSubmit, children, ...rest }: FormProps) {
  useOutsideForms("A form");
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      <InsideForm value={true}>{children}</InsideForm>
    </form>
  );
}
