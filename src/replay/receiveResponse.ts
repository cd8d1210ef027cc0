/** Owns the client's answers to the server's questions: each is compared with the recorded one. */
import { idKey } from '../protocol/jsonrpc';
import { diffJson, labelOf, type ParsedLine, type TapeMessage, toCanonical, toDifferenceText } from '../session';
import { type PlaybackEvent, toError, toLine } from './playbackEvent';
import { mute, type PlaybackSession, receiveLine } from './playbackSession';

/** What follows from an answer. @param rounds the playings, newest first. Undefined when it answers no question that is open. */
export const receiveResponse = (
  rounds: readonly PlaybackSession[],
  { messages }: ParsedLine,
  atMs: number,
): PlaybackEvent[] | undefined => {
  const [message] = messages;
  if (message?.kind !== 'response' || message.id === null) return undefined;
  const key = idKey(message.id);
  for (const round of rounds) {
    const question = [...round.asked].find((index) => asksBy(round, index, key));
    if (question === undefined) continue;
    round.asked.delete(question);
    return checkAnswer(round, question, message, atMs);
  }
  return undefined;
};

const asksBy = ({ recording }: PlaybackSession, index: number, key: string): boolean =>
  recording.told[index]?.messages.some((message) => message.kind === 'request' && idKey(message.id) === key) ?? false;

const checkAnswer = (
  round: PlaybackSession,
  question: number,
  message: TapeMessage & { kind: 'response' },
  atMs: number,
): PlaybackEvent[] => {
  const { told, heard } = round.recording;
  const asked = told[question];
  const recorded = asked?.answered === undefined ? undefined : heard[asked.answered];
  const what = `line ${asked?.lineNumber}: ${labelOf(asked?.messages[0])}`;
  if (asked?.answered === undefined || recorded === undefined) {
    return [{ kind: 'trouble', text: `Not recorded: an answer to ${what}; the recorded client gave none` }];
  }
  const before = recorded.messages[0];
  const body = before?.kind === 'response' ? before.body : {};
  if (toCanonical(body) === toCanonical(message.body)) return receiveLine(round, asked.answered, [], atMs).map(toLine);
  const differences = diffJson(body, message.body, 'answer');
  const text = `Not recorded: this answer to ${what}; ${differences.slice(0, 3).map(toDifferenceText).join('; ')}`;
  return [{ kind: 'trouble', text }, ...failOwner(round, asked.owner, text)];
};

/** What was recorded followed from another answer, so the request that it belongs to fails. */
const failOwner = (round: PlaybackSession, owner: number, text: string): PlaybackEvent[] => {
  mute(round, owner);
  const [message] = round.recording.heard[owner]?.messages ?? [];
  if (message?.kind !== 'request') return [];
  const { renamings = [] } = round.arrivals[owner] ?? {};
  return [toError(renamings.find(({ by }) => by === 'id')?.now ?? message.id, text)];
};
