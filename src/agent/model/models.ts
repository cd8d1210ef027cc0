/** Makes the model of a provider, by its dialect. */
import { type Observable, throwError } from 'rxjs';
import type { ModelEvent } from '../../protocol/model/events';
import { type Model, ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import type { HttpDeps } from '../modelHttp/askHttp';
import { chatModel } from './chat/chatModel';
import { responsesModel } from './responses/responsesModel';
import { type ScriptDeps, scriptedModel } from './script/scriptedModel';

type ModelDeps = HttpDeps &
  ScriptDeps & {
    /** Of codex-rx, for the User-Agent. */
    version: string;
  };

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
