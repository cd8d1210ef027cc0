/** Calls of the server that conforms which are not answered at once: `slow` ends in the next silence, `ask` asks its client. */
import { toObject } from '../../../src/protocol/jsonrpc/json';
import type { Json } from './planting';

/** A moment of silence, as a line. */
export const SILENCE = '<silence>';

const line = (members: object): string => JSON.stringify({ jsonrpc: '2.0', ...members });
const FORM = { type: 'object', properties: { sure: { type: 'boolean' } } };
const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: FORM } };
const DONE = { content: [{ type: 'text', text: 'done' }] };

/** What a connection knows of such calls. @returns the lines that a message causes; undefined if it is no matter of them */
export const callsOfServer = () => {
  let declared: Json = {};
  let slow: { id: unknown; token: unknown }[] = [];
  let asking: { id: unknown; question: string }[] = [];
  const ask = (id: unknown): string[] => {
    const question = `question-${asking.length}-${id}`;
    asking.push({ id, question });
    return [line({ id: question, ...QUESTION })];
  };
  const askModern = (id: unknown, { inputResponses, requestState }: Json, capabilities: Json): string[] => {
    if (requestState !== undefined && requestState !== 'state')
      return [line({ id, error: { code: -32602, message: 'Unknown state' } })];
    const isOver = 'q1' in toObject(inputResponses) || !('elicitation' in capabilities);
    const asked = { resultType: 'input_required', inputRequests: { q1: QUESTION }, requestState: 'state' };
    return [line({ id, result: isOver ? { resultType: 'complete', ...DONE } : asked })];
  };
  const call = (id: unknown, params: Json): string[] | undefined => {
    const meta = toObject(params._meta);
    const capabilities = meta['io.modelcontextprotocol/clientCapabilities'];
    const isTask = 'io.modelcontextprotocol/tasks' in toObject(toObject(capabilities).extensions);
    if (params.name === 'slow' && !isTask) {
      slow.push({ id, token: meta.progressToken });
      return [];
    }
    if (params.name !== 'ask' || isTask) return undefined;
    if (capabilities !== undefined) return askModern(id, params, toObject(capabilities));
    return 'elicitation' in declared ? ask(id) : [line({ id, result: DONE })];
  };
  const end = (): string[] => {
    const ended = slow;
    slow = [];
    return ended.flatMap(({ id, token }) => [
      ...[1, 2].flatMap((progress) =>
        token === undefined
          ? []
          : [line({ method: 'notifications/progress', params: { progressToken: token, progress } })],
      ),
      line({ id, result: { resultType: 'complete', ...DONE } }),
    ]);
  };
  const answered = ({ id }: Json): string[] => {
    const found = asking.find(({ question }) => question === id);
    asking = asking.filter((one) => one !== found);
    return found === undefined ? [] : [line({ id: found.id, result: DONE })];
  };
  return (message: Json): string[] | undefined => {
    const { id, method } = message;
    const params = toObject(message.params);
    if (method === SILENCE) return end();
    if (method === undefined) return answered(message);
    if (method === 'initialize') declared = toObject(params.capabilities);
    if (method === 'notifications/cancelled') {
      slow = slow.filter((one) => one.id !== params.requestId);
      asking = asking.filter((one) => one.id !== params.requestId);
    }
    return method === 'tools/call' && id !== undefined ? call(id, params) : undefined;
  };
};
