/** The seam of what applies patches. What it asks an editor in the meantime are responses too, so that a rerun asks its client again. */
import { concatMap, defer, ignoreElements, merge, type Observable, of, Subject, takeWhile } from 'rxjs';
import type { Editor } from '../../executor/patch/seen';
import { recordCalls, type SeamDeps } from '../format/seams';
import type { CallAnswers, Recorded } from '../rerun/answerCalls';
import { fromSeamJson, type Patches } from './ports';

/** What an editor was asked. */
type Asked = { kind: 'asked'; path: string; text?: string };

type Answer = { kind: string };

/** The patches, recorded. */
export const recordPatches =
  (seam: SeamDeps<object, Answer>) =>
  ({ check, apply }: Patches): Patches => {
    const call = (request: object, editor: Editor | undefined, run: (editor?: Editor) => Observable<Answer>) =>
      recordCalls(seam, () => withAsked(editor, run))(request).pipe(
        concatMap((answer) => (isAsked(answer) ? [] : [answer])),
      ) as Observable<never>;
    return {
      check: (text, folder, editor) =>
        call({ kind: 'check', text, folder }, editor, (asked) => check(text, folder, asked)),
      apply: ({ editor, ...order }) =>
        call({ kind: 'apply', summary: order.plan.summary }, editor, (asked) =>
          apply({ ...order, ...(asked && { editor: asked }) }),
        ),
    };
  };

/** What the editor is asked, and then the answer. */
const withAsked = (editor: Editor | undefined, run: (editor?: Editor) => Observable<Answer>): Observable<Answer> => {
  if (editor === undefined) return run();
  return defer(() => {
    const asked$ = new Subject<Asked>(); // the wire from the editor to the tape
    const asking = (asked: Asked, ask: () => Observable<never>) =>
      defer(() => {
        asked$.next(asked);
        return ask();
      });
    const { read, write } = editor;
    const noted: Editor = {
      ...editor,
      read: (path) => asking({ kind: 'asked', path }, () => read(path) as Observable<never>),
      write: (path, text) => asking({ kind: 'asked', path, text }, () => write(path, text) as Observable<never>),
    };
    return merge(asked$, run(noted)).pipe(takeWhile(isAsked, true));
  });
};

const isAsked = (answer: Answer): answer is Asked => answer.kind === 'asked';

/** The patches of a tape. Nothing is read or written but what the client's editor shows. */
export const tapePatches = (ask: CallAnswers['ask'], unrecorded: string): Patches => {
  const answer = (request: object, editor: Editor | undefined) =>
    ask('patch', JSON.stringify(request)).pipe(
      concatMap((recorded) => {
        const one = toAnswer(recorded, unrecorded);
        return isAsked(one) ? askAgain(one, editor) : of(one);
      }),
    ) as Observable<never>;
  return {
    check: (text, folder, editor) => answer({ kind: 'check', text, folder }, editor),
    apply: ({ plan, editor }) => answer({ kind: 'apply', summary: plan.summary }, editor),
  };
};

const toAnswer = (recorded: Recorded, message: string): Answer =>
  recorded.kind === 'entry' ? (fromSeamJson(recorded.entry.line) as Answer) : ({ kind: 'failed', message } as Answer);

const askAgain = ({ path, text }: Asked, editor: Editor | undefined): Observable<never> => {
  const answer$ = text === undefined ? editor?.read(path) : editor?.write(path, text);
  return (answer$ ?? of()).pipe(ignoreElements());
};
