/**
 * Reads a file of calls with texts and lists, as in Starlark. Own code: npm has no parser of Starlark, and of that language no more is read here: a loop,
 * a variable or a function of a file is refused with its line rather than left out.
 */
import { ConfigError } from '../faults/configError';
import { cut } from '../faults/errorText';

/** A text, or a list. */
export type Value = string | readonly Value[];

/** One call. */
export type Call = {
  name: string;
  args: Readonly<Record<string, Value>>;
  /** The file and line. */
  where: string;
};

/** How a file is read. */
type CallsDeps = {
  /** Its path, for errors. */
  file: string;
  /** The parameters of each function, in order. */
  parameters: Readonly<Record<string, readonly string[]>>;
  /** Makes the error for a place. */
  fault: (where: string, what: string) => ConfigError;
};

/** The calls of a file, in order. In the place of a call that cannot be read is its fault; the next call begins in a line of its own. */
export const parseCalls = (deps: CallsDeps, text: string): (Call | ConfigError)[] => {
  const cursor = cursorOf(deps, text);
  const calls: (Call | ConfigError)[] = [];
  for (;;) {
    const { kind } = cursor.peek();
    if (kind === 'end') return calls;
    if (kind === 'line') cursor.take();
    else
      try {
        calls.push(callAt(deps, cursor));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        calls.push(error);
        cursor.skip();
      }
  }
};

type Token = { kind: 'name' | 'text' | 'sign' | 'line' | 'end'; value: string; where: string };

