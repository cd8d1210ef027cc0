import type { CommandEvent, CommandRun } from '../../../src/agent/tools/commandOutcome';
import { addToOutcome, noOutcome, toDuration, toEnd } from '../../../src/agent/tools/commandOutcome';

const output = (stream: 'stdout' | 'stderr', text: string): CommandEvent => ({
  kind: 'output',
  seq: 1,
  stream,
  chunk: Buffer.from(text),
});
const run: CommandRun = { callId: 'c', argv: ['x'], cwd: '/', env: {}, timeoutMs: 9, parsed: [] };
const endOf = (...events: CommandEvent[]) => toEnd(run, events.reduce(addToOutcome, noOutcome()), 1_250);
const end = (own: object) => ({
  kind: 'event',
  msg: {
    type: 'exec_command_end',
    call_id: 'c',
    stdout: '',
    stderr: '',
    aggregated_output: '',
    exit_code: 0,
    duration: { secs: 1, nanos: 250_000_000 },
    formatted_output: '',
    ...own,
  },
});

describe('toEnd', () => {
  it('has each stream, and both as they came', () => {
    const events = [output('stdout', 'a'), output('stderr', 'b'), output('stdout', 'c')];
    expect(endOf(...events, { kind: 'exited', seq: 4, exitCode: 3 }, { kind: 'closed', seq: 5 })).toEqual([
      end({ stdout: 'ac', stderr: 'b', aggregated_output: 'abc', formatted_output: 'abc', exit_code: 3 }),
      { kind: 'output', text: '{"output":"abc","metadata":{"exit_code":3,"duration_seconds":1.3}}' },
    ]);
  });

  it('names what kept a command that was denied something, in the output that the model reads and in stderr', () => {
    const kept = { kind: 'started', keptBy: { text: 'only /w', network: 'closed' } } as CommandEvent;
    const note = 'This may be a limit that no approval lifts: only /w.';
    const denied = 'f: Read-only file system\n';
    expect(endOf(kept, output('stderr', denied), { kind: 'exited', seq: 2, exitCode: 1 })).toEqual([
      end({
        stderr: `${denied}${note}`,
        aggregated_output: denied,
        formatted_output: `${denied}${note}`,
        exit_code: 1,
      }),
      {
        kind: 'output',
        text: `{"output":${JSON.stringify(`${denied}${note}`)},"metadata":{"exit_code":1,"duration_seconds":1.3}}`,
      },
    ]);
  });

  it.each<[string, CommandEvent, string]>([
    ['took too long', { kind: 'timedOut' }, 'command timed out after 9 milliseconds'],
    ['could not be started', { kind: 'failed', seq: 1, reason: 'no such file' }, 'execution error: no such file'],
  ])('states first that the command %s', (_, event, trouble) => {
    expect(endOf(output('stderr', 'b'), event)).toEqual([
      end({
        stderr: `b\n${trouble}`,
        aggregated_output: 'b',
        exit_code: -1,
        formatted_output: `${trouble}\nb`,
      }),
      { kind: 'output', text: `${trouble}\nb` },
    ]);
  });

  it('has no exit code where none was seen', () => {
    expect(endOf({ kind: 'closed', seq: 1 })).toEqual([
      end({ exit_code: -1 }),
      { kind: 'output', text: '{"output":"","metadata":{"exit_code":-1,"duration_seconds":1.3}}' },
    ]);
  });
});

describe('toDuration', () => {
  it.each([
    [0, 0, 0],
    [999, 0, 999_000_000],
    [61_500, 61, 500_000_000],
  ])('takes %d ms apart', (ms, secs, nanos) => {
    expect(toDuration(ms)).toEqual({ secs, nanos });
  });
});
