import { lastValueFrom, type Observable, of, queueScheduler } from 'rxjs';
import type { PatchOrder, PatchOutcome } from '../../../src/executor/applying/transact';
import { applyInEditor, lookInEditor } from '../../../src/executor/localPatch/editorFiles';
import { checkPatch } from '../../../src/executor/patch/checkPatch';
import type { Plan } from '../../../src/executor/patch/plan';
import type { Editor, EditorAnswer, Seen } from '../../../src/executor/patch/seen';
import { patchOf } from '../patch/support';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const fileAt = (real: string, text: string): Seen => ({
  kind: 'file',
  real,
  entry: real,
  file: { bytes: bytes(text), mode: 0o644, access: 'writable' },
});

/** A disk and an editor; the editor does not write the paths and texts of `refuses`, and shows nothing of the files that it lacks. */
const machine = (disk: Record<string, Seen>, buffers: Record<string, string>, refuses: readonly string[] = []) => {
  const asked: string[] = [];
  const applied: PatchOrder[] = [];
  const answer = (text: string | undefined): Observable<EditorAnswer> =>
    of(text === undefined ? { fault: 'no such file' } : { text });
  const editor: Editor = {
    pathOf: async (absolute) => (absolute.includes('secret') ? undefined : absolute),
    read: (path) => {
      asked.push(`read ${path}`);
      return answer(buffers[path]);
    },
    write: (path, text) => {
      asked.push(`write ${path}`);
      if (refuses.includes(path) || refuses.includes(text)) return of({ fault: 'it is locked' });
      buffers[path] = text;
      return answer(text);
    },
  };
  const look = async (path: string): Promise<Seen> => disk[path] ?? { kind: 'absent', real: path };
  const outcome: PatchOutcome = { kind: 'failed', message: 'the disk is full' };
  const apply = (order: PatchOrder) => {
    applied.push(order);
    return of(refuses.includes('disk') ? outcome : { kind: 'applied' as const, summary: order.plan.summary });
  };
  const check = checkPatch({
    look: lookInEditor(look, editor),
    isFolder: async () => true,
    recover: async () => {},
    starts: queueScheduler,
  });
  return {
    asked,
    applied,
    buffers,
    plan: async (...lines: string[]) => (await lastValueFrom(check(patchOf(...lines), '/w'))) as Plan,
    apply: (plan: Plan, mayWrite: PatchOrder['mayWrite'] = () => true) =>
      lastValueFrom(applyInEditor({ look, apply })({ plan, mayWrite, editor })),
  };
};

const UPDATE_A = ['*** Update File: a', '@@', '-old', '+new'];
const UPDATE_B = ['*** Update File: b', '@@', '-old', '+new'];

