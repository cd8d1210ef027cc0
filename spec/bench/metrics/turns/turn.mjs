/** A turn whose model answers at once: in a new session, and as a reply in a running one. */
import { median } from '../../results.mjs';
import { timed, watchThread } from './calls.mjs';

const againstOld = [{ of: 'codex-0.28.0', atMost: 1 / 5, words: '1/5' }];

export default {
  name: 'turn',
  needs: ['codex'],
  rows: () => [
    {
      key: 'turn.new',
      label: 'turn in a new session, model answers at once, ms',
      better: 'lower',
      targets: againstOld,
    },
    { key: 'turn.reply', label: 'turn as codex-reply, ms', better: 'lower', targets: againstOld },
  ],
  run: ({ use, server, scaled, add, note }) =>
    use(
      async (client) => {
        const threadOf = watchThread(client);
        const times = async (request, into) => {
          for (let i = 0; i < scaled(30, 5); i += 1) into.push((await timed(request)).ms);
          return median(into);
        };
        const { answer } = await timed(() => client.call('bench:say')); // the first turn is a metric of its own
        add('turn.new', await times(() => client.call('bench:say'), []));
        const threadId = threadOf(answer);
        if (server.replyKey === undefined || threadId === undefined) return note('turn.reply', 'no codex-reply');
        const reply = { name: 'codex-reply', arguments: { prompt: 'bench:say', [server.replyKey]: threadId } };
        add('turn.reply', await times(() => client.request('tools/call', reply), []));
      },
      { freshHome: true },
    ),
};
