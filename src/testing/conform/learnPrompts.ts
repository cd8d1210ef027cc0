/** Sends each prompt of `--prompt` once, and learns what the agent asks of its client then: permissions, files, terminals. */
import { concatMap, from, map, type Observable, toArray } from 'rxjs';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { request } from '../messages';
import { clientSide, kindsOf, WITH_ALL } from './clientSide';
import { ACP_1, type Offer } from './conformCase';
import { response } from './expecting';
import type { LearnedPrompt } from './needs';
import { type CaseDeps, playRows } from './playCase';
import { openingOf, SESSION } from './speaking';

/** Where sessions work, and what they are asked. */
export type AgentWork = {
  /** Absolute. */
  folder: string;
  /** Texts that do no harm. */
  prompts: readonly string[];
};

/** Emits the offer with what was learned, the prompts that ask for least first, and completes. */
export const learnPrompts = (deps: CaseDeps, offer: Offer, { folder, prompts }: AgentWork): Observable<Offer> =>
  from(offer.capabilities[ACP_1]?.session === undefined ? [] : prompts).pipe(
    concatMap((text) => learnPrompt(deps, folder, text)),
    toArray(),
    map((learned) => ({ ...offer, prompts: learned.toSorted((a, b) => a.asks.length - b.asks.length) })),
  );

const learnPrompt = (deps: CaseDeps, folder: string, text: string): Observable<LearnedPrompt> => {
  const values = {
    a: request('session/prompt', { sessionId: SESSION, prompt: [{ type: 'text', text }] }),
    A: response('a'),
  };
  const phases = [...openingOf({ revision: ACP_1, folder }, {}, WITH_ALL), { client: 'a-', server: '-A', values }];
  return playRows(deps, phases, { clientSide: clientSide() }).pipe(
    map(({ lines }) => {
      const asked = lines
        .filter(({ dir }) => dir === 'out')
        .flatMap(({ line }) => parseLine(line).messages)
        .filter((message) => message.kind === 'request');
      return {
        text,
        asks: [...new Set(asked.map(({ method }) => method))],
        options: [...new Set(asked.flatMap(({ params }) => kindsOf(params)))],
      };
    }),
  );
};
