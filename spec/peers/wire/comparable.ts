/** Makes the messages of two programs comparable: what differs from run to run, and from machine to machine, gets a name. */
import type { Json } from '../../support/daemon/peer';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Members whose values are a matter of time, or of the version. */
const VARYING = /^(?:duration|duration_ms|history_log_id|log_id|user_agent|started_at|completed_at)$/;

const PATTERNS: [RegExp, string][] = [
  [/(rollout-)\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/g, '$1(time)'],
  [/(sessions\/)\d{4}\/\d\d\/\d\d/g, '$1(date)'],
  [/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '(time)'],
  [/([?&](?:code_challenge|state)=)[\w-]{20,}/g, '$1(random)'],
  [/"duration_seconds":\d+(\.\d+)?/g, '"duration_seconds":0'],
  [/\b\d+(\.\d+)?(ms|s)\b/g, '(duration)'],
];

/** What a run is known by: `places` are its folders and addresses with their names, `kept` holds the ids of the scenario. */
export type Run = { places: [string, string][]; kept: string };

/** Replaces what varies in a text; ids are named in the order in which they come. */
const namer = ({ places, kept }: Run) => {
  const ids = new Map<string, string>();
  const nameOf = (id: string): string => {
    if (kept.includes(id)) return id;
    const key = id.toLowerCase();
    return ids.get(key) ?? (ids.set(key, `(id ${ids.size + 1})`).get(key) as string);
  };
  return (text: string): string => {
    const placed = places.reduce((masked, [place, name]) => masked.replaceAll(place, name), text);
    return PATTERNS.reduce((masked, [pattern, name]) => masked.replace(pattern, name), placed.replace(UUID, nameOf));
  };
};

const bytesOf = (chunk: number[] | string): Buffer =>
  Array.isArray(chunk) ? Buffer.from(chunk) : Buffer.from(chunk, 'base64');

type Output = { call: string; stream: string; bytes: Buffer };

const outputOf = (message: Json): Output | undefined => {
  const event = message.params?.msg;
  if (event?.type !== 'exec_command_output_delta') return undefined;
  return { call: event.call_id, stream: event.stream, bytes: bytesOf(event.chunk) };
};

/** Output comes in pieces of any size: pieces of one stream that follow each other are one. */
const joined = (messages: Json[]): Json[] => {
  const all: Json[] = [];
  for (const message of messages) {
    const output = outputOf(message);
    const before = all.at(-1)?.output as Output | undefined;
    if (output === undefined) all.push(message);
    else if (before?.call !== output.call || before.stream !== output.stream) all.push({ output });
    else before.bytes = Buffer.concat([before.bytes, output.bytes]);
  }
  return all;
};

const readable = (message: Json): Json =>
  message.output === undefined || 'jsonrpc' in message
    ? message
    : { output: { ...message.output, bytes: message.output.bytes.toString('utf8') } };

/** Each message as a line of text with its members in order. */
export const comparable = (messages: Json[], run: Run): string[] => {
  const masked = namer(run);
  const visit = (value: unknown, key = ''): unknown => {
    if (VARYING.test(key)) return `(${key})`;
    if (typeof value === 'string') return masked(value);
    if (Array.isArray(value)) return value.map((one) => visit(one));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(
      members.map(([name, one]) => [
        masked(name),
        key === 'serverInfo' && name === 'version' ? '(version)' : visit(one, name),
      ]),
    );
  };
  return joined(messages).map((message) => JSON.stringify(visit(readable(message))));
};

const HEADERS = ['authorization', 'chatgpt-account-id', 'conversation_id', 'openai-beta', 'originator', 'session_id'];

/** The instructions and the descriptions of tools are each program's own. */
const withoutProse = ({ instructions, messages, tools, ...body }: Json): Json => ({
  ...body,
  ...(tools ? { tools: withoutDescriptions(tools) } : {}),
  ...(messages ? { messages: messages.filter(({ role }: Json) => role !== 'system') } : {}),
});

const withoutDescriptions = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'description');
  return Object.fromEntries(members.map(([name, one]) => [name, withoutDescriptions(one)]));
};

/** What a model received, one text per request. */
export const comparableRequests = (requests: Json[], run: Run): string[] =>
  comparable(
    requests.map(({ method, url, headers, body }) => ({
      request: `${method} ${url}`,
      headers: Object.fromEntries(HEADERS.filter((name) => name in headers).map((name) => [name, headers[name]])),
      body: typeof body === 'object' ? withoutProse(body) : body,
    })),
    run,
  );
