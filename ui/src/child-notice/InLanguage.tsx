import { type I18n, setupI18n } from "@lingui/core";
import { useLingui } from "@lingui/react";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";

import { messagesOf } from "../api/catalogues";
import { QueryView } from "../api/QueryView";
import { variantOf } from "../ui/language";

interface InLanguageProps {
  language: string;
  loading: ComponentProps<typeof QueryView>["loading"];
  children: (i18n: I18n) => ReactNode;
}

/** A part of the page in a language of its own, whose texts are loaded unless the page has them. */
export function InLanguage({ language, loading, children }: InLanguageProps) {
  const { i18n } = useLingui();
  const isPages = language === i18n.locale;
  const query = useQuery({
    queryKey: ["texts", language],
    queryFn: async () => loadTexts(language),
    enabled: !isPages,
    staleTime: Infinity,
  });
  if (isPages) return children(i18n);
  return (
    <QueryView query={query} loading={loading}>
      {children}
    </QueryView>
  );
}

async function loadTexts(language: string): Promise<I18n> {
  const messages = { [language]: await messagesOf(language) };
  return setupI18n({ locale: language, locales: variantOf(language), messages });
}
