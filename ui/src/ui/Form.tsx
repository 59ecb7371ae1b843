import { type ComponentProps, createContext, useContext } from "react";

const InsideForm = createContext(false);

/**
 * Throws if the caller is rendered inside a form, also through a portal. Browsers stop the `submit` event of a nested form at
 * the outer one: React never receives it, and the browser reloads the page with the form's values in its address.
 */
export function useOutsideForms(what: string): void {
  if (useContext(InsideForm))
    throw new Error(`${what} is rendered inside a form. Render it beside the form.`);
}

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit" | "action" | "method"> {
  onSubmit: (typed: FormData) => void;
}

/** A form whose native submission is prevented. */
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
