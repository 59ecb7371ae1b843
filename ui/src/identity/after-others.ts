/** When an accepted invitation takes effect. */
export const AFTER_OTHERS =
  "You see the child once its other guardians have agreed, or when they have not objected for seven days.";
