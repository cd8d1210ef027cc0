/** Patches on a disk that is full: a file system of its own, made by bubblewrap. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../executor/localPatch/files';
import { patchOf } from '../../executor/patch/support';
import { needs } from '../../support/needs/needs';
import { build } from './startPatch';

const { describe } = needs('sandbox');

describe('a patch on a full disk', () => {
  const root = newFolder();
  const program = build('patchProgram', root);
  const BYTES = 262_144;
  const cwd = join(root, 'ws');
  mkdirSync(cwd);

  /** Runs a patch in a folder of a size; what it printed, and then all that is in the folder. */
  const run = (patch: string, bytes: number): [string, string] => {
    const patchFile = join(root, 'p.patch');
    writeFileSync(patchFile, patch);
    const script = `cd ${cwd} && printf 'a\\n' > a && printf 'b\\n' > b && "$0" "$1"; find . -type f -exec head -c 9 {} + | sort`;
    const output = execFileSync(
      'bwrap',
      [
        ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', root, root],
        ...['--size', `${bytes}`, '--tmpfs', cwd, '--setenv', 'PATCH_FILE', patchFile],
        ...['--setenv', 'PATCH_HOME', join(root, 'other'), '--setenv', 'PATCH_JOURNALS', join(root, 'journals')],
        ...['sh', '-c', script, process.execPath, program],
      ],
      { encoding: 'utf8' },
    );
    const [outcome = '', ...files] = output.split('\n');
    return [outcome, files.filter((line) => line !== '').join(' ')];
  };

  const lines = (count: number) => Array.from({ length: count }, (_, at) => `+${'x'.repeat(99)}${at}`);
  const PATCH = patchOf(
    ...['*** Update File: a', '@@', '-a', '+A', '*** Add File: new/big', ...lines(4_000)],
    ...['*** Update File: b', '@@', '-b', '+B', '*** Delete File: a', '*** Add File: a', '+again'],
  );

  it('is applied if there is room', () => {
    const [outcome, files] = run(PATCH, 10 * BYTES);
    expect(JSON.parse(outcome).kind).toBe('applied');
    expect(files).toBe('==> ./a <== ==> ./b <== ==> ./new/big <== B again xxxxxxxxx');
  });

  it('changes nothing if there is none, and leaves nothing', () => {
    const [outcome, files] = run(PATCH, BYTES);
    expect(JSON.parse(outcome)).toMatchObject({
      kind: 'failed',
      message: 'Failed to write file new/big: No space left on device (os error 28). No file was changed',
    });
    expect(files).toBe('==> ./a <== ==> ./b <== a b');
  });
});
