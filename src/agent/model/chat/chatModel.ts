/** Wires the Chat Completions dialect. */
import { pipe } from 'rxjs';
import type { Model } from '../../../protocol/model/model';
import type { Provider } from '../../../protocol/model/provider';
import { flatten } from '../../../streams/flatten';
import { askHttp, type HttpDeps } from '../../modelHttp/askHttp';
import { chatBody } from './chatBody';
import { decodeChat } from './decodeChat';

/**
 * A model behind Chat Completions: POST {baseUrl}/chat/completions, the whole conversation each time.
 * Emits as `Model` does, without item ids.
 * Source: Codex 0.28.0, bodies and headers of POST /chat/completions.
 */
export const chatModel = (deps: HttpDeps): ((provider: Provider) => Model) => {
  const toBody = chatBody();
  return askHttp(deps, {
    path: 'chat/completions',
    saysBusy: false,
    toOwnHeaders: () => ({}),
    toBody: (request, provider) => JSON.stringify(toBody(request, provider)),
    decode: () =>
      pipe(flatten(), decodeChat({ newId: () => `call_${Math.floor(deps.random() * 2 ** 52).toString(36)}` })),
  });
};
