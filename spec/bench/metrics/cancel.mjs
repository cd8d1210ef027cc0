/** A cancel sent behind 20,000 requests by a client that does not read: does it reach the model while nothing is read? */
import { requestLines } from '../flood.mjs';
import { nowMs } from '../processes.mjs';

const PAUSE_MS = 2000;
const count = (scaled) => scaled(20_000, 2000);

/** Starts a call whose model answer never ends; gives its id and a wait for the model's connection to close. */
const held = async (client, model) => {
  await model.take();
  client.call('bench:hold').catch(() => {}); // a cancelled request need not be answered
  const id = client.lastId();
  if (!(await model.find(({ scene }) => scene === 'hold', 10_000))) throw new Error('no request at the model');
  const closed = (waitMs) => model.find(({ scene, closedAt }) => scene === 'hold' && closedAt, waitMs);
  const cancel = () => client.send({ method: 'notifications/cancelled', params: { requestId: id } });
  return { cancel, closed };
};

export default {
  name: 'cancel',
  needs: ['tools/list', 'codex'],
  rows: (scaled) => [
    {
      key: 'cancel',
      label: `slow reader, cancel behind ${count(scaled)} tools/list, ms until the model's request ends`,
      better: 'lower',
      targets: [{ atMost: PAUSE_MS }],
    },
  ],
  run: ({ use, scaled, model, add, note, trouble }) =>
    use(
      async (client) => {
        const quiet = await held(client, model);
        quiet.cancel();
        if (!(await quiet.closed(3000))) return note('cancel', 'a cancel does not end the model request');
        const behind = await held(client, model);
        const buffers = requestLines(count(scaled), () => '"method":"tools/list"');
        client.hooks.result = () => true;
        client.child.stdout.pause();
        for (const bytes of buffers) client.child.stdin.write(bytes);
        const sentAt = nowMs();
        behind.cancel();
        const early = await behind.closed(PAUSE_MS);
        client.child.stdout.resume();
        if (!early) note('cancel', 'not before the client read again');
        const { closedAt } = early ?? (await behind.closed(10_000)) ?? {};
        if (closedAt === undefined) return trouble('cancel', 'the cancel never reached the model');
        add('cancel', closedAt - sentAt);
      },
      { freshHome: true },
    ),
};
