import { asyncScheduler, from, NEVER, type Observable, observeOn, of } from 'rxjs';
import type { CommandRun } from '../../../src/agent/tools/commandOutcome';
import { runCommand } from '../../../src/agent/tools/runCommand';
import type { ToolEvent } from '../../../src/agent/tools/tool';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { OutputStream, ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import { shorten } from '../../../src/protocol/model/shorten';
import { type Backpressure, noBackpressure } from '../../../src/streams/backpressure';
import { marbles } from '../../support/marbles';

const output = (stream: OutputStream, text: string): ProcessEvent => ({
  kind: 'output',
  seq: 0,
  stream,
  chunk: Buffer.from(text),
});
const step: Record<string, ProcessEvent> = {
  o: output('stdout', 'out\n'),
  e: output('stderr', 'err\n'),
  l: output('stdout', 'late\n'),
  x: { kind: 'exited', seq: 0, exitCode: 0 },
  y: { kind: 'exited', seq: 0, exitCode: 3 },
  z: { kind: 'closed', seq: 0 },
  f: { kind: 'failed', seq: 0, reason: 'prog: No such file or directory (os error 2)' },
};

const command: CommandRun = {
  callId: 'call',
  argv: ['prog', 'a b'],
  cwd: '/w',
  env: { A: '1' },
  timeoutMs: 1000,
  parsed: [{ type: 'unknown', cmd: "prog 'a b'" }],
};

const event = (msg: EventMsg): ToolEvent => ({ kind: 'event', msg });
const delta = (stream: Exclude<OutputStream, 'pty'>, text: string): ToolEvent =>
  event({ type: 'exec_command_output_delta', call_id: 'call', stream, chunk: Buffer.from(text) });
const emitted = (text: string): ToolEvent => ({ kind: 'output', text });

type End = Extract<EventMsg, { type: 'exec_command_end' }>;
const end = (ms: number, own: Partial<End> = {}): ToolEvent =>
  event({
    type: 'exec_command_end',
    call_id: 'call',
    stdout: '',
    stderr: '',
    aggregated_output: '',
    exit_code: 0,
    duration: { secs: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 },
    formatted_output: '',
    ...own,
  });

const begin = event({
  type: 'exec_command_begin',
  call_id: 'call',
  command: ['prog', 'a b'],
  cwd: '/w',
  parsed_cmd: command.parsed,
});
const tool: Record<string, ToolEvent> = {
  B: begin,
  O: delta('stdout', 'out\n'),
  R: delta('stderr', 'err\n'),
  L: delta('stdout', 'late\n'),
};

/** What a finished command comes to when all it wrote was on stdout. */
const finished = (ms: number, stdout: string, exitCode: number, seconds: string) => ({
  E: end(ms, { stdout, aggregated_output: stdout, formatted_output: stdout, exit_code: exitCode }),
  T: emitted(`{"output":${JSON.stringify(stdout)},"metadata":{"exit_code":${exitCode},"duration_seconds":${seconds}}}`),
});

const runOf =
  (event$: Observable<ProcessEvent>, now: () => number, backpressure = noBackpressure) =>
  (own: Partial<CommandRun> = {}): Observable<ToolEvent> =>
    runCommand({ backend: { start: () => event$ }, backpressure, now, clockMs: frames })({ ...command, ...own });

/** The clock of the marbles, which stands at 0 where a run begins. */
const frames = () => asyncScheduler.now();

describe('runCommand', () => {
  it(
    'emits the begin, output as it comes, the end, and what the model reads',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot(' --o-e-o---y--z', step);
      const expected = '   B-O-R-O------(ET|)';
      const text = 'out\nerr\nout\n';
      expectObservable(runOf(event$, frames)()).toBe(expected, {
        ...tool,
        E: end(13, {
          stdout: 'out\nout\n',
          stderr: 'err\n',
          aggregated_output: text,
          formatted_output: text,
          exit_code: 3,
        }),
        T: emitted(`{"output":${JSON.stringify(text)},"metadata":{"exit_code":3,"duration_seconds":0.0}}`),
      });
      expectSubscriptions(event$.subscriptions).toBe('^------------!');
    }),
  );

  it(
    'asks the backend for argv, folder and environment as they stand, once it is subscribed',
    marbles(({ flush, expectObservable }) => {
      const specs: ProcessSpec[] = [];
      const start = (spec: ProcessSpec) => {
        specs.push(spec);
        return from([step.x, step.z] as ProcessEvent[]);
      };
      const run$ = runCommand({ backend: { start }, backpressure: noBackpressure, now: () => 7, clockMs: frames })(
        command,
      );
      expect(specs).toEqual([]);
      expectObservable(run$).toBe('(BET|)', { ...tool, ...finished(0, '', 0, '0.0') });
      flush();
      expect(specs).toEqual([{ argv: ['prog', 'a b'], cwd: '/w', env: { A: '1' } }]);
    }),
  );

  it(
    'counts no time in which a slow client holds the command back, before its limit and after its exit',
    marbles(({ hot, expectObservable }) => {
      const full = { now: true }; // from the first output until the drain
      const backpressure: Backpressure = { isFull: () => full.now, drain$: hot('  5s d') };
      const limited$ = hot('--o   9s -', step);
      const expected = '    B-O 5s 995ms (ET|)'; // 2 ms, and 998 ms after the drain
      const trouble = 'command timed out after 1000 milliseconds';
      const text = `${trouble}\nout\n`;
      const E = end(5_998, {
        stdout: 'out\n',
        stderr: trouble,
        aggregated_output: 'out\n',
        formatted_output: text,
        exit_code: -1,
      });
      expectObservable(runOf(limited$, frames, backpressure)({ timeoutMs: 1_000 })).toBe(expected, {
        ...tool,
        E,
        T: emitted(text),
      });
      const ended$ = hot('  x   5s l--z', step);
      expectObservable(runOf(ended$, frames, backpressure)()).toBe('B 5s L--(ET|)', {
        ...tool,
        ...finished(5_004, 'late\n', 0, '5.0'),
      });
    }),
  );

  it(
    'waits a little for output after the exit, no longer',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot(' --o-x-- 200ms l 400ms o', step);
      const expected = '   B-O---- 200ms L 46ms (ET|)';
      expectObservable(runOf(event$, frames)()).toBe(expected, { ...tool, ...finished(254, 'out\nlate\n', 0, '0.3') });
      expectSubscriptions(event$.subscriptions).toBe('^ 253ms !');
    }),
  );

  it(
    'ends at the close, however soon after the exit',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' --x-l-z', step);
      const expected = '   B---L-(ET|)';
      expectObservable(runOf(event$, frames)()).toBe(expected, { ...tool, ...finished(6, 'late\n', 0, '0.0') });
    }),
  );

  it(
    'ends the process at its time limit and keeps its output',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot(' --o-e 2s o', step);
      const expected = '   B-O-R 995ms (ET|)';
      const trouble = 'command timed out after 1000 milliseconds';
      expectObservable(runOf(event$, frames)()).toBe(expected, {
        ...tool,
        E: end(1000, {
          stdout: 'out\n',
          stderr: `err\n\n${trouble}`,
          aggregated_output: 'out\nerr\n',
          formatted_output: `${trouble}\nout\nerr\n`,
          exit_code: -1,
        }),
        T: emitted(`${trouble}\nout\nerr\n`),
      });
      expectSubscriptions(event$.subscriptions).toBe('^ 999ms !');
    }),
  );

  it(
    'ends a silent process at its time limit, of no time at all too',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const ended = (ms: number) => {
        const trouble = `command timed out after ${ms} milliseconds`;
        return { E: end(ms, { stderr: trouble, formatted_output: trouble, exit_code: -1 }), T: emitted(trouble) };
      };
      const silent$ = cold<ProcessEvent>('-');
      expectObservable(runOf(silent$, frames)()).toBe('B 999ms (ET|)', { ...tool, ...ended(1000) });
      expectObservable(runOf(NEVER, frames)({ timeoutMs: 0 })).toBe('(BET|)', { ...tool, ...ended(0) });
      expectSubscriptions(silent$.subscriptions).toBe('^ 999ms !');
    }),
  );

  it(
    'does not hold the time after the exit against a command',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' --x', step);
      const expected = '   B 251ms (ET|)';
      expectObservable(runOf(event$, frames)({ timeoutMs: 5 })).toBe(expected, {
        ...tool,
        ...finished(252, '', 0, '0.3'),
      });
    }),
  );

  it(
    'reports why a program could not be started',
    marbles(({ cold, expectObservable }) => {
      const trouble = 'execution error: prog: No such file or directory (os error 2)';
      const failed = { E: end(0, { stderr: trouble, formatted_output: trouble, exit_code: -1 }), T: emitted(trouble) };
      expectObservable(runOf(of(step.f as ProcessEvent), frames)()).toBe('(BET|)', { ...tool, ...failed });
      expectObservable(runOf(cold('-f', step), () => 0)()).toBe('B(ET|)', { ...tool, ...failed });
    }),
  );

  it(
    'ends the process when unsubscribed, and emits no more',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot(' --o-o-x-z', step);
      const stop = '       ---!     ';
      const expected = '   B-O';
      expectObservable(runOf(event$, frames)(), stop).toBe(expected, tool);
      expectSubscriptions(event$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'comes to code -1 when a backend completes without an event, and passes its error on',
    marbles(({ cold, expectObservable }) => {
      const nothing$ = cold('z', step);
      expectObservable(runOf(nothing$, frames)()).toBe('(BET|)', { ...tool, ...finished(0, '', -1, '0.0') });
      expectObservable(runOf(cold('-o-#', step), frames)()).toBe('BO-#', tool);
    }),
  );

  it(
    'cuts what the model reads, not what the end event holds',
    marbles(({ expectObservable }) => {
      const line = `${'x'.repeat(99)}\n`;
      const long = line.repeat(300);
      const event$ = from([output('stdout', long), step.x, step.z] as ProcessEvent[]);
      expectObservable(runOf(event$, () => 0)()).toBe('(BDET|)', {
        B: begin,
        D: delta('stdout', long),
        E: end(0, { stdout: long, aggregated_output: long, formatted_output: shorten(long) }),
        T: emitted(`{"output":${JSON.stringify(shorten(long))},"metadata":{"exit_code":0,"duration_seconds":0.0}}`),
      });
    }),
  );

  it('emits no more than 10,000 deltas of each stream; the rest is in the end event', () => {
    const writes = [output('stdout', 'o'), output('stderr', 'e')];
    const sent = Array.from({ length: 10_050 }, () => writes).flat();
    const outputs: ToolEvent[] = [];
    runOf(from([...sent, step.x, step.z] as ProcessEvent[]), () => 0)().subscribe((one) => outputs.push(one));
    const messages = outputs.flatMap((one) => (one.kind === 'event' ? [one.msg] : []));
    const streams = messages.flatMap((msg) => (msg.type === 'exec_command_output_delta' ? [msg.stream] : []));
    expect(streams).toEqual(Array.from({ length: 10_000 }, () => ['stdout', 'stderr']).flat());
    expect(messages.at(-1)).toMatchObject({ stdout: 'o'.repeat(10_050), stderr: 'e'.repeat(10_050) });
  });

  it('emits no more than 80,000 KiB of each stream as deltas', () => {
    const sent = Array.from({ length: 1_260 }, () => output('stdout', 'x'.repeat(65_536)));
    let deltas = 0;
    runOf(from([...sent, output('stderr', 'e'), step.x, step.z] as ProcessEvent[]), () => 0)().subscribe((one) => {
      deltas += one.kind === 'event' && one.msg.type === 'exec_command_output_delta' ? 1 : 0;
    });
    expect(deltas).toBe(1_250 + 1);
  });

  it('keeps a megabyte of a stream, and counts what it dropped', () => {
    const chunk = output('stdout', 'x'.repeat(65_536));
    const outputs: ToolEvent[] = [];
    const sent = Array.from({ length: 80 }, () => chunk);
    runOf(from([...sent, step.x, step.z] as ProcessEvent[]), () => 0)().subscribe((one) => outputs.push(one));
    const last = outputs.at(-2) as { msg: End };
    const kept = 'x'.repeat(524_288);
    expect(last.msg.stdout === `${kept}\n[... ${80 * 65_536 - 1_048_576} bytes of output left out ...]\n${kept}`).toBe(
      true,
    );
  });

  it('never emits a negative time, also when the clock is set back', () => {
    const times = [5000, 0];
    const outputs: ToolEvent[] = [];
    runOf(from([step.x, step.z] as ProcessEvent[]), () => times.shift() as number)().subscribe((one) =>
      outputs.push(one),
    );
    expect(outputs.slice(1)).toEqual(Object.values(finished(0, '', 0, '0.0')));
  });

  it.each([
    [49, '0.0', 0],
    [50, '0.1', 0],
    [1950, '2.0', 1],
    [61_040, '61.0', 61],
  ])('writes %i ms as %s s', (ms, seconds, secs) => {
    const times = [0, ms];
    const outputs: ToolEvent[] = [];
    runOf(from([step.x, step.z] as ProcessEvent[]), () => times.shift() as number)().subscribe((one) =>
      outputs.push(one),
    );
    expect(outputs.at(-1)).toEqual(emitted(`{"output":"","metadata":{"exit_code":0,"duration_seconds":${seconds}}}`));
    expect((outputs.at(-2) as { msg: End }).msg.duration).toEqual({ secs, nanos: (ms % 1000) * 1_000_000 });
  });

  it('takes a time limit longer than a timer can wait for the longest one', () => {
    jest.useFakeTimers();
    try {
      const outputs: ToolEvent[] = [];
      const event$ = of(step.o as ProcessEvent).pipe(observeOn(asyncScheduler, 1000));
      const run = runOf(event$, () => 0)({ timeoutMs: Number.MAX_SAFE_INTEGER }).subscribe((one) => outputs.push(one));
      jest.advanceTimersByTime(5000);
      expect(outputs).toEqual([tool.B, tool.O]);
      run.unsubscribe();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
