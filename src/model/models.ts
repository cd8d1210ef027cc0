/** Makes the model of a provider, by its dialect. */
import type { Model, Provider } from '../protocol/model';
import type { HttpDeps } from './askHttp';
import { chatModel } from './chatModel';
import { responsesModel } from './responsesModel';
import { type ScriptDeps, scriptedModel } from './scriptedModel';

/** All that models need; `version` of codex-rx goes into the User-Agent. */
export type ModelDeps = HttpDeps & ScriptDeps & { version: string };

/** Makes the model of a provider, by its `wireApi`; its costs are paid by its first request. */
export const models = (deps: ModelDeps): ((provider: Provider) => Model) => {
  const makers = { responses: responsesModel(deps), chat: chatModel(deps), scripted: scriptedModel(deps) };
  return (provider) => makers[provider.wireApi](provider);
};
