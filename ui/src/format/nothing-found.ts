export const NOTHING_FOUND = "Nothing was found.";
