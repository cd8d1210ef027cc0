/** A model gets a command approved, then changes what it runs, or puts another folder in its place; the approval does not count for that. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatMap, defer, EMPTY, firstValueFrom, of } from 'rxjs';
import { markHere, marksAt } from '../../src/agent/native/fileMarks';
import { bashReaders } from '../../src/agent/safety/bashParser';
import { prepareCall } from '../../src/agent/sampling/prepareCall';
import { assessCommand, type CommandDeps } from '../../src/agent/tools/commandCalls';
import { shellTool } from '../../src/agent/tools/shellTool';
import { type Assessment, type ToolEvent, toolTable, toRow } from '../../src/agent/tools/tool';
import type { Ask, ReviewResult } from '../../src/protocol/codex/engine';
import { bashDeps } from '../agent/safety/support';
import { modelOf, shell, turnOf } from '../agent/support';
import { around, settingsOf } from '../agent/tools/support';
import { askableServer, codexCall } from '../support/daemon/legacy';
import { endServers, type Json } from '../support/daemon/peer';
import { removeFolder } from '../support/files';
import { openHome } from '../support/home';
import { needs } from '../support/needs/needs';

const LONG = 2_000_000;

const { wordsIn } = bashReaders(bashDeps);
beforeAll(() => firstValueFrom(wordsIn('')));

describe('an approval of a command for the session', () => {
  let folder = '';
  const at = (path: string): string => join(folder, path);
  const write = (path: string, text: string): void => writeFileSync(at(path), text, { mode: 0o755 });
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-approved-')));
    for (const path of ['sub', 'bin', '.git', '(ci)', 'far', 'far/deep', 'far/far']) mkdirSync(at(path));
    for (const path of [
      'run.sh',
      'sub/run.sh',
      'bin/tool',
      'other.sh',
      'a b.sh',
      'a,b.sh',
      '(ci)/run.sh',
      'x.mk',
      'main.js',
      'far/deep/run.sh',
      'far/far/run.sh',
    ])
      write(path, 'echo old');
    write('long', 'x'.repeat(LONG));
    symlinkSync('run.sh', at('link.sh'));
  });
  afterEach(() => removeFolder(folder));

  const depsOf = (own: Partial<CommandDeps> = {}): CommandDeps =>
    around({
      marksOf: (paths) => of(marksAt(paths)),
      wordsIn,
      environmentOf: () => ({ PATH: `${at('bin')}:/usr/bin` }),
      ...own,
    }).deps;
  const assess = (command: readonly string[], approved: readonly string[]): Assessment<unknown> => {
    const call = {
      callId: 'c',
      args: { command: [...command] },
      cwd: folder,
      isApproved: (key: string) => approved.includes(key),
    };
    let assessed: Assessment<unknown> | undefined;
    assessCommand(
      depsOf(),
      settingsOf({ policy: 'untrusted', cwd: folder }),
    )(call).subscribe((one) => {
      assessed = one;
    });
    return assessed as Assessment<unknown>;
  };
  const verdictAfter = (command: readonly string[], change: () => void): string => {
    const first = assess(command, []);
    const keys = first.verdict === 'ask' ? first.approval.keys : [];
    expect(assess(command, keys).verdict).toBe('run');
    change();
    return assess(command, keys).verdict;
  };
  const rewrite = (path: string) => () => write(path, 'echo new');

  it.each<[string, readonly string[], () => void]>([
    ['by itself', ['./run.sh'], rewrite('run.sh')],
    ['by a shell', ['bash', 'run.sh', 'arg'], rewrite('run.sh')],
    ['by an absolute path', ['/usr/bin/env', 'X=1', 'ABS/run.sh'], rewrite('run.sh')],
    ['in a script', ['bash', '-lc', 'set -e; ./run.sh && echo done'], rewrite('run.sh')],
    ['in a script in another folder', ['bash', '-lc', 'cd sub && ./run.sh'], rewrite('sub/run.sh')],
    ['in quotes', ['bash', '-lc', "sh './run.sh'"], rewrite('run.sh')],
    ['with a blank in its name', ['sh', 'a b.sh'], rewrite('a b.sh')],
    ['in an option', ['node', '--require=./run.sh', '-e', '0'], rewrite('run.sh')],
    ['with a part of it', ['pytest', 'run.sh::test_it'], rewrite('run.sh')],
    ['from another folder', ['make', '-C', 'sub', '-f', 'run.sh'], rewrite('sub/run.sh')],
    ['by a program of the workspace that PATH finds', ['bash', '-lc', 'tool --fast'], rewrite('bin/tool')],
    ['after it was written', ['bash', '-lc', 'echo old > run.sh; sh run.sh'], rewrite('run.sh')],
    ['as its output', ['bash', '-lc', 'echo x 2>&1 >run.sh'], rewrite('run.sh')],
    ['by a link', ['./link.sh'], rewrite('run.sh')],
    [
      'by a link that leads elsewhere then, to the same bytes',
      ['./link.sh'],
      () => {
        unlinkSync(at('link.sh'));
        symlinkSync('other.sh', at('link.sh'));
      },
    ],
    [
      'and replaced',
      ['./run.sh'],
      () => {
        write('new', 'echo new');
        renameSync(at('new'), at('run.sh'));
      },
    ],
    ['and removed', ['./run.sh'], () => rmSync(at('run.sh'))],
    ['and made only then', ['./none.sh'], rewrite('none.sh')],
    [
      'and as long and as old as before',
      ['./long'],
      () => {
        const { atimeMs, mtimeMs } = statSync(at('long'));
        write('long', 'y'.repeat(LONG));
        utimesSync(at('long'), atimeMs / 1000, mtimeMs / 1000);
      },
    ],
  ])('is not for a changed file that is named %s', (_, command, change) => {
    const here = command.map((word) => word.replace('ABS', folder));
    expect(verdictAfter(here, change)).toBe('ask');
  });

  it.each<[string, readonly string[]]>([
    ['a b.sh', ['bash', '-c', "sh 'a b.sh'"]],
    ['a b.sh', ['bash', '-c', 'sh a\\ b.sh']],
    ['a b.sh', ['node', '--require=a b.sh']],
    ['a,b.sh', ['bash', '-c', 'sh ./a,b.sh']],
    ['a,b.sh', ['node', '--require=./a,b.sh']],
    ['(ci)/run.sh', ['bash', '-c', "sh '(ci)/run.sh'"]],
    ['run.sh', ['bash', '-c', "sh ru''n.sh"]],
    ['run.sh', ['bash', '-c', 'sh r\\un.sh']],
    ['run.sh', ['bash', '-c', 'sh <run.sh']],
    ['run.sh', ['bash', '-c', 'true >>run.sh; sh run.sh']],
    ['run.sh', ['bash', '-c', 'BASH_ENV=run.sh bash -c true']],
    ['run.sh', ['env', 'sh', '-c', 'sh run.sh']],
    ['sub/run.sh', ['bash', '-c', 'cd sub && sh run.sh']],
    ['sub/run.sh', ['env', '-Csub', 'sh', 'run.sh']],
    ['sub/run.sh', ['env', '--chd', 'sub', 'sh', 'run.sh']],
    ['main.js', ['node', 'main']],
    ['main.js', ['node', '-r./main']],
    ['main.json', ['node', './main']],
    ['sub/run.sh', ['make', '-sC', 'sub', '-f', 'run.sh']],
    ['far/deep/run.sh', ['make', '-Cfar', '-C', 'deep', '-f', 'run.sh']],
    ['far/far/run.sh', ['bash', '-c', 'cd far; cd far; sh run.sh']],
    ['x.mk', ['make', '-fx.mk']],
    ['x.mk', ['make', '-sfx.mk']],
  ])('is not for %s, changed, that is named in another way: %j', (path, command) => {
    expect(verdictAfter(command, rewrite(path))).toBe('ask');
  });

  it.each([
    'sh "$PWD"/run.sh',
    'sh "$PWD/run.sh"',
    'sh ~/run.sh',
    'HOME=/x; sh ~/run.sh',
    'sh ~+/run.sh',
    "sh $'\\x72un.sh'",
    'sh $"run.sh"',
    'sh run.s?',
    'sh {run,x}.sh',
    'sh `echo run.sh`',
    'sh <(cat run.sh)',
    'cd -- sub && sh run.sh',
    'cd "$PWD/sub" && sh run.sh',
    'cd; sh run.sh',
    'cd - && sh run.sh',
    'command cd -P sub; sh run.sh',
    'cd .; cd ./; cd .//; cd .///; cd sub; sh run.sh',
    'for i in 1 2; do cd sub; done; sh run.sh',
    'into() { cd sub; }; into; into; sh run.sh',
    'cd sub; sh ../run.sh',
    'sh sub/../run.sh',
    'PATH=sub; run.sh',
    'CDPATH=/; cd sub; sh run.sh',
    `eval 'sh ru""n.sh'`,
    `echo 'sh ru""n.sh' | sh`,
    'sh <<X\nsh r\\un.sh\nX',
    'sh "run.sh',
  ])('is not remembered for a script whose files are not certain: %j', (script) => {
    for (const command of [
      ['bash', '-c', script],
      ['env', 'sh', '-c', script],
    ]) {
      const first = assess(command, []);
      expect(first.verdict === 'ask' && { keys: first.approval.keys, msg: first.approval.msg }).toMatchObject({
        keys: [],
        msg: { reason: 'It cannot be approved for the session: which files it names is not certain' },
      });
    }
  });

  it.each<[string, readonly string[], () => void]>([
    ['another file changes', ['./run.sh'], rewrite('other.sh')],
    ['the file gets the same bytes again', ['./run.sh'], () => write('run.sh', 'echo old')],
    ['a folder that is named changes', ['ls', 'sub'], rewrite('sub/new')],
    ['what cannot be known changes', ['npm', 'test'], rewrite('package.json')],
  ])('stays when %s', (_, command, change) => {
    expect(verdictAfter(command, change)).toBe('run');
  });

  /** A person approves each command; why a question came. */
  const session = (decision: ReviewResult['decision'] = 'approved_for_session') => {
    const asked: unknown[] = [];
    const turn = turnOf(modelOf([]).model);
    const ask: Ask = (_, question, then) => {
      const { msg } = question(asked.length) as unknown as { msg: { reason?: string } };
      asked.push(msg.reason);
      return then({ decision });
    };
    const run = (command: readonly string[], effect: () => void) => {
      const runOn = () => () => defer(() => of<ToolEvent>({ kind: 'output', text: `${effect()}` }));
      const tool = shellTool(
        { ...depsOf({ runOn }), check: () => EMPTY, apply: () => EMPTY, now: () => 0 },
        settingsOf({ policy: 'untrusted', cwd: folder }),
      );
      prepareCall(ask, { turn: { ...turn, tools: toolTable([toRow(tool)]) }, call: shell('c', ...command) })
        .pipe(concatMap(({ run }) => run()))
        .subscribe();
    };
    return { asked, run };
  };
  const SINCE = 'A file has changed since this was approved for the session: ';
  const nothing = () => {};

  it.each<[string, readonly string[], () => void]>([
    ['makes', ['touch', 'made'], rewrite('made')],
    ['rewrites', ['sed', '-i', 's/old/new/', 'run.sh'], rewrite('run.sh')],
    ['writes its output to', ['bash', '-lc', 'make > log'], rewrite('log')],
    ['removes', ['rm', '-f', 'run.sh'], () => rmSync(at('run.sh'), { force: true })],
  ])('stays when the command itself %s the file', (_, command, effect) => {
    const { asked, run } = session();
    for (let i = 0; i < 3; i++) run(command, effect);
    expect(asked).toEqual([undefined]);
  });

  it('is not for what others change between two runs, also if the command changes the file', () => {
    const { asked, run } = session();
    const format = ['prettier', '--write', 'run.sh', 'other.sh'];
    run(format, rewrite('run.sh'));
    write('run.sh', 'echo evil');
    run(format, rewrite('run.sh'));
    run(format, rewrite('run.sh'));
    expect(asked).toEqual([undefined, `${SINCE}run.sh`]);
  });

  it('is not for what another approved command changes', () => {
    const { asked, run } = session();
    run(['./run.sh'], nothing);
    run(['cp', 'other.sh', 'run.sh'], rewrite('run.sh'));
    run(['cp', 'other.sh', 'run.sh'], rewrite('run.sh'));
    run(['./run.sh'], nothing);
    expect(asked).toEqual([undefined, undefined, `${SINCE}./run.sh`]);
  });

  it('does not grow by what a command changes that was approved once', () => {
    const { asked, run } = session('approved');
    for (let i = 0; i < 2; i++) run(['touch', 'made'], rewrite('made'));
    expect(asked).toEqual([undefined, undefined]);
  });

  it('is not remembered for a command that names more than is looked at', () => {
    const first = assess(['echo', ...Array.from({ length: 2_000 }, (_, i) => `w${i}`)], []);
    expect(first.verdict === 'ask' && first.approval.keys).toEqual([]);
  });

  it('sees a program that may be run and not read', () => {
    chmodSync(at('run.sh'), 0o111);
    expect(markHere(at('run.sh'))).toMatch(`${at('run.sh')} `);
  });
});

