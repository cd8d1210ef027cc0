/** Whether fields that were filled in are those that a form asked for. */
import { isObject, type JsonObject } from '../../../protocol/jsonrpc/json';

/**
 * Why `content` is no answer to a form; undefined if it is. Checks what is required, the types and the choices. Limits of lengths and numbers are
 * left to the server that asked.
 * Source: MCP client/elicitation "Requested Schema", 2025-06-18 and 2025-11-25.
 */
export const whyUnfit = ({ properties, required }: JsonObject, content: JsonObject): string | undefined => {
  const missing = (Array.isArray(required) ? required : []).find((name) => !Object.hasOwn(content, name));
  if (missing !== undefined) return `the form was accepted without \`${missing}\`, which it requires`;
  const wrong = Object.entries(isObject(properties) ? properties : {}).find(
    ([name, field]) => Object.hasOwn(content, name) && !(isObject(field) && fits(field, content[name])),
  );
  return wrong && `the answer of the client has no valid value for \`${wrong[0]}\``;
};

const fits = (field: JsonObject, value: unknown): boolean => {
  const { type, items } = field;
  if (type === 'array') {
    return Array.isArray(value) && value.every((one) => isObject(items) && isChosen(items, one));
  }
  return isOfType(type, value) && isChosen(field, value);
};

const isOfType = (type: unknown, value: unknown): boolean => {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
};

/** True for one of the choices, in any notation of a revision, or if there are none. */
const isChosen = ({ enum: values, oneOf, anyOf }: JsonObject, value: unknown): boolean => {
  if (Array.isArray(values)) return values.includes(value);
  const titled = oneOf ?? anyOf;
  return !Array.isArray(titled) || titled.some((choice) => isObject(choice) && choice.const === value);
};
