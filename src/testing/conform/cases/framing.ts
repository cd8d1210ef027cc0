/** Cases of lines and JSON, as far as text can show them: order, white space, size. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import type { ConformCase, Given } from '../conformCase';
import { isErrorWithoutId, outlives, responseTo, result, sends } from '../expecting';

const JSON_TEXT = 'https://www.rfc-editor.org/rfc/rfc8259';

/** A probe with this id, as a line. */
export const line = ({ probe }: Given, id: unknown = 'own'): string => JSON.stringify({ ...probe(), id });

type Written = [
  id: string,
  level: ConformCase['level'],
  section: string,
  sentence: string,
  write: (given: Given) => string,
];

const spaced = (text: string): string => text.replaceAll('":', '" :\t').replaceAll(',"', ' , "');
/** The same, with a member in `_meta`, which is open; `json` is its value as text. */
const withMember = (given: Given, json: string): string => {
  const { params, ...probe } = given.probe();
  const { _meta } = toObject(params);
  const whole = {
    ...probe,
    id: 'own',
    params: { ...toObject(params), _meta: { ...toObject(_meta), 'com.example/x': PLACE } },
  };
  return JSON.stringify(whole).replace(`"${PLACE}"`, () => json);
};
const PLACE = '<place>';
const padded = (given: Given, bytes: number): string => withMember(given, `"${'x'.repeat(bytes)}"`);

const WRITTEN: readonly Written[] = [
  [
    'json-member-order',
    'MUST',
    `${JSON_TEXT}#section-1`,
    'An object is an unordered collection of zero or more name/value pairs',
    (given) => {
      const { jsonrpc, method, params } = given.probe();
      return JSON.stringify({ params, method, id: 'own', jsonrpc });
    },
  ],
  [
    'json-white-space',
    'MUST',
    `${JSON_TEXT}#section-2`,
    'Insignificant whitespace is allowed before or after any of the six structural characters.',
    (given) => `  ${spaced(line(given))}\t`,
  ],
  [
    'json-escapes',
    'MUST',
    `${JSON_TEXT}#section-7`,
    'Any character may be escaped.',
    (given) => line(given).replace('"jsonrpc"', '"\\u006a\\u0073onrpc"'),
  ],
  [
    'json-more-members',
    'ROBUSTNESS',
    `${JSON_TEXT}#section-4`,
    'Members that nobody knows are left alone.',
    (given) => line(given).replace('{', '{"extra":{"a":[1]},'),
  ],
  [
    'json-proto-members',
    'ROBUSTNESS',
    `${JSON_TEXT}#section-4`,
    'Members with the names of every object are members like all.',
    (given) => line(given).replace('{', '{"__proto__":{"id":1},"constructor":1,'),
  ],
  [
    'json-line-separators',
    'MUST',
    'basic/transports#stdio',
    'Messages are delimited by newlines, and MUST NOT contain embedded newlines.',
    (given) => withMember(given, '"a\u2028b\u2029c\u0085d"'),
  ],
  [
    'json-deep',
    'ROBUSTNESS',
    `${JSON_TEXT}#section-9`,
    'A hundred levels are no harm.',
    (given) => withMember(given, '['.repeat(100) + ']'.repeat(100)),
  ],
  [
    'json-big-numbers',
    'ROBUSTNESS',
    `${JSON_TEXT}#section-6`,
    'Numbers beyond the precision of a double are no harm.',
    (given) => withMember(given, '[123456789012345678901234567890,1e400]'),
  ],
  [
    'line-crlf',
    'ROBUSTNESS',
    'basic/transports#stdio',
    'A carriage return before the end of a line is white space.',
    (given) => `${line(given)}\r`,
  ],
  [
    'line-empty-before',
    'ROBUSTNESS',
    'basic/transports#stdio',
    'Empty lines are left alone.',
    (given) => `\n\n${line(given)}`,
  ],
  [
    'line-blank-before',
    'ROBUSTNESS',
    'basic/transports#stdio',
    'Blank lines are left alone.',
    (given) => `  \t\n \r\n${line(given)}`,
  ],
  [
    'line-64-kb',
    'MUST',
    'basic/transports#stdio',
    'Messages are delimited by newlines, and MUST NOT contain embedded newlines.',
    (given) => padded(given, 64 * 1024),
  ],
  [
    'line-1-mb',
    'ROBUSTNESS',
    'basic/transports#stdio',
    'A message of a megabyte is read.',
    (given) => padded(given, 2 ** 20),
  ],
  [
    'line-8-mb',
    'ROBUSTNESS',
    'basic/transports#stdio',
    'A message of eight megabytes is read.',
    (given) => padded(given, 2 ** 23),
  ],
];

const written: readonly ConformCase[] = WRITTEN.map(([id, level, section, sentence, write]) => ({
  id,
  level,
  revisions: SUPPORTED_VERSIONS,
  section,
  sentence,
  ...sends(write, result('a')),
  may: isErrorWithoutId,
}));

/** A session survives such lines, whatever it says to them. */
const survived: readonly ConformCase[] = Object.entries({
  'json-duplicate-members': (given: Given) => line(given).replace('{', '{"id":"other",'),
  'json-lone-surrogate': (given: Given) => line(given).replace('"own"', '"\\ud800"'),
  'json-byte-order-mark': (given: Given) => `\ufeff${line(given)}`,
  'json-very-deep': () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
}).map(([id, write]) => ({
  id,
  level: 'ROBUSTNESS',
  revisions: SUPPORTED_VERSIONS,
  section: `${JSON_TEXT}#section-9`,
  sentence: 'The server goes on after JSON that is hard to read.',
  ...outlives(write),
  may: (value) => isErrorWithoutId(value) || (isObject(value) && typeof value.id === 'string'),
}));

/** The cases of this file. */
export const FRAMING: readonly ConformCase[] = [
  ...written,
  ...survived,
  {
    id: 'lines-two-in-one-write',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/transports#stdio',
    sentence: 'Messages are delimited by newlines, and MUST NOT contain embedded newlines.',
    client: 'a-p-',
    server: '-(AB)P',
    values: (given) => ({ a: `${line(given, 'x')}\n${line(given, 'y')}`, A: responseTo('x'), B: responseTo('y') }),
  },
];