afterEach(endServers);

/** Without these, the temporary folder would be writable, and with it the folders of this spec, which are in it. */
const ARGS = [
  ...['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
  ...['-c', 'sandbox_workspace_write.exclude_tmpdir_env_var=true'],
];

/** A server whose model makes these calls one after another; `/OUT` is a folder outside of the workspace, `/WORK` the workspace. */
const asked = async (...calls: Json[]) => {
  const home = openHome();
  const out = join(home.path, 'outside');
  mkdirSync(out);
  mkdirSync(join(home.work, 'sub'));
  const answers = calls.map((args, i) => ({ items: [{ call: 'shell', args, id: `c${i}` }] }));
  const scenes = [{ when: '.', answers: [...answers, { items: [{ text: 'It said: {{output}}' }] }] }];
  const script = JSON.parse(JSON.stringify({ scenes }).replaceAll('/OUT', out).replaceAll('/WORK', home.work));
  const peer = await askableServer({ home, script, args: ARGS });
  const settings = { sandbox: 'workspace-write', 'approval-policy': 'on-request' };
  const answer = peer.request('tools/call', codexCall(peer, 'go', settings), 1);
  return { peer, home, out, answer };
};

const touch = { command: ['touch', 'x'], workdir: 'sub', with_escalated_permissions: true };
const swap = { command: ['sh', '-c', 'rm -r sub && ln -s /OUT sub'] };
const reply = (id: unknown, decision: string): Json => ({ id, result: { action: 'accept', content: { decision } } });

needs('sandbox').describe('an approval for the session', () => {
  it('does not count where a link has taken the place of the folder, and the question names where it leads', async () => {
    const { peer, out, answer } = await asked(touch, swap, touch);
    const first = await peer.nextOf('elicitation/create');
    expect(first.params.message).not.toContain('link');
    peer.send(reply(first.id, 'approved_for_session'));
    const second = await peer.nextOf('elicitation/create');
    expect(readdirSync(out)).toEqual([]);
    expect(second.params.message).toContain(`sub is reached by a link; the command runs in ${out}`);
    peer.send(reply(second.id, 'approved'));
    await answer;
    expect(readdirSync(out)).toEqual(['x']);
  });
});

describe('an approval', () => {
  it('does not count for a folder that was replaced while the question was open', async () => {
    const { peer, home, out, answer } = await asked(touch);
    const { id } = await peer.nextOf('elicitation/create');
    rmdirSync(join(home.work, 'sub'));
    symlinkSync(out, join(home.work, 'sub'));
    peer.send(reply(id, 'approved'));
    expect((await answer).result.content[0].text).toContain('was replaced by a link');
    expect(readdirSync(out)).toEqual([]);
  });
});
