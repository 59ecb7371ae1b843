import { createContext } from "react";

/** Whether the dialogs inside are hidden, because they wait for another one. */
export const DialogsHidden = createContext(false);
