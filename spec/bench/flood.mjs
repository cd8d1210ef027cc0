/** Owns pipelined requests: every id must be answered exactly once. */
import { nowMs, sleep } from './processes.mjs';

/** Ids far from those of single requests. */
const FIRST = 1_000_000;

/** Request lines in buffers of about 64 KiB; `body(i)` is what follows the id. */
export const requestLines = (count, body) => {
  const buffers = [];
  let text = '';
  for (let i = 0; i < count; i += 1) {
    text += `{"jsonrpc":"2.0","id":${FIRST + i},${body(i)}}\n`;
    if (text.length < 65_536 && i < count - 1) continue;
    buffers.push(Buffer.from(text));
    text = '';
  }
  return buffers;
};

/**
 * Pours `count` requests and waits until each is answered; ends early when nothing comes for stallMs.
 * Resolves to { ms, bytes, wrong }: wrong lists in words what is missing, double, unknown or an error.
 */
export const flood = async (client, { count, buffers, stallMs = 20_000 }) => {
  const answered = new Uint8Array(count);
  const tally = { missing: count, double: 0, unknown: 0, errors: 0 };
  let last = nowMs();
  let finish;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  const take = (id, key) => {
    const slot = id - FIRST;
    if (!(slot >= 0 && slot < count)) tally.unknown += 1;
    else if (answered[slot] === 1) tally.double += 1;
    else {
      answered[slot] = 1;
      tally.missing -= 1;
      if (key) tally[key] += 1;
      last = nowMs();
      if (tally.missing === 0) finish();
    }
    return true;
  };
  client.hooks.result = (id) => id >= FIRST && take(id);
  client.hooks.message = ({ id, error, method }) => {
    if (method === undefined) take(id, error === undefined ? undefined : 'errors');
  };

  const startedAt = nowMs();
  const bytesBefore = client.counts.bytes;
  const watch = setInterval(() => nowMs() - last > stallMs && finish(), 250);
  client.ended.then(finish);
  client.pour(buffers);
  await finished;
  clearInterval(watch);
  const ms = last - startedAt;
  await sleep(20); // for answers that should not be there
  client.hooks.result = undefined;
  client.hooks.message = undefined;
  const wrong = Object.entries(tally).flatMap(([what, n]) => (n > 0 ? [`${n} of ${count} ${what}`] : []));
  return { ms, bytes: client.counts.bytes - bytesBefore, wrong, complete: tally.missing === 0 && tally.errors === 0 };
};
