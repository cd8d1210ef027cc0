/** Owns the client's answers to the server's questions: each is compared with the recorded one. */
import { idKey } from '../protocol';
import { diffJson, toDifferenceText } from './diffJson';
import { toCanonical } from './matchKey';
import { type Played, toError, toLine } from './played';
import { arrive, type Round, silence } from './round';
import { labelOf, type Spoken, type Word } from './words';

/** What follows from an answer. @param rounds the playings, newest first. Undefined when it answers no question that is open. */
export const answerQuestion = (rounds: readonly Round[], { words }: Spoken, atMs: number): Played[] | undefined => {
  const [word] = words;
  if (word?.kind !== 'response' || word.id === null) return undefined;
  const key = idKey(word.id);
  for (const round of rounds) {
    const question = [...round.asked].find((index) => asksBy(round, index, key));
    if (question === undefined) continue;
    round.asked.delete(question);
    return checkAnswer(round, question, word, atMs);
  }
  return undefined;
};

const asksBy = ({ recording }: Round, index: number, key: string): boolean =>
  recording.told[index]?.words.some((word) => word.kind === 'request' && idKey(word.id) === key) ?? false;

const checkAnswer = (round: Round, question: number, word: Word & { kind: 'response' }, atMs: number): Played[] => {
  const { told, heard } = round.recording;
  const asked = told[question];
  const recorded = asked?.answered === undefined ? undefined : heard[asked.answered];
  const what = `line ${asked?.lineNumber}: ${labelOf(asked?.words[0])}`;
  if (asked?.answered === undefined || recorded === undefined) {
    return [{ kind: 'trouble', text: `Not recorded: an answer to ${what}; the recorded client gave none` }];
  }
  const before = recorded.words[0];
  const body = before?.kind === 'response' ? before.body : {};
  if (toCanonical(body) === toCanonical(word.body)) return arrive(round, asked.answered, [], atMs).map(toLine);
  const differences = diffJson(body, word.body, 'answer');
  const text = `Not recorded: this answer to ${what}; ${differences.slice(0, 3).map(toDifferenceText).join('; ')}`;
  return [{ kind: 'trouble', text }, ...failOwner(round, asked.owner, text)];
};

/** What was recorded followed from another answer, so the request that it belongs to fails. */
const failOwner = (round: Round, owner: number, text: string): Played[] => {
  silence(round, owner);
  const [word] = round.recording.heard[owner]?.words ?? [];
  if (word?.kind !== 'request') return [];
  const { renamings = [] } = round.arrivals[owner] ?? {};
  return [toError(renamings.find(({ by }) => by === 'id')?.now ?? word.id, text)];
};
