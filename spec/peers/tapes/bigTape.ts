/** Owns a tape of any size: calls with events, deltas, questions, errors, a few at once; always the same. */

type Message = Record<string, unknown>;

/** So many lines after `meta`; the text `needle` is in the call in the middle. */
export const bigTape = (size: number): string => {
  const lines: string[] = [];
  const say = (dir: string, message: Message): void => {
    const t = Math.round(lines.length * 17.3) / 10;
    lines.push(JSON.stringify({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) }));
  };
  const event = (id: number, type: string, more: Message = {}): void => {
    const params = { _meta: { requestId: id, threadId: `thread-${id % 20}` }, msg: { type, ...more } };
    say('out', { method: 'codex/event', params });
  };
  for (let id = 0; lines.length < size; id += 1) callOf({ id, middle: size / 2, at: lines.length }, say, event);
  return [JSON.stringify({ meta: { version: 1, recorder: 'generated' } }), ...lines.slice(0, size)].join('\n');
};

type Say = (dir: string, message: Message) => void;
type Event = (id: number, type: string, more?: Message) => void;

const callOf = ({ id, middle, at }: { id: number; middle: number; at: number }, say: Say, event: Event): void => {
  const prompt = at <= middle && at + 22 > middle ? 'a needle' : `job ${id}`;
  say('in', { id, method: 'tools/call', params: { name: id % 3 ? 'codex' : 'codex-reply', arguments: { prompt } } });
  event(id, 'task_started');
  for (let i = 0; i < 6; i += 1) {
    event(id, 'agent_message_delta', { delta: 'word ' });
    if (i % 2 === 1) event(id, 'exec_command_begin', { command: ['ls', '-l'] });
    if (i % 3 === 2) event(id, 'exec_command_end', { exit_code: 0 });
  }
  say('out', { method: 'notifications/progress', params: { progressToken: id, progress: 1 } });
  if (id % 5 === 0) {
    say('out', { id, method: 'elicitation/create', params: { message: 'May I?' } });
    say('in', { id, result: { action: 'accept' } });
  }
  event(id, 'token_count', { total: id });
  event(id, 'agent_message', { message: 'lorem ipsum '.repeat(12) });
  event(id, 'task_complete');
  const result = id % 17 === 0 ? { error: { code: -1, message: 'no' } } : { result: { content: [] } };
  say('out', { id, ...result });
};
