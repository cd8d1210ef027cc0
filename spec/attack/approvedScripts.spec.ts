/** A model gets a command approved for the session, then changes what the command runs; the person is asked again. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatMap, defer, EMPTY, of } from 'rxjs';
import { markHere } from '../../src/agent/native/fileMarks';
import { prepareCall } from '../../src/agent/sampling/prepareCall';
import { assessCommand, type CommandDeps } from '../../src/agent/tools/commandCalls';
import { shellTool } from '../../src/agent/tools/shellTool';
import { type Assessment, type ToolEvent, toolTable, toRow } from '../../src/agent/tools/tool';
import type { ReviewResult } from '../../src/protocol/codex/approval';
import type { Ask } from '../../src/protocol/codex/engine';
import { modelOf, shell, turnOf } from '../agent/support';
import { around, settingsOf } from '../agent/tools/support';
import { removeFolder } from '../support/files';

const LONG = 2_000_000;

describe('an approval of a command for the session', () => {
  let folder = '';
  const at = (path: string): string => join(folder, path);
  const write = (path: string, text: string): void => writeFileSync(at(path), text, { mode: 0o755 });
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-approved-')));
    for (const path of ['sub', 'bin', '.git']) mkdirSync(at(path));
    for (const path of ['run.sh', 'sub/run.sh', 'bin/tool', 'other.sh', 'a b.sh']) write(path, 'echo old');
    write('long', 'x'.repeat(LONG));
    symlinkSync('run.sh', at('link.sh'));
  });
  afterEach(() => removeFolder(folder));

  const depsOf = (own: Partial<CommandDeps> = {}): CommandDeps =>
    around({
      marksOf: (paths) => of(paths.map(markHere)),
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
