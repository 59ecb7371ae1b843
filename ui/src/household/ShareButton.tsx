import { Button } from "../ui/Button";

interface ShareButtonProps {
  label: string;
  data: { title: string; url: string };
}

/** Opens the device's sheet for sending something on. Renders nothing where there is none, which is also so without https. */
export function ShareButton({ label, data }: ShareButtonProps) {
  if (!canShare()) return null;
  return (
    <Button look="plain" onClick={() => void share(data)}>
      {label}
    </Button>
  );
}

// Not every browser has it, whatever the types say.
export const canShare = (): boolean => "share" in navigator;

/** Whether it was sent on. A guardian who closes the sheet has decided, so that is no error. */
export async function share(data: ShareData): Promise<boolean> {
  return navigator.share(data).then(
    () => true,
    () => false,
  );
}
