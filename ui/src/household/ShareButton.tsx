import { Button } from "../ui/Button";
import { canShare, share } from "../ui/share";

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
