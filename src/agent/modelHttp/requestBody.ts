/** The body of a request to a model: JSON in pieces, because a conversation with pictures and outputs has tens of megabytes. */
import { map, type Observable, toArray } from 'rxjs';
import { inTurns } from '../../streams/inTurns';

/** UTF-16 units after which a piece ends, with the item of a list that reaches them. */
const PIECE_CHARS = 1_048_576;
/** Pieces that are made in one turn of the event loop; a shorter body is made at once. */
const AT_ONCE = 3;

/**
 * Emits the JSON of an object once, as pieces in UTF-8, and completes. Unsubscribing ends the work.
 *   out  (abc)    (a short body, at once)
 *   out  ---(abc)
 */
export const requestBody = (members: object): Observable<readonly Uint8Array[]> =>
  inTurns(piecesOf(members), AT_ONCE).pipe(
    map((texts) => texts.map((text) => Buffer.from(text))), // in this turn too, and out of the heap
    toArray(),
    map((turns) => turns.flat()),
  );

function* piecesOf(members: object): Generator<string> {
  let text = '';
  for (const part of partsOf(members)) {
    text += part;
    if (text.length < PIECE_CHARS) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** As `JSON.stringify`; a list is a part for each of its items. */
function* partsOf(members: object): Generator<string> {
  yield '{';
  let comma = '';
  for (const [name, value] of Object.entries(members).filter(([, value]) => value !== undefined)) {
    yield `${comma}${JSON.stringify(name)}:`;
    comma = ',';
    if (Array.isArray(value)) yield* itemsOf(value);
    else yield JSON.stringify(value);
  }
  yield '}';
}

function* itemsOf(list: readonly unknown[]): Generator<string> {
  yield '[';
  for (const [i, item] of list.entries()) yield `${i === 0 ? '' : ','}${JSON.stringify(item)}`;
  yield ']';
}
