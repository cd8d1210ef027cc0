/** Owns reading one member of a JSON text as it was written, where parsing it would round it. */

const VALUE = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy;

/** The tokens of a JSON text from `at` on; white space is passed over. */
function* tokens(text: string): Generator<string> {
  VALUE.lastIndex = 0;
  const blank = /\s*/y;
  for (;;) {
    blank.lastIndex = VALUE.lastIndex;
    blank.exec(text);
    VALUE.lastIndex = blank.lastIndex;
    const found = VALUE.exec(text);
    if (!found) return;
    yield found[0];
  }
}

/**
 * The text of the scalar at `path` (member names from the root), or undefined. `text` is valid JSON.
 *   rawMember('{"id":9007199254740993}', ['id'])  →  '9007199254740993'
 * Source: Codex 0.28.0 echoes 64-bit ids exactly; JSON.parse alone would round them.
 */
export const rawMember = (text: string, path: readonly string[]): string | undefined => {
  const names: (string | undefined)[] = [];
  let name: string | undefined;
  let found: string | undefined;
  for (const token of tokens(text)) {
    if (token === '{' || token === '[') {
      names.push(token === '{' ? name : undefined);
      name = undefined;
    } else if (token === '}' || token === ']') names.pop();
    else if (token === ':') continue;
    else if (token === ',') name = undefined;
    else if (name === undefined && token.startsWith('"')) name = JSON.parse(token) as string;
    else if (name === path.at(-1) && sameRoad(names, path)) found = token;
  }
  return found;
};

const sameRoad = (names: readonly (string | undefined)[], path: readonly string[]): boolean =>
  names.length === path.length && path.slice(0, -1).every((part, i) => names[i + 1] === part);
