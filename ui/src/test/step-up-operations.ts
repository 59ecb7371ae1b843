import { readFileSync } from "node:fs";
import { join } from "node:path";

const contract = readFileSync(join(import.meta.dirname, "../../../openapi.yaml"), "utf8");

/** The names of the operations that require stepping up, as their descriptions in the contract say. */
export const stepUpOperations: readonly string[] = contract
  .split(/\n {4}(?:get|post|put|delete|patch):\n/u)
  .filter((operation) => /Requires\s+stepping\s+up/u.test(operation))
  .map((operation) => /operationId: (\w+)/u.exec(operation)?.[1] ?? "an operation without a name");
