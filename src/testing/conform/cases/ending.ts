/** Cases of how a process begins and ends. */
import { toObject } from '../../../protocol/jsonrpc/json';
import { LEGACY_VERSIONS, SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import { signal } from '../caseServer';
import type { ConformCase, Observed } from '../conformCase';
import { isErrorWithoutId, response } from '../expecting';

/** Before the first request, nothing is sent. */
export const SILENT_START = {
  ending: 'anyhow',
  client: '|',
  server: '-',
  judge: ({ lines }: Observed) => {
    const early = lines.find(({ dir, line }) => dir === 'out' && line.trim() !== '');
    return early && `it sends ${early.line.slice(0, 100)} before anybody asks`;
  },
} as const;

const SHUTDOWN = 'basic/lifecycle#shutdown';
const INPUT = 'Servers SHOULD exit promptly when their standard input is closed or reads return end-of-file.';
const TERM = 'Waiting for the server to exit, or sending SIGTERM if the server does not exit within a reasonable time';
const process = { needs: ['process'], ending: 'anyhow' } as const;

/** The cases of this file. */
export const ENDING: readonly ConformCase[] = [
  {
    ...process,
    id: 'end-of-input',
    level: 'SHOULD',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/transports#stdio',
    sentence: INPUT,
    client: 'p-|',
    server: '-P-|',
  },
  {
    ...process,
    id: 'end-of-input-at-once',
    level: 'SHOULD',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/transports#stdio',
    sentence: INPUT,
    opening: 'none',
    client: '|',
    server: '-|',
  },
  {
    id: 'end-of-input-exit-code',
    needs: ['process'],
    level: 'ROBUSTNESS',
    revisions: SUPPORTED_VERSIONS,
    section: SHUTDOWN,
    sentence: 'The exit code is 0 after the end of input, which is the usual way to stop.',
    client: 'p-|',
    server: '-P-|',
  },
  {
    ...process,
    id: 'end-of-input-pending',
    level: 'ROBUSTNESS',
    revisions: SUPPORTED_VERSIONS,
    section: 'https://www.jsonrpc.org/specification#response_object',
    sentence: 'What was asked before the end of input has a response.',
    client: '(abp)|-',
    server: '------(ABP)',
    values: ({ request }) => ({
      a: request('no/such/method', {}),
      A: response('a'),
      b: request('tools/list', {}),
      B: response('b'),
    }),
  },
  {
    ...process,
    id: 'end-of-input-after-garbage',
    level: 'ROBUSTNESS',
    revisions: SUPPORTED_VERSIONS,
    section: SHUTDOWN,
    sentence: 'The server ends with its input, whatever was in it.',
    client: 'ap-|',
    server: '--P-|',
    values: () => ({ a: '{"jsonrpc":' }),
    may: isErrorWithoutId,
  },
  {
    ...process,
    id: 'signal-term',
    level: 'SHOULD',
    revisions: LEGACY_VERSIONS,
    section: SHUTDOWN,
    sentence: TERM,
    client: 'p-s-',
    server: '-P-|',
    values: () => ({ s: signal('SIGTERM') }),
  },
  {
    ...process,
    id: 'signal-int',
    level: 'ROBUSTNESS',
    revisions: SUPPORTED_VERSIONS,
    section: SHUTDOWN,
    sentence: 'Ctrl-C in a terminal ends the server.',
    client: 'p-s-',
    server: '-P-|',
    values: () => ({ s: signal('SIGINT') }),
  },
  {
    id: 'silent-start',
    needs: ['process'],
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'basic/lifecycle#initialization',
    sentence: 'The initialization phase MUST be the first interaction between client and server.',
    opening: 'none',
    ...SILENT_START,
  },
  {
    id: 'no-traces',
    needs: ['process'],
    level: 'ROBUSTNESS',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/transports#stdio',
    sentence: 'A line that is no request leaves no stack trace on stderr.',
    client: 'abp-',
    server: '---P',
    values: () => ({ a: '{"jsonrpc":', b: '{"jsonrpc":"2.0","id":"bad"}' }),
    may: (value) => isErrorWithoutId(value) || toObject(value).id === 'bad',
    judge: ({ lines }) => {
      const trace = lines.find(({ dir, line }) => dir === 'err' && TRACE.test(line));
      return trace && `stderr has ${trace.line.slice(0, 100)}`;
    },
  },
];

const TRACE =
  /panicked at|Traceback \(most recent call last\)|^\s+at .+:\d+:\d+\)?$|unhandled.*(?:rejection|error|exception)/i;
