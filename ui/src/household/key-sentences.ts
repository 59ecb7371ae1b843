export const KEEP_KEY = "It is shown only now. Keep it like a password.";
export const KEY_WAS_SHOWN = "The key was shown once, when it was made.";
