/** The token of every link of the first run. */
export const SETUP_TOKEN = `set_${"S".repeat(43)}`;

/** The first run, as the server has it. */
export interface FakeSetup {
  /** Whether the link works. */
  open: boolean;
  /** The address of the guardian who began; null if nobody did. */
  guardian: string | null;
}
