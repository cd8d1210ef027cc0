/** Cases of bytes rather than lines: what is no UTF-8, what comes in pieces, what has no end. */
import { toObject } from '../../../protocol/jsonrpc/json';
import { SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import { bytes } from '../caseServer';
import type { ConformCase, Given } from '../conformCase';
import { isErrorWithoutId, responseTo } from '../expecting';
import { line } from './framing';

const BYTES = {
  revisions: SUPPORTED_VERSIONS,
  needs: ['process'],
  section: 'basic/transports#stdio',
} satisfies Partial<ConformCase>;
const DELIMITED = 'Messages are delimited by newlines, and MUST NOT contain embedded newlines.';

/** The probe with characters of two to four bytes, as bytes. */
const whole = (given: Given): Buffer => {
  const { params, ...probe } = given.probe();
  const { _meta } = toObject(params);
  const own = { ...toObject(params), _meta: { ...toObject(_meta), 'com.example/x': 'ü€🦀' } };
  return Buffer.from(`${JSON.stringify({ ...probe, id: 'own', params: own })}\n`);
};

/** Where its characters are cut. */
const pieces = (given: Given, length: number): string => {
  const all = whole(given);
  return Array.from({ length: Math.ceil(all.length / length) }, (_, at) =>
    bytes(all.subarray(at * length, (at + 1) * length)),
  ).join('\n');
};

/** Lines that are no UTF-8. */
const broken: readonly ConformCase[] = Object.entries({
  'bytes-invalid-utf-8': [0xff, 0xfe, 0x0a],
  'bytes-cut-character': [0x22, 0xe2, 0x82, 0x22, 0x0a],
  'bytes-nul': [0x00, 0x0a],
  'bytes-utf-16': [0x7b, 0x00, 0x7d, 0x00, 0x0a],
}).map(([id, list]) => ({
  ...BYTES,
  id,
  level: 'ROBUSTNESS',
  sentence: 'The server goes on after a line that is no UTF-8.',
  client: 'ap-',
  server: '--P',
  values: () => ({ a: bytes(Uint8Array.from(list)) }),
  may: isErrorWithoutId,
}));

/** The cases of this file. */
export const BYTES_CASES: readonly ConformCase[] = [
  ...broken,
  ...[1, 7].map(
    (length): ConformCase => ({
      ...BYTES,
      id: `bytes-in-pieces-of-${length}`,
      level: 'MUST',
      sentence: DELIMITED,
      client: 'a-',
      server: '-A',
      values: (given) => ({ a: pieces(given, length), A: responseTo('own') }),
    }),
  ),
  {
    ...BYTES,
    id: 'bytes-two-lines-at-once',
    level: 'MUST',
    sentence: DELIMITED,
    client: 'a-',
    server: '-(AB)',
    values: (given) => ({
      a: bytes(Buffer.from(`${line(given, 'x')}\n${line(given, 'y')}\n`)),
      A: responseTo('x'),
      B: responseTo('y'),
    }),
  },
  {
    ...BYTES,
    id: 'bytes-no-last-newline',
    level: 'ROBUSTNESS',
    sentence: 'A last line without its end is a line.',
    client: 'a|-',
    server: '--A',
    values: (given) => ({ a: bytes(Buffer.from(line(given))), A: responseTo('own') }),
  },
];
