/** Makes the model of a provider, by its dialect. */
import { type Observable, throwError } from 'rxjs';
import { type Model, ModelError, type ModelEvent, type Provider } from '../protocol/model';
import { chatModel } from './chat';
import type { HttpDeps } from './http';
import { responsesModel } from './responses';
import { type ScriptDeps, scriptedModel } from './script';

/** All that models need; `version` of codex-rx goes into the User-Agent. */
export type ModelDeps = HttpDeps & ScriptDeps & { version: string };

/** A client is asked by the engine, which knows the call. */
const ofClient = () => (): Observable<ModelEvent> =>
  throwError(() => new ModelError('the model of the client can be asked by a call only', false));

/** Makes the model of a provider, by its `wireApi`; its costs are paid by its first request. */
export const models = (deps: ModelDeps): ((provider: Provider) => Model) => {
  const makers = {
    responses: responsesModel(deps),
    chat: chatModel(deps),
    scripted: scriptedModel(deps),
    client: ofClient,
  };
  return (provider) => makers[provider.wireApi](provider);
};
