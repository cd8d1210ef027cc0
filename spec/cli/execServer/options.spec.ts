import { resolve } from 'node:path';
import { execServer } from '../../../src/cli/commands/execServer';
import { ceilingOf, ceilingProblem } from '../../../src/cli/execServer/options';
import { givenBy } from '../reading';

const here = { cwd: '/work' } as Parameters<typeof ceilingOf>[1];

const read = (...argv: string[]) => givenBy(execServer, ...argv);

const within = (workspace: string[], network: 'open' | 'closed' = 'closed') => ({
  methods: { allow: [], deny: [], network },
  sandbox: { roots: { workspace, temporary: [] }, readOnly: [], ifThere: [], denied: [], network },
});

describe('ceilingOf', () => {
  it.each([
    ['anything by default', [], { methods: { allow: [], deny: [], network: 'open' } }],
    ['writing in the roots only, where there are some', ['--root', '.', '--root', '/tmp'], within(['/work', '/tmp'])],
    ['writing in the folder of the server', ['--sandbox', 'workspace-write'], within(['/work'])],
    ['no writing', ['--sandbox', 'read-only'], within([])],
    ['the network of a sandbox', ['--root', '/tmp', '--allow-network'], within(['/tmp'], 'open')],
  ])('lets clients do %s', (_, argv, ceiling) => {
    expect(ceilingOf(read(...argv), here)).toEqual(ceiling);
  });

  it('limits the methods', () => {
    expect(ceilingOf(read('--allow-method', 'process/*', '--deny-method', 'fs/*'), here)).toMatchObject({
      methods: { allow: ['process/*'], deny: ['fs/*'] },
    });
  });
});

describe('ceilingProblem', () => {
  const missing = resolve('/no/such/folder');
  const given = { ...read(), root: [] as string[] };

  it.each([
    ['what it was given', given, undefined],
    ['folders that are there', { ...given, root: ['/tmp'] }, undefined],
    ['one that is not', { ...given, root: [missing] }, `--root must be a folder that is there; it is ${missing}`],
    [
      'roots beside a sandbox without any',
      { ...given, root: ['/tmp'], sandbox: 'read-only' as const },
      '--root names what --sandbox workspace-write lets clients write; --sandbox is read-only',
    ],
    [
      'a network that no sandbox closes',
      { ...given, 'allow-network': true },
      '--allow-network goes with --sandbox or --root; without them the network is open',
    ],
    [
      'a method that there is not',
      { ...given, 'deny-method': ['fs/*', 'fs/reed'] },
      expect.stringMatching(/^There is no method fs\/reed; methods are .*, and families such as fs\/\*$/),
    ],
  ])('checks %s', (_, one, problem) => {
    expect(ceilingProblem(one)).toEqual(problem);
  });
});
