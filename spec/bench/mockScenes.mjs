/** Owns what the mock model says: prepared bytes of the Responses API's event stream, so that the mock costs little of what is timed. */

/** Every delta is 20 characters and begins with its place: 00000012-delta-text- */
export const DELTA_CHARS = 20;
const deltaText = (_, place) => `${String(place).padStart(8, '0')}-delta-text-`;

const event = (body) => `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;
const created = event({ type: 'response.created', response: { id: 'resp_bench' } });
const usage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};
const completed = event({ type: 'response.completed', response: { id: 'resp_bench', usage } });
const done = (item) => event({ type: 'response.output_item.done', output_index: 0, item });

/** A message that comes in deltas. */
const message = (deltas) => {
  const item = { type: 'message', role: 'assistant', id: 'msg_bench' };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const lines = [
    created,
    event({ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }),
    ...deltas.map((delta) => event({ type: 'response.output_text.delta', ...place, delta })),
    done({ ...item, content: [{ type: 'output_text', text: deltas.join('') }] }),
    completed,
  ];
  return Buffer.from(lines.join(''));
};

/** One shell command, asked for in the form of the tool that the server offers. */
const command = (tools, bytes) => {
  const script = `yes ${'x'.repeat(79)} | head -c ${bytes}`;
  const forms = {
    shell: { command: ['sh', '-c', script], timeout_ms: 60_000 },
    shell_command: { command: script, timeout_ms: 60_000 },
    exec_command: { cmd: script, yield_time_ms: 30_000, max_output_tokens: 100_000 },
  };
  const offered = (tools ?? []).map((tool) => tool.name ?? tool.type);
  const name = Object.keys(forms).find((form) => offered.includes(form));
  if (name === undefined) return undefined;
  const call = { type: 'function_call', id: 'fc_bench', call_id: 'call_bench', name };
  return Buffer.from(created + done({ ...call, arguments: JSON.stringify(forms[name]) }) + completed);
};

const prepared = new Map();
const once = (key, make) => {
  if (!prepared.has(key)) prepared.set(key, make());
  return prepared.get(key);
};

const SAY = message(['done']);

/**
 * Reads the last `bench:SCENE:SIZE` of a request and gives { scene, bytes } to answer; `bytes` is absent for a scene without end.
 *   say         one short message        deltas:K    K deltas, then the message
 *   text:N      a message of N characters in one delta
 *   exec:N      a command printing N bytes; after its output, the short message
 *   hold        the answer begins and never ends
 */
export const sceneOf = (body) => {
  const at = body.lastIndexOf('bench:');
  const [, scene, size] = /^bench:([a-z]+):?(\d*)/.exec(body.slice(at, at + 40)) ?? [];
  if (scene === 'hold') return { scene, start: Buffer.from(created) };
  if (scene === 'deltas') {
    return { scene, bytes: once(`deltas:${size}`, () => message(Array.from({ length: Number(size) }, deltaText))) };
  }
  if (scene === 'text') return { scene, bytes: once(`text:${size}`, () => message(['x'.repeat(Number(size))])) };
  if (scene !== 'exec') return { scene, bytes: SAY };
  if (body.indexOf('function_call_output', at) >= 0) return { scene: 'execDone', bytes: SAY };
  const bytes = command(JSON.parse(body).tools, Number(size));
  return bytes === undefined ? { scene: 'noShell', bytes: SAY } : { scene, bytes };
};
