/** The token of every setup link. */
export const SETUP_TOKEN = `set_${"S".repeat(43)}`;

/** The server's state of the setup. */
export interface FakeSetup {
  /** Whether the link works. */
  open: boolean;
  /** The address of the first guardian; null before the setup was begun. */
  guardian: string | null;
  /** The device's time zone, once the setup was begun. */
  timeZone?: string | undefined;
}
