// Not every browser has it, whatever the types say.
export const canShare = (): boolean => "share" in navigator;

/** Whether it was sent on. A guardian who closes the sheet has decided, so that is no error. */
export async function share(data: ShareData): Promise<boolean> {
  return navigator.share(data).then(
    () => true,
    () => false,
  );
}
