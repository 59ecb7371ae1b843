/** Where no assistant is connected. */
export const ONLY_CONNECTED = "Porchlight sees only assistants connected here. It can't see the ChatGPT app.";
