/** Owns calls whose model streams many deltas: started together, checked whole. */
import { DELTA_CHARS } from '../../mockScenes.mjs';
import { nowMs, sleep } from '../../processes.mjs';
import { countDeltas } from './countDeltas.mjs';

/** Makes `calls` calls at once, each with `deltas` deltas. Resolves to { ms, perSecond, bytesEach, wrong }. */
export const streamDeltas = async (client, calls, deltas) => {
  const counter = countDeltas();
  client.hooks.raw = counter.raw;
  const bytesBefore = client.counts.bytes;
  const startedAt = nowMs();
  const first = client.lastId() + 1;
  const answers = await Promise.all(Array.from({ length: calls }, () => client.call(`bench:deltas:${deltas}`)));
  const ms = nowMs() - startedAt;
  const bytesEach = (client.counts.bytes - bytesBefore) / calls / deltas;
  await sleep(50); // for events that come behind their result
  client.hooks.raw = undefined;
  const ids = Array.from({ length: calls }, (_, i) => first + i);
  const short = answers.filter(({ result }) => result?.content?.[0]?.text?.length !== deltas * DELTA_CHARS);
  const wrong = [
    ...(short.length > 0
      ? [`${short.length} of ${calls} results wrong: ${JSON.stringify(short[0]).slice(0, 160)}`]
      : []),
    ...counter.wrong(ids, deltas).slice(0, 3),
  ];
  return { ms, perSecond: ((calls * deltas) / ms) * 1000, bytesEach, wrong };
};
