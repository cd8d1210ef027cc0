import { of } from 'rxjs';
import { isTakenAsItIs, runInTerminal, terminalEnvironment } from '../../../src/agent/tools/runInTerminal';
import type { ClientTerminal, ToolEvent } from '../../../src/agent/tools/tool';
import { withheldBy } from '../../../src/executor/environment';
import type { TerminalAnswers, TerminalRequest } from '../../../src/protocol/codex/events';
import type { Config } from '../../../src/settings/config';

const ANSWERS: TerminalAnswers = {
  create: { terminal: 't' },
  wait: { exitCode: 0, signal: null },
  output: { text: '', isCut: false },
  kill: {},
};

/** What a client is asked, and what the model reads of the command. The marbles of spec/server/acp/terminals show the rest. */
const ran = (answers: Partial<TerminalAnswers> = {}, folders: Record<string, string> = {}) => {
  const asked: TerminalRequest[] = [];
  const terminal: ClientTerminal = (request) => {
    asked.push(request);
    return of({ ...ANSWERS, ...answers }[request.act]);
  };
  const run = { callId: 'c', argv: ['make'], cwd: '/w/link', realCwd: '/w/a', env: {}, timeoutMs: 1, parsed: [] };
  const events: ToolEvent[] = [];
  const realFolder = (path: string) => of(folders[path] ?? path);
  runInTerminal({ now: () => 0, signals: {}, realFolder })({ run, terminal }).subscribe((event) => events.push(event));
  const texts = events.flatMap((event) => (event.kind === 'output' ? [event.text] : []));
  const ends = events.flatMap((event) =>
    event.kind === 'event' && event.msg.type === 'exec_command_end' ? [event.msg.stdout] : [],
  );
  return { asked, text: texts.join(), end: ends.join() };
};

describe('runInTerminal', () => {
  it('begins the command in the folder that was approved, whatever leads there', () => {
    expect(ran().asked).toMatchObject([{ act: 'create', cwd: '/w/a' }, { act: 'wait' }, { act: 'output' }]);
  });

  it('begins nothing if a link has replaced that folder', () => {
    const { asked, text } = ran({}, { '/w/a': '/etc' });
    expect(asked).toEqual([]);
    expect(text).toMatch(/^execution error: \/w\/a is not a folder, or was replaced by a link/);
  });

  it('fails if the client knows no end', () => {
    const { asked, text } = ran({ wait: { exitCode: null, signal: null }, output: { text: 'so far', isCut: false } });
    expect(text).toBe('execution error: the client gave neither an exit code nor a signal\nso far');
    expect(asked.map(({ act }) => act)).toEqual(['create', 'wait', 'kill', 'output']);
  });

  it('reads no more of the end of an output than it asked for', () => {
    const { asked, end } = ran({ output: { text: `a${'\u20ac'.repeat(1_048_576)}z`, isCut: false } });
    expect(asked[0]).toMatchObject({ maxBytes: 1_048_576 });
    expect(end).toMatch(/^\[\.\.\. the beginning of the output is left out \.\.\.\]\n[^a]*z$/);
    expect(Buffer.byteLength(end)).toBeLessThan(1_048_576 + 100);
  });

  it('reads what was written without colours, titles and carriage returns, in a time that grows with its length', () => {
    const text = `\u001b]0;title\u0007\u001b[1;31mred\u001b[m\r\r\n${`\u001b${';#'.repeat(500_000)}`}`;
    expect(ran({ output: { text, isCut: false } }).text).toMatch(/^\{"output":"red\\n/);
  });
});

describe('a command in the words of a client', () => {
  it.each([
    ['any', ['/bin/make', 'a b; c', '']],
    ['plain', ['make', '-C', '../src', '--jobs=2', 'a@b:c']],
    ['plain', ['bash', '-lc', 'make']],
  ] as const)('is taken as it is: %s %j', (words, argv) => {
    expect(isTakenAsItIs(words, argv)).toBe(true);
  });

  it.each([
    ['any', []],
    ['any', ['']],
    ['any', ['rm -r', 'x']],
    ['any', ['~/make']],
    ['any', ['A=b', 'make']],
    ['plain', ['make', '']],
    ...[...' \t\n\'"`$&|;<>()[]{}*?!#~^%,\\\0\u00e9'].map((char) => ['plain', ['make', `a${char}`]] as const),
    ['plain', ['make', '=ls']],
    ['plain', ['make', '@a']],
    ['plain', ['make', 'a\n']],
  ] as const)('is not given to it: %s %j', (words, argv) => {
    expect(isTakenAsItIs(words, argv)).toBe(false);
  });
});

describe('terminalEnvironment', () => {
  const env = { PATH: '/bin', HOME: '/h', API_KEY: 's3cret', PAGER: 'less', URL: 'https://u:p4ss@example.com/' };
  const made = (own: Partial<Config['shellEnvironment']>) =>
    terminalEnvironment(
      { withheld: (policy) => withheldBy(env, policy) },
      { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [], ...own },
    );

  it('sets what the policy sets, and to nothing what it excludes, as the client may have that too', () => {
    const plain = { API_KEY: '', URL: '', PAGER: 'cat', GIT_PAGER: 'cat' };
    expect(made({})).toEqual(plain);
    expect(made({ exclude: ['HO*'] })).toEqual({ ...plain, HOME: '' });
    expect(made({ set: { API_KEY: 'mine', PAGER: 'most' } })).toEqual({ ...plain, API_KEY: 'mine', PAGER: 'most' });
    expect(made({ ignoreDefaultExcludes: true })).toEqual({ PAGER: 'cat', GIT_PAGER: 'cat' });
  });

  it.each<Partial<Config['shellEnvironment']>>([
    { inherit: 'none' },
    { inherit: 'core' },
    { includeOnly: ['PATH'] },
    { exclude: ['PA*'] },
  ])('is none under %j, to which a client cannot keep', (own) => {
    expect(made(own)).toBeUndefined();
  });
});
