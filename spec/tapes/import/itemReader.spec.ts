import { itemReader } from '../../../src/tapes/import/itemReader';
import type { RolloutItem } from '../../../src/threads/lines/readRolloutLine';

const event = (type: string): RolloutItem => ({ kind: 'event', msg: { type } });
const ITEMS: Readonly<Record<string, RolloutItem[]>> = {
  prompt: [{ kind: 'prompt', text: 'go' }],
  begin: [event('task_started')],
  end: [event('task_complete')],
  message: [event('agent_message')],
  other: [event('token_count')],
};

/** What becomes of lines that each name one of the items above. */
const drawn = (...names: string[]) => {
  const reader = itemReader(
    ({ name }) => ITEMS[String(name)],
    () => undefined,
  );
  reader.begin({ threadId: 'T', startedMs: 0 });
  const entries = names.flatMap((name, at) => reader.read({ lineNumber: at + 1, value: { name } }));
  return [...entries, ...reader.end()].map(({ line }) => {
    const { id, params } = JSON.parse(line);
    return params === undefined ? `answer ${id}` : `${params.msg?.type ?? params.name} ${params.id ?? id}`;
  });
};

describe('itemReader', () => {
  it.each<[string, string[], string[]]>([
    [
      'the beginning of a turn in its call',
      ['begin', 'prompt', 'end'],
      ['codex 1', 'session_configured 1', 'task_started 1', 'task_complete 1', 'answer 1'],
    ],
    [
      'what comes between two calls in the later one',
      ['prompt', 'end', 'other', 'prompt'],
      ['codex 1', 'session_configured 1', 'task_complete 1', 'answer 1', 'codex-reply 2', 'token_count 2', 'answer 2'],
    ],
    [
      'what comes after the last call with it',
      ['prompt', 'end', 'other'],
      ['codex 1', 'session_configured 1', 'task_complete 1', 'answer 1', 'token_count 1'],
    ],
    [
      'a turn that no prompt began as a call',
      ['begin', 'other', 'message'],
      ['codex 1', 'session_configured 1', 'task_started 1', 'token_count 1', 'agent_message 1', 'answer 1'],
    ],
    ['no call if nothing is done', ['begin', 'other', 'end'], []],
  ])('has %s', (_, names, expected) => {
    expect(drawn(...names)).toEqual(expected);
  });
});