describe('a patch of a file that an editor shows', () => {
  it('is made for the text of the editor, and written through it', async () => {
    const { plan, apply, buffers, applied } = machine({ '/w/a': fileAt('/w/a', 'old\n') }, { '/w/a': 'head\nold\n' });
    expect(await apply(await plan(...UPDATE_A))).toMatchObject({ kind: 'applied' });
    expect(buffers['/w/a']).toBe('head\nnew\n');
    expect(applied).toEqual([]);
  });

  it('is applied to the disk if the editor has no text for the file, or must not be asked', async () => {
    const disk = { '/w/a': fileAt('/w/a', 'old\n'), '/w/secret': fileAt('/w/secret', 'old\n') };
    const { plan, apply, applied, asked } = machine(disk, { '/w/secret': 'x' });
    const made = await plan(...UPDATE_A, '*** Update File: secret', '@@', '-old', '+new');
    await apply(made);
    expect(asked).toEqual(['read /w/a']);
    expect(applied.map((order) => order.plan)).toEqual([made]);
  });

  it('is applied to the disk if a link leads to the file, or it is no text', async () => {
    const disk: Record<string, Seen> = {
      '/w/a': { ...(fileAt('/w/b', 'old\n') as Extract<Seen, { kind: 'file' }>), entry: '/w/a' },
      '/w/b': {
        kind: 'file',
        real: '/w/b',
        entry: '/w/b',
        file: { bytes: new Uint8Array([255]), mode: 0o644, access: 'writable' },
      },
    };
    const { plan, asked } = machine(disk, { '/w/a': 'x', '/w/b': 'x' });
    await plan(...UPDATE_A, '*** Delete File: b');
    expect(asked).toEqual([]);
  });

  it('fails if the text has changed in the editor meanwhile', async () => {
    const { plan, apply, buffers } = machine({ '/w/a': fileAt('/w/a', 'old\n') }, { '/w/a': 'old\n' });
    const made = await plan(...UPDATE_A);
    buffers['/w/a'] = 'old\nmore\n';
    expect(await apply(made)).toEqual({
      kind: 'failed',
      message:
        'Failed to write file a: its text in the editor has changed since the patch was made. No file was changed',
    });
    expect(buffers['/w/a']).toBe('old\nmore\n');
  });

  it('fails if a link or another file has come into its path meanwhile, and the editor is not asked to write', async () => {
    const disk = { '/w/a': fileAt('/w/a', 'old\n') };
    const { plan, apply, asked } = machine(disk, { '/w/a': 'old\n' });
    const made = await plan(...UPDATE_A);
    disk['/w/a'] = fileAt('/etc/passwd', 'old\n');
    expect(await apply(made)).toMatchObject({ kind: 'failed', message: expect.stringContaining('a link') });
    expect(asked).toEqual(['read /w/a']);
  });

  it('is not written to a file that may not be written', async () => {
    const { plan, apply, asked } = machine({ '/w/a': fileAt('/w/a', 'old\n') }, { '/w/a': 'old\n' });
    const outcome = await apply(await plan(...UPDATE_A), () => false);
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('outside the folders') });
    expect(asked).toEqual(['read /w/a']);
  });

  it.each([
    ['the editor does not write another one', ['/w/b'], 'the editor did not write the file: it is locked'],
    ['the disk does not take the rest', ['disk'], 'the disk is full'],
  ])('gets its old text back if %s', async (_, refuses, reason) => {
    const disk = { '/w/a': fileAt('/w/a', 'old\n'), '/w/b': fileAt('/w/b', 'old\n') };
    const { plan, apply, buffers } = machine(disk, { '/w/a': 'old\n', '/w/b': 'old\n' }, refuses);
    const outcome = await apply(await plan(...UPDATE_A, ...UPDATE_B, '*** Add File: c', '+c'));
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining(reason) });
    expect(buffers).toEqual({ '/w/a': 'old\n', '/w/b': 'old\n' });
  });

  it('names the files that the editor does not bring back', async () => {
    const { plan, apply } = machine({ '/w/a': fileAt('/w/a', 'old\n') }, { '/w/a': 'old\n' }, ['disk', 'old\n']);
    expect(await apply(await plan(...UPDATE_A, '*** Add File: c', '+c'))).toEqual({
      kind: 'failed',
      message: 'the disk is full. The editor could not bring these files back: /w/a',
    });
  });

  it('is removed or moved on the disk, whose content is expected there', async () => {
    const disk = { '/w/a': fileAt('/w/a', 'old\n') };
    const { plan, apply, applied, asked } = machine(disk, { '/w/a': 'head\nold\n' });
    await apply(await plan('*** Update File: a', '*** Move to: c', '@@', '-old', '+new'));
    expect(asked).toEqual(['read /w/a']);
    const [from, to] = ['/w/a', '/w/c'].map((real) => applied[0]?.plan.files.find((file) => file.real === real));
    expect(from?.before?.bytes).toEqual(bytes('old\n'));
    expect(to?.after?.bytes).toEqual(bytes('head\nnew\n'));
  });
});
