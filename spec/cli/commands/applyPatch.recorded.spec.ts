import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { runApplyPatch } from '../../../src/cli/commands/applyPatch';
import { silentLog } from '../../../src/protocol/log';
import { casesOf } from '../../support/cases';

type Content = string | { hex: string };
type Recorded = {
  id: string;
  note: string;
  files: Record<string, string>;
  binary_files_hex?: Record<string, string>;
  modes_before?: Record<string, string>;
  modes_after?: Record<string, string>;
  patch: string;
  exit: number;
  stdout: string;
  stderr: string | null;
  after: Record<string, Content>;
};
type Ran = Pick<Recorded, 'exit' | 'stdout' | 'stderr' | 'after' | 'modes_after'>;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'patch-recorded-')));
afterAll(() => rmSync(root, { recursive: true }));

const put = (folder: string, path: string, content: string | Buffer) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};

const contentOf = (path: string): Content => {
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : { hex: bytes.toString('hex') };
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const run = async (recorded: Recorded): Promise<Ran> => {
  const cwd = join(root, recorded.id);
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(recorded.files)) put(cwd, path, text);
  for (const [path, hex] of Object.entries(recorded.binary_files_hex ?? {})) put(cwd, path, Buffer.from(hex, 'hex'));
  for (const [path, mode] of Object.entries(recorded.modes_before ?? {})) chmodSync(join(cwd, path), Number(mode));
  const deps = { codexHome: join(root, 'home'), platform: process.platform, log: silentLog };
  const { stdout, stderr, exitCode } = await firstValueFrom(runApplyPatch(deps)({ text: recorded.patch, cwd }));
  const after = Object.fromEntries(filesIn(cwd).map((path) => [path, contentOf(join(cwd, path))]));
  const modes = Object.keys(after).map((path) => [path, `0o${(statSync(join(cwd, path)).mode & 0o777).toString(8)}`]);
  return {
    exit: exitCode,
    stdout,
    stderr,
    after,
    ...(recorded.modes_after && { modes_after: Object.fromEntries(modes) }),
  };
};

const SUCCESS = 'Success. Updated the following files:\n';

/** Where we differ: what the original does there is a fault. */
const BETTER: Record<string, Partial<Ran>> = {
  ap004: { stdout: `${SUCCESS}M x.txt\n` }, // a file that was there is changed, not added
  ap058: { after: { 'f.txt': 'a\nb\nz\nc\nd\ne\n' } }, // lines without any around them go behind their context
  ap061: { exit: 0, stdout: `${SUCCESS}M f.txt\n`, stderr: '', after: { 'f.txt': 'c\nz\n' } }, // it crashed
  ap062: { after: { 'f.txt': 'a1\na2\nb\nc\nz\n' } }, // lines for the end stay at the end
  ap071: { after: { 'f.txt': 'a   \nB\n' } }, // unchanged lines keep their blanks …
  ap072: { after: { 'f.txt': '    a\nB\n' } },
  ap079: { after: { 'f.txt': 'a\r\nB\r\nc\r\n' } }, // … and a file its line ends
  ap089: { after: { 'f.txt': 'A\n' } }, // a move onto itself lost the file
  ap092: { modes_after: { 'new.sh': '0o755' } }, // a moved file keeps its mode
  ap115: { after: { 'f.txt': 'a\nb\nc\nd\ne\n' } }, // all or nothing
};

describe('runApplyPatch next to Codex 0.28.0', () => {
  it.each(casesOf<Recorded>('apply_patch_dev').map((recorded) => [recorded.id, recorded.note, recorded] as const))(
    '%s %s',
    async (id, _, recorded) => {
      const { exit, stdout, stderr, after, modes_after } = recorded;
      const expected = { exit, stdout, stderr, after, ...(modes_after && { modes_after }), ...BETTER[id] };
      expect(await run(recorded)).toEqual(expected);
    },
  );

  it('differs from it only in what was marked as a fault', () => {
    const marked = casesOf<Recorded & { original_defect?: string }>('apply_patch_dev');
    const faults = marked.filter(({ original_defect }) => original_defect !== undefined).map(({ id }) => id);
    expect(faults).toEqual([...Object.keys(BETTER), 'ap066'].sort()); // ap066: no line is found where it was not named
  });
});
