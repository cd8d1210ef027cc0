/** Patches of files that an editor shows: they are made for its text, and written through it, so that unsaved changes are neither missed nor lost. */
import { concatMap, defer, firstValueFrom, from, map, type Observable, of } from 'rxjs';
import type { applyPatch } from '../applying/applyPatch';
import { failureOf } from '../applying/failureOf';
import { changedFiles, type PatchOrder, type PatchOutcome, refusalOf } from '../applying/transact';
import { decodeText, encodeText } from '../patch/encoding';
import type { FilePlan } from '../patch/plan';
import type { Editor, EditorAnswer, FileState, Seen } from '../patch/seen';

type Look = (path: string, maxBytes: number) => Promise<Seen>;

/** The file as the editor shows it; as it is on the disk if the editor must not be asked, or has no text for it. */
export const lookInEditor =
  (look: Look, { pathOf, read }: Editor): Look =>
  async (absolute, maxBytes) => {
    const seen = await look(absolute, maxBytes);
    if (seen.kind !== 'file' || seen.real !== seen.entry || decodeText(seen.file.bytes) === undefined) return seen;
    const path = await pathOf(absolute, seen.real);
    const answer = path === undefined ? undefined : await firstValueFrom(read(path));
    if (path === undefined || answer === undefined || 'fault' in answer) return seen;
    const bytes = encodeText(answer.text);
    return bytes.length > maxBytes
      ? seen
      : { ...seen, file: { ...seen.file, bytes, editor: { path, saved: seen.file.bytes } } };
  };

type ApplyDeps = { look: Look; apply: ReturnType<typeof applyPatch> };

/** A file that the editor has shown, and whose text changes. */
type Shown = { plan: FilePlan; path: string; before: FileState; after: FileState };

/**
 * Applies a plan. Texts that the editor has shown are written through it, if they are still the same; then everything else, such as a file that is
 * added, moved or removed, on the disk. If something fails, the editor gets its old texts again.
 *   order  a-----
 *   out    ----(A|)
 */
export const applyInEditor =
  ({ look, apply }: ApplyDeps) =>
  (order: PatchOrder): Observable<PatchOutcome> => {
    const { editor, plan } = order;
    const shown = plan.files.flatMap(toShown);
    const others = plan.files.filter((file) => !shown.some((one) => one.plan === file)).map(asSaved);
    const onDisk: PatchOrder = { ...order, plan: { ...plan, files: others } };
    if (editor === undefined || shown.length === 0) return apply(onDisk);
    const refusal = refusalOf(order);
    if (refusal !== undefined) return of({ kind: 'failed', message: refusal });
    return defer(() => from(writeAll({ editor, look }, shown))).pipe(
      concatMap((fault): Observable<PatchOutcome> => {
        if (fault !== undefined) return of({ kind: 'failed', message: fault });
        if (changedFiles(others).length === 0) return of({ kind: 'applied', summary: plan.summary });
        return apply(onDisk).pipe(
          concatMap((outcome) => (outcome.kind === 'applied' ? of(outcome) : from(undone(editor, shown, outcome)))),
        );
      }),
    );
  };

const toShown = (plan: FilePlan): Shown[] => {
  const { before, after } = plan;
  return before?.editor && after ? [{ plan, path: before.editor.path, before, after }] : [];
};

/** A plan for the disk expects what is on the disk. */
const asSaved = (plan: FilePlan): FilePlan =>
  plan.before?.editor ? { ...plan, before: { ...plan.before, bytes: plan.before.editor.saved } } : plan;

type WriteDeps = { editor: Editor; look: Look };

/** Undefined if all texts are written; otherwise why not. Every file is checked before the first is written. */
const writeAll = async (deps: WriteDeps, files: readonly Shown[]): Promise<string | undefined> => {
  for (const file of files) {
    const fault = await whyChanged(deps, file);
    if (fault !== undefined) return `${failureOf(file.plan)}: ${fault}. No file was changed`;
  }
  for (const [index, file] of files.entries()) {
    const fault = await faultOf(write(deps.editor, file.path, file.after));
    if (fault !== undefined) {
      const { message } = await undone(deps.editor, files.slice(0, index), { message: '' });
      return `${failureOf(file.plan)}: the editor did not write the file: ${fault}. ${message || 'No other file was changed'}`;
    }
  }
  return undefined;
};

const MOST_BYTES = Number.POSITIVE_INFINITY;

/** Why a file is not the file that the patch was made for. A link that has come into its path is found here: the editor would follow it. */
const whyChanged = async ({ editor, look }: WriteDeps, { plan, path, before }: Shown): Promise<string | undefined> => {
  const seen = await look(path, MOST_BYTES);
  if (seen.kind !== 'file' || seen.real !== plan.real || seen.entry !== plan.real)
    return 'another file or a link is at its path now';
  const answer = await firstValueFrom(editor.read(path));
  if ('fault' in answer) return `the editor does not show the file any more: ${answer.fault}`;
  return Buffer.compare(encodeText(answer.text), before.bytes) === 0
    ? undefined
    : 'its text in the editor has changed since the patch was made';
};

const write = (editor: Editor, path: string, { bytes }: FileState): Observable<EditorAnswer> =>
  editor.write(path, decodeText(bytes) ?? '');

const faultOf = (answer$: Observable<EditorAnswer>): Promise<string | undefined> =>
  firstValueFrom(answer$.pipe(map((answer) => ('fault' in answer ? answer.fault : undefined))));

/** A failure after the editor has its old texts again, and what it did not take back. */
const undone = async <F extends { message: string }>(
  editor: Editor,
  files: readonly Shown[],
  failure: F,
): Promise<F> => {
  const left: string[] = [];
  for (const { path, before } of files.toReversed()) {
    if ((await faultOf(write(editor, path, before))) !== undefined) left.push(path);
  }
  const consequence = left.length === 0 ? '' : `The editor could not bring these files back: ${left.join(', ')}`;
  return { ...failure, message: [failure.message, consequence].filter((text) => text !== '').join('. ') };
};