/** Blanks and comments, then a text with its prefix, a name, a line break, or any other character. */
const PIECE =
  /(?:[ \t\r\f]|\\\r?\n|#[^\n]*(?=\n|$))*(?:(?<text>r?(?:"""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))|(?<name>[A-Za-z_]\w*)|(?<line>[\n;])|(?<sign>.))/gsy;

const tokensOf = (file: string, text: string): Token[] => {
  let line = 1; // of the end of the last piece
  // a comment in the last line ends like any other, so that nothing in it is tried as something else
  return Array.from(`${text}\n`.matchAll(PIECE), ([all, ...groups]): Token => {
    const at = groups.findIndex((group) => group !== undefined);
    const value = groups[at] ?? '';
    const start = line + breaksIn(all.slice(0, all.length - value.length));
    line += breaksIn(all);
    return { kind: KINDS[at] ?? 'sign', value, where: `${file}:${start}` };
  });
};

/** As the groups of a piece are ordered. */
const KINDS = ['text', 'name', 'line', 'sign'] as const;

const breaksIn = (text: string): number => (text.includes('\n') ? text.split('\n').length - 1 : 0);

/** A place in the tokens of a file. */
type Cursor = {
  peek: () => Token;
  take: () => Token;
  /** Whether this sign is next; if so it is taken. */
  takes: (sign: string) => boolean;
  /** Reads what is inside brackets, where a line break means nothing. */
  inside: <T>(read: () => T) => T;
  /** Goes on at the next line that begins with a call. */
  skip: () => void;
  unexpected: (token: Token) => ConfigError;
};

const MAX_DEPTH = 8;

const cursorOf = ({ file, fault, parameters }: CallsDeps, text: string): Cursor => {
  const tokens = tokensOf(file, text.replace(/^\uFEFF/, ''));
  const end: Token = { kind: 'end', value: 'the end of the file', where: `${file}:${breaksIn(text) + 1}` };
  let [next, depth] = [0, 0]; // the next token; the brackets around it
  const peek = (): Token => {
    while (depth > 0 && tokens[next]?.value === '\n') next += 1;
    return tokens[next] ?? end;
  };
  const take = (): Token => {
    const token = peek();
    next += 1;
    return token;
  };
  return {
    peek,
    take,
    skip: () => {
      [next, depth] = [nextCall(tokens, parameters, next), 0];
    },
    takes: (sign) => isSign(peek(), sign) && take().value === sign,
    inside: (read) => {
      if (depth === MAX_DEPTH) throw fault(peek().where, `brackets are nested deeper than ${MAX_DEPTH}`);
      depth += 1;
      const value = read();
      depth -= 1;
      return value;
    },
    unexpected: ({ value, where }) => fault(where, `${value === '\n' ? 'a line break' : cut(value)} is not read here`),
  };
};

const nextCall = (tokens: readonly Token[], names: object, from: number): number => {
  const at = tokens.findIndex(
    ({ kind, value }, at) =>
      at >= from &&
      kind === 'name' &&
      Object.hasOwn(names, value) &&
      tokens[at - 1]?.kind === 'line' &&
      tokens[at + 1]?.value === '(',
  );
  return at < 0 ? tokens.length : at;
};

const isSign = ({ kind, value }: Token, sign: string): boolean => kind === 'sign' && value === sign;

const callAt = (deps: CallsDeps, cursor: Cursor): Call => {
  const token = cursor.take();
  const { value: name, where } = token;
  if (token.kind !== 'name' || !Object.hasOwn(deps.parameters, name) || !cursor.takes('(')) {
    throw cursor.unexpected(token);
  }
  const given = membersAt(cursor, ')', () => argumentAt(deps, cursor));
  const { kind } = cursor.peek();
  if (kind !== 'line' && kind !== 'end') throw cursor.unexpected(cursor.peek());
  return { name, args: toArguments(deps, { name, where }, given), where };
};

/** Members up to the closing bracket, with commas between them, and maybe one after the last. */
const membersAt = <T>(cursor: Cursor, close: string, read: () => T): T[] => {
  const all = cursor.inside(() => {
    const members: T[] = [];
    while (!isSign(cursor.peek(), close)) {
      members.push(read());
      if (!cursor.takes(',')) break;
    }
    if (!isSign(cursor.peek(), close)) throw cursor.unexpected(cursor.peek());
    return members;
  });
  cursor.take();
  return all;
};

type Given = readonly [name: string | undefined, value: Value];

const argumentAt = (deps: CallsDeps, cursor: Cursor): Given => {
  const token = cursor.peek();
  if (token.kind !== 'name') return [undefined, valueAt(deps, cursor)];
  cursor.take();
  if (!cursor.takes('=')) throw cursor.unexpected(token);
  return [token.value, valueAt(deps, cursor)];
};

const valueAt = (deps: CallsDeps, cursor: Cursor): Value => {
  if (cursor.takes('[')) return membersAt(cursor, ']', () => valueAt(deps, cursor));
  const token = cursor.take();
  if (token.kind !== 'text') throw cursor.unexpected(token);
  return toText(deps, token);
};

/** Arguments by their names; those without a name come first. */
const toArguments = (
  { parameters, fault }: CallsDeps,
  { name, where }: Pick<Call, 'name' | 'where'>,
  given: readonly Given[],
): Call['args'] => {
  const named = given.findIndex(([key]) => key !== undefined);
  const args: Record<string, Value> = {};
  for (const [at, [key, value]] of given.entries()) {
    const parameter = key ?? (named < 0 || at < named ? parameters[name]?.[at] : undefined);
    if (parameter === undefined || !parameters[name]?.includes(parameter) || Object.hasOwn(args, parameter)) {
      throw fault(where, `the argument ${key ?? at + 1} of ${name} is not read here`);
    }
    args[parameter] = value;
  }
  return args;
};

const ESCAPE = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/gs;
const ESCAPED = new Map([...'\\\'"'].map((char) => [char, char]))
  .set('n', '\n')
  .set('t', '\t')
  .set('r', '\r')
  .set('\n', '');

const toText = ({ fault }: CallsDeps, { value, where }: Token): string => {
  const [, raw = '', quote = ''] = /^(r?)("""|'''|"|')/.exec(value) ?? [];
  const inner = value.slice(raw.length + quote.length, -quote.length);
  if (raw !== '') return inner;
  return inner.replace(ESCAPE, (all, code: string) => {
    const point = code.length > 1 ? Number.parseInt(code.slice(1), 16) : Number.NaN;
    const text = point <= 0x10ffff ? String.fromCodePoint(point) : ESCAPED.get(code);
    if (text === undefined) throw fault(where, `the escape ${all} is not read here`);
    return text;
  });
};
