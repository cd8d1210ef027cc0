import fc from 'fast-check';
import {
  addToOutcome,
  backgroundNote,
  type Captured,
  type CommandEvent,
  type CommandRun,
  capture,
  limitNote,
  noOutcome,
  nothingCaptured,
  toDuration,
  toEnd,
  toText,
  withNote,
} from '../../../src/agent/tools/commandOutcome';
import { cuts, tokenize } from '../../support/streams';

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

const keptBy = { text: 'only /w may be written', network: 'closed' as const };
const failed = { exitCode: 1, stdout: '', stderr: 'sh: f: Read-only file system\n' };

describe('backgroundNote', () => {
  const noteOf = (script: string) => backgroundNote(['bash', '-lc', script]);

  it.each(['npm start &', 'nohup a >/dev/null 2>&1 & echo started', '(a &)', 'a & b', 'a &>f &', 'a&'])(
    'is for a script that leaves something in the background: %s',
    (script) => {
      expect(noteOf(script)).toMatch(/background was ended/);
    },
  );

  it.each([
    'a && b',
    'a 2>&1',
    'a &> f',
    'a |& b',
    'a <&3',
    "echo 'a & b'",
    'echo "a & b"',
    'echo a \\& b',
    'a & wait',
    "cat > f <<'EOF'\na & b\nEOF\nls",
  ])('is for no other: %s', (script) => {
    expect(noteOf(script)).toBeUndefined();
  });

  it('is for scripts only, and comes after the output', () => {
    expect(backgroundNote(['a', '&'])).toBeUndefined();
    const [, output] = toEnd(
      { ...run, argv: ['sh', '-c', 'a &'] },
      addToOutcome(noOutcome(), { kind: 'exited', exitCode: 0 } as never),
      0,
    );
    expect(output).toMatchObject({ kind: 'output', text: expect.stringContaining('ended with it') });
  });
});

describe('the note about .git', () => {
  const INIT = `fatal: cannot copy '/t/description' to '/w/.git/description': Read-only file system\n`;

  it.each<[string, string, number, boolean]>([
    ['follows a command that could not write there', INIT, 128, true],
    ['does not follow a command that went well', INIT, 0, false],
    ['does not follow another failure', '/w/.git/index.lock: File exists', 128, false],
    ['follows a path of the folder  ', "error: cannot open '.git/FETCH_HEAD': Read-only file system", 1, true],
    ['does not follow another name ', 'could not lock x.git/config: Read-only file system', 1, false],
    ['does not follow another place', '/w/.gitignore: Read-only file system', 1, false],
  ])('%s', (_, text, exitCode, isThere) => {
    const [, end] = endOf(output('stderr', text), { kind: 'exited', seq: 2, exitCode });
    expect(JSON.stringify(end).includes('In the sandbox the .git')).toBe(isThere);
  });
});

describe('limitNote', () => {
  it('names what keeps a command that was denied something', () => {
    expect(limitNote({ keptBy, ...failed })).toBe(
      'This may be a limit that no approval lifts: only /w may be written.',
    );
  });

  it.each<[string, Partial<Parameters<typeof limitNote>[0]>]>([
    ['nothing keeps it', { keptBy: undefined }],
    ['it succeeded', { exitCode: 0 }],
    ['it failed for another reason', { stderr: 'assertion failed' }],
    [
      'the network it may use fails',
      { keptBy: { ...keptBy, network: 'open' }, stderr: 'curl: Could not resolve host' },
    ],
  ])('is none where %s', (_, own) => {
    expect(limitNote({ keptBy, ...failed, ...own })).toBeUndefined();
  });
});

describe('withNote', () => {
  it.each([
    ['', 'note', 'note'],
    ['a', 'note', 'a\nnote'],
    ['a\n', 'note', 'a\nnote'],
    ['a\n', undefined, 'a\n'],
  ])('puts after %j: %j', (text, note, expected) => {
    expect(withNote(text, note)).toBe(expected);
  });
});

const captured = (chunks: readonly Uint8Array[], maxBytes: number): Captured =>
  chunks.reduce((kept, chunk) => capture(kept, chunk, maxBytes), nothingCaptured());

const textOf = (words: readonly string[], maxBytes: number): string =>
  toText(
    captured(
      words.map((word) => Buffer.from(word)),
      maxBytes,
    ),
  );

describe('capture', () => {
  it('keeps all up to the limit', () => {
    expect(textOf([], 8)).toBe('');
    expect(textOf(['abcd', 'efgh'], 8)).toBe('abcdefgh');
    expect(textOf(['é'.repeat(4)], 8)).toBe('éééé');
  });

  it('keeps the first half and the newest, and states how much lies between', () => {
    const block = (letter: string) => letter.repeat(2048);
    expect(textOf([...'abcdefgh'].map(block), 8192)).toBe(
      `${block('a')}${block('b')}\n[... 8192 bytes of output left out ...]\n${block('g')}${block('h')}`,
    );
  });

  it('lets whole pieces go, so that one more than the half may stay', () => {
    const words = ['x'.repeat(4000), 'y'.repeat(3000), 'z'.repeat(3000)];
    expect(
      captured(
        words.map((word) => Buffer.from(word)),
        8000,
      ),
    ).toMatchObject({ tailBytes: 6000, lost: 0 });
    expect(textOf([...words, 'last'], 8000)).toBe(`${words.join('')}last`);
    expect(textOf([...words, 'last'.repeat(250)], 8000)).toBe(
      `${words[0]}\n[... 3000 bytes of output left out ...]\n${words[2]}${'last'.repeat(250)}`,
    );
  });

  it('joins small chunks: two hundred thousand single bytes are a few pieces', () => {
    const one = Buffer.from('x');
    const kept = nothingCaptured();
    for (let i = 0; i < 200_000; i += 1) capture(kept, one, 100_000);
    expect(kept.head.length + kept.tail.length).toBeLessThan(60);
    expect(kept.headBytes + kept.tailBytes + kept.lost).toBe(200_000);
    expect(kept.tailBytes).toBeLessThanOrEqual(50_000 + 2048);
  });

  it('keeps true count, beginning and end, however the output is cut', () => {
    const bytes = fc.uint8Array({ maxLength: 9000, size: 'max' }).map((all) => Buffer.from(all));
    fc.assert(
      fc.property(bytes, cuts, fc.constantFrom(100, 1000, 6000), (whole, places, maxBytes) => {
        const { head, tail, headBytes, tailBytes, lost } = captured(tokenize(whole, places), maxBytes);
        const [start, end] = [Buffer.concat(head), Buffer.concat(tail)];
        expect([start.length, end.length, start.length + end.length + lost]).toEqual([
          headBytes,
          tailBytes,
          whole.length,
        ]);
        expect(whole.subarray(0, headBytes).equals(start)).toBe(true);
        expect(whole.subarray(whole.length - tailBytes).equals(end)).toBe(true);
        if (lost > 0) expect(Math.min(headBytes, tailBytes)).toBeGreaterThanOrEqual(maxBytes / 2);
        if (whole.length <= maxBytes) expect(lost).toBe(0);
      }),
    );
  });
});

describe('toText', () => {
  it('puts a sign in the place of bytes that are no text', () => {
    const chunks = [Buffer.from([0x61, 0xff]), Buffer.from([0xc3]), Buffer.from([0xa9])];
    expect(toText(captured(chunks, 8))).toBe('a\ufffdé');
  });
});
