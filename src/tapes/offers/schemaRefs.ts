/** Follows the references in a JSON Schema. */
import { type JsonObject, toObject } from '../../protocol/jsonrpc/json';

/** How many references in a row are followed. */
const MAX_REFS = 16;

/** A schema as an object, with what it refers to in its own document in the place of the reference. A reference to another document stays. */
export const resolved = (schema: unknown, root: unknown, refs = 0): JsonObject => {
  if (schema === false) return { not: {} };
  const { $ref, ...rest } = toObject(schema);
  if (typeof $ref !== 'string') return rest;
  if (!$ref.startsWith('#') || refs >= MAX_REFS) return { $ref, ...rest };
  const names = $ref.slice(1).split('/').slice(1);
  const found = names.reduce<unknown>(
    (part, name) => toObject(part)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
  return { ...resolved(found, root, refs + 1), ...rest };
};
