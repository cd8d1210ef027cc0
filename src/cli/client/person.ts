/** The person in the terminal, who answers the questions of a server, and sees lines of its log. */
import type { Readable } from 'node:stream';
import { asapScheduler, defaultIfEmpty, defer, mergeMap, type Observable, of, subscribeOn, take } from 'rxjs';
import { fromReadable } from '../../io/stdio/fromInput';
import { isObject, type JsonObject, parseObject, textOf, toObject } from '../../protocol/jsonrpc/json';
import type { Request } from '../../protocol/jsonrpc/messages';
import { noBackpressure } from '../../streams/backpressure';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { toVisible } from '../../streams/text/visible';

/** Emits the next line of a stream; undefined at its end. */
export const lineOf = (input: Readable): Observable<string | undefined> =>
  defer(() => {
    input.resume();
    return fromReadable<Uint8Array>(input, noBackpressure).pipe(decodeUtf8(), splitLines());
  }).pipe(take(1), defaultIfEmpty(undefined), subscribeOn(asapScheduler)); // after the line before has paused it

type Terminal = {
  /** Shows a text to the person. */
  show: (text: string) => void;
  /** Emits the next line that the person types; undefined at the end of the input. */
  line$: Observable<string | undefined>;
};

/**
 * Shows a question with its choices, and emits the result of `elicitation/create`. No choice, and the end of the input, decline it. What is no choice is asked
 * again. A form with other fields cannot be filled in here, and is declined.
 *   line  ---2|
 *   out   ---(A|)
 */
export const askPerson =
  ({ show, line$ }: Terminal) =>
  ({ params }: Request): Observable<JsonObject> =>
    defer(() => {
      const { message, requestedSchema } = toObject(params);
      const { name, choices } = choicesOf(requestedSchema);
      show(`\n${textOf(message)}\n`);
      if (name === undefined) {
        show('This form cannot be filled in here, so it is declined.\n');
        return of({ action: 'decline' });
      }
      const list = choices.map(({ title }, at) => `  ${at + 1}  ${title}\n`).join('');
      const ask = (): Observable<JsonObject> =>
        defer(() => {
          show(`${list}Your choice (1 to ${choices.length}; Enter declines): `);
          return line$.pipe(
            mergeMap((line = '') => {
              if (line.trim() === '' || /^no?$/i.test(line.trim())) return of({ action: 'decline' });
              const chosen = choices[/^y(?:es)?$/i.test(line.trim()) ? 0 : Number(line) - 1];
              return chosen ? of({ action: 'accept', content: { [name]: chosen.value } }) : ask();
            }),
          );
        });
      return ask();
    });

type Choice = { value: string; title: string };

/** The choices of a form that has one field; without a name there are none. */
const choicesOf = (schema: unknown): { name?: string; choices: Choice[] } => {
  const [field, ...others] = Object.entries(toObject(toObject(schema).properties));
  const { oneOf, enum: values } = toObject(field?.[1]);
  const all = Array.isArray(oneOf) ? oneOf : Array.isArray(values) ? values.map((value) => ({ const: value })) : [];
  const choices = all.filter(isObject).map(({ const: value, title }) => ({
    value: textOf(value),
    title: textOf(title) || textOf(value),
  }));
  return field === undefined || others.length > 0 || choices.length === 0 ? { choices } : { name: field[0], choices };
};

/** Lines of the log that are not shown, as the result of the call or its progress gives the same reason. */
const REPEATED =
  /^\S+ (?:error a turn failed|warning (?:a call (?:was rejected|could not begin)|the (?:engine is chosen|connection to the model was lost))) /;

/** A warning of a turn is shown by its reason alone: the person sees its turn, so the time and the ids are left out. */
const WARNING = /^\S+ warning a turn goes on with a warning .*?\breason=(".*")$/;

/** What is shown of a line of the log; undefined if the person sees its reason elsewhere. */
export const toShownLine = (line: string): string | undefined => {
  if (REPEATED.test(line)) return undefined;
  const reason = textOf(parseObject(`{"reason":${WARNING.exec(line)?.[1]}}`)?.reason);
  return reason === '' ? line : `warning: ${toVisible(reason)}`;
};
