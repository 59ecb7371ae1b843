export const NOT_ASKED_AGAIN = "You won't be asked again for 10 minutes.";
