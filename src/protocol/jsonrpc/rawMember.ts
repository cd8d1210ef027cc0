/**
 * Reads parts of a JSON text as they were written, where parsing would round them. Own code: parsers that keep long numbers, such as `lossless-json`,
 * make an object of every number in a message; here only the id of a rare message is looked up, after JSON.parse.
 */

const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : text.length;
};

/** The position behind the closing quote. A regular expression would need a stack as deep as the string is long. */
export const endOfString = (text: string, at: number): number => {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
};

/** The tokens of a valid JSON text, without white space. */
function* tokens(text: string): Generator<string> {
  const signOrWord = /[{}[\],:]|[^\s{}[\],:"]+/y; // made here, as a sticky pattern holds a position
  const blank = /\s*/y;
  for (let at = endOf(blank, text, 0); at < text.length; at = endOf(blank, text, at)) {
    const end = text[at] === '"' ? endOfString(text, at) : endOf(signOrWord, text, at);
    yield text.slice(at, end);
    at = end;
  }
}

type Path = readonly (string | number)[];
/** Per open object or array, the name or the index that is being read; undefined before a name. */
type Road = (string | number | undefined)[];

const leadsTo = (road: Road, path: Path): boolean =>
  road.length <= path.length && road.every((part, i) => part === path[i]);

/**
 * The text of the scalar at `path` (names and indices from the root), or undefined. `text` is valid JSON; of
 * members with the same name the last counts, as for JSON.parse.
 *   rawMember('{"id":9007199254740993}', ['id'])  →  '9007199254740993'
 * Source: Codex 0.28.0 echoes 64-bit ids exactly; JSON.parse alone would round them.
 */
export const rawMember = (text: string, path: Path): string | undefined => {
  const road: Road = [];
  let found: string | undefined;
  for (const token of tokens(text)) {
    const here = road.at(-1);
    if (token === '}' || token === ']') road.pop();
    else if (token === ',') road[road.length - 1] = typeof here === 'number' ? here + 1 : undefined;
    else if (token === ':') continue;
    else if (road.length > 0 && here === undefined) road[road.length - 1] = JSON.parse(token) as string;
    else {
      const isContainer = token === '{' || token === '[';
      if (leadsTo(road, path)) found = isContainer || road.length < path.length ? undefined : token;
      if (isContainer) road.push(token === '[' ? 0 : undefined);
    }
  }
  return found;
};

/** The texts of the elements of an array, without the white space between their tokens. `text` is valid JSON. */
export const rawElements = (text: string): string[] => {
  const elements: string[] = [];
  let element = '';
  let depth = 0;
  for (const token of tokens(text)) {
    if (token === '}' || token === ']') depth -= 1;
    const isBorder = (depth === 1 && token === ',') || depth === 0;
    if (isBorder && element !== '') elements.push(element);
    element = isBorder ? '' : element + token;
    if (token === '{' || token === '[') depth += 1;
  }
  return elements;
};
