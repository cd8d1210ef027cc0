import { type Explanation, explain, toExplanationLines } from '../../../src/cli/commands/explain';
import { givenBy, problemBy } from '../reading';

const everywhere = { 'read-only': 'ask', 'workspace-write': 'ask', 'danger-full-access': 'run' } as const;

const explanation: Explanation = {
  command: ['rm', 'a\u001b[2Jb'],
  cwd: '/w',
  trusted: false,
  why: 'rm is not among the commands that only read',
  program: { name: 'rm', path: '/w/bin/rm', unasked: '/bin/rm' },
  sandbox: 'ready',
  rule: { decision: 'prompt', reason: 'a rule asks about commands that begin with rm (r:1)' },
  parsed_cmd: [{ type: 'unknown', cmd: 'rm ab' }],
  decisions: { untrusted: everywhere, 'on-failure': everywhere, 'on-request': everywhere, never: everywhere },
};

describe('explain', () => {
  it('takes a command, or a script', () => {
    expect(givenBy(explain, '--json', '--', 'rm', '-r', 'x')).toMatchObject({ json: true, command: ['rm', '-r', 'x'] });
    expect(givenBy(explain, '--script', 'ls | wc')).toMatchObject({ script: 'ls | wc', command: [] });
  });

  it.each([
    [[], 'Give a command after --, or --script TEXT'],
    [['--script', 'ls', '--', 'ls'], 'Give --script or a command after --, not both'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(explain, ...argv)).toBe(problem);
  });
});

describe('toExplanationLines', () => {
  it('shows an explanation, and no character that commands a terminal', () => {
    expect(toExplanationLines(explanation)).toEqual([
      "command   rm 'a\\x1b[2Jb'",
      'folder    /w',
      'program   /w/bin/rm; what runs unasked takes /bin/rm, because the first lies in the workspace',
      'trusted   no: rm is not among the commands that only read',
      'sandbox   ready',
      'rule      prompt: a rule asks about commands that begin with rm (r:1)',
      'part      unknown: rm ab',
      '',
      '            read-only           workspace-write     danger-full-access',
      ...['untrusted   ', 'on-failure  ', 'on-request  ', 'never       '].map(
        (policy) => `${policy}ask                 ask                 run`,
      ),
    ]);
  });

  it.each([
    [{ name: 'x', path: null, unasked: null }, 'program   x is not found in PATH'],
    [{ name: './x', path: './x', unasked: null }, 'program   ./x'],
    [
      { name: 'x', path: '/w/x', unasked: null },
      'program   /w/x; what runs unasked takes none, because the first lies in the workspace',
    ],
  ])('shows the program %j', (program, line) => {
    expect(toExplanationLines({ ...explanation, program })[2]).toBe(line);
  });
});
