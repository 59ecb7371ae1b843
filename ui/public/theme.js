// Runs before the first paint, so that a chosen theme never flashes the other one, nor a language another one.
// `src/ui/theme.ts` and `src/ui/language.ts` write the choices.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
    for (const meta of document.querySelectorAll("meta[data-scheme]"))
      meta.media = meta.dataset.scheme === chosen ? "all" : "not all";
  }
} catch {
  // Storage may be forbidden; then the system's theme holds.
}

{
  // What the page says until its code has arrived.
  const loading = {
    en: "Loading application...",
    de: "Die App wird geladen …",
    fr: "Chargement de l’application…",
    es: "Cargando la aplicación…",
  };
  let chosenLanguage = null;
  try {
    chosenLanguage = localStorage.getItem("language");
  } catch {
    // Then the browser's languages choose.
  }
  const language = [
    chosenLanguage,
    ...navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]),
  ].find((each) => each !== null && Object.hasOwn(loading, each));
  if (language !== undefined && language !== "en") {
    document.documentElement.lang = language;
    document.addEventListener(
      "readystatechange",
      () => {
        document.querySelector("#root h1").textContent = loading[language];
      },
      { once: true },
    );
  }
}
