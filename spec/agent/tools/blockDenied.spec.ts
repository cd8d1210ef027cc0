import { blockDenied } from '../../../src/agent/tools/shellTool';
import type { ApprovalRequest, ToolEvent } from '../../../src/agent/tools/tool';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { marbles } from '../../support/marbles';

const event = (msg: EventMsg): ToolEvent => ({ kind: 'event', msg });
const end = (exit_code: number, stderr: string): ToolEvent =>
  event({
    type: 'exec_command_end',
    call_id: 'l',
    stdout: 'so',
    stderr,
    aggregated_output: '',
    exit_code,
    duration: { secs: 0, nanos: 0 },
    formatted_output: '',
  });
const failed = (message: string): ToolEvent =>
  event({ type: 'background_event', message: `Execution failed: ${message}` });
const again: ApprovalRequest = {
  msg: { type: 'background_event', message: 'again?' },
  subject: 'rm',
  what: 'exec command',
  keys: [],
};
const events: Record<string, ToolEvent> = {
  b: event({ type: 'exec_command_begin', call_id: 'l', command: ['rm'], cwd: '/', parsed_cmd: [] }),
  e: end(0, 'Permission denied'),
  d: end(1, 'Permission denied'),
  f: end(1, 'no such test'),
  s: end(137, ''),
  u: end(128, 'Permission denied'),
  n: end(1, 'Could not resolve host: example.org'),
  t: end(-1, 'Permission denied'),
  o: { kind: 'output', text: 'out' },
  x: { kind: 'blocked', output: 'out', approval: again },
  D: failed('sandbox denied exec error, exit code: 1, stdout: so, stderr: Permission denied'),
  N: failed('sandbox denied exec error, exit code: 1, stdout: so, stderr: Could not resolve host: example.org'),
  U: failed('sandbox denied exec error, exit code: 128, stdout: so, stderr: Permission denied'),
  S: failed('command was killed by a signal'),
};

describe('blockDenied', () => {
  it.each([
    ['passes a command that ended well', 'closed', 'b--(eo|)', 'b--(eo|)'],
    ['passes a command that failed by itself', 'closed', 'b--(fo|)', 'b--(fo|)'],
    ['passes a command that was stopped from here', 'closed', 'b--(to|)', 'b--(to|)'],
    ['blocks a command that was kept from a file', 'open', 'b--(do|)', 'b--(dDx|)'],
    ['blocks a command that a signal ended', 'open', 'b--(so|)', 'b--(sSx|)'],
    ['knows no signal in 128 itself', 'open', 'b--(uo|)', 'b--(uUx|)'],
    ['blocks a command that was kept from the network', 'closed', 'b--(no|)', 'b--(nNx|)'],
    ['passes a command that failed in an open network', 'open', 'b--(no|)', 'b--(no|)'],
    ['passes an output without an end', 'closed', 'o', 'o'],
    ['errors with its source', 'closed', 'b-#', 'b-#'],
  ] as const)('%s', (_, network, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(source, events).pipe(blockDenied({ network, again }))).toBe(expected, events);
    })(),
  );

  it(
    'passes everything where nobody may be asked',
    marbles(({ cold, expectObservable }) => {
      const out$ = cold('b--(do|)', events).pipe(blockDenied({ network: 'closed', again: undefined }));
      expectObservable(out$).toBe('b--(do|)', events);
    }),
  );
});
