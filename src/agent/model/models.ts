/** Makes the model of a provider, by its dialect. */
import { type Observable, pipe, throwError } from 'rxjs';
import type { ModelEvent } from '../../protocol/model/events';
import { type Model, ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import { flatten } from '../../streams/gather';
import { askHttp, type HttpDeps } from '../modelHttp/askHttp';
import { chatBody } from './chat/chatBody';
import { decodeChat } from './chat/decodeChat';
import { responsesModel } from './responses/responsesModel';
import { type ScriptDeps, scriptedModel } from './script/scriptedModel';

/** Everything that models need; `version` of codex-rx goes into the User-Agent. */
export type ModelDeps = HttpDeps & ScriptDeps & { version: string };

/** A client is asked by the engine, which knows the call. */
const ofClient = () => (): Observable<ModelEvent> =>
  throwError(() => new ModelError("the client's model can be asked only within a call", false));

/** Makes the model of a provider, by its `wireApi`; the cost of setting it up is paid by its first request. */
export const models = (deps: ModelDeps): ((provider: Provider) => Model) => {
  const makers = {
    responses: responsesModel(deps),
    chat: chatModel(deps),
    scripted: scriptedModel(deps),
    client: ofClient,
  };
  return (provider) => makers[provider.wireApi](provider);
};

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
