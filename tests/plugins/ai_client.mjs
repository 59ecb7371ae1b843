// A conversation with the AI SDK. Arguments: the folder of its packages, the gateway's address, and the script as JSON. Prints the answers as JSON.
import { createRequire } from "node:module";

const [folder, baseURL, script] = process.argv.slice(2);
const packages = createRequire(`${folder}/`);
const { streamText, generateText, stepCountIs, tool, jsonSchema } =
  packages("ai");
const { createOpenAICompatible } = packages("@ai-sdk/openai-compatible");

const { model, system, questions, streams, stopsAfter } = JSON.parse(script);
const provider = createOpenAICompatible({
  name: "porchlight",
  baseURL,
  apiKey: process.env.PORCHLIGHT_KEY,
});
const room = {
  type: "object",
  properties: { room: { type: "string" } },
  required: ["room"],
};
const tools = {
  get_temperature: tool({
    description: "The temperature in a room",
    inputSchema: jsonSchema(room),
    execute: () => "21",
  }),
};
const messages = [];
const answers = [];

async function streamed(options) {
  const stopping = new AbortController();
  const result = streamText({ ...options, abortSignal: stopping.signal });
  let heard = "";
  try {
    for await (const text of result.textStream) {
      heard += text;
      if (stopsAfter && heard.endsWith(stopsAfter)) {
        stopping.abort();
        messages.push({ role: "assistant", content: heard });
        return heard;
      }
    }
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
  messages.push(...(await result.response).messages);
  return heard;
}

async function whole(options) {
  const result = await generateText(options);
  messages.push(...result.response.messages);
  return result.text;
}

for (const question of questions) {
  messages.push({ role: "user", content: question });
  const options = {
    model: provider(model),
    system,
    messages: [...messages],
    tools,
    stopWhen: stepCountIs(3),
    maxRetries: 0,
  };
  answers.push(await (streams ? streamed : whole)(options));
}
console.log(JSON.stringify(answers));
