import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { useNavigate } from "react-router";

import { pastedLink } from "./sign-in-link";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";

/** For a link whose end was lost on its way: some mail programs drop what stands behind the #. */
export function PasteLink() {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const open = () => {
    const link = pastedLink(text);
    setIsWrong(link === null);
    if (link !== null) void navigate(link, { replace: true });
  };
  return (
    <Form onSubmit={open} className="flex flex-col gap-3">
      <p>
        <Trans>Copy the whole link from the email, without opening it, and paste it here.</Trans>
      </p>
      <TextField
        label={t`The whole link`}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      {isWrong && (
        <Alert kind="error">
          <Trans>This is not a whole link from Porchlight.</Trans>
        </Alert>
      )}
      <Button type="submit" look="plain" className="self-start">
        <Trans>Open the link</Trans>
      </Button>
    </Form>
  );
}
