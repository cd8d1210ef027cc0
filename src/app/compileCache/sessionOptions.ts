/** The options of a daemon that serves a session to its own process. */
import type { ServeOptions } from '../serve';

/** @param provider its key in the configuration; @param url of its server; @param limitMs how long a turn may take, and reaching the model */
export type SessionModel = { provider: string; url: string; limitMs: number };

/** The session of a client with the usual options, whose model has no login. */
export const sessionOptions = ({ provider, url, limitMs }: SessionModel): ServeOptions => ({
  engine: 'auto',
  tape: { path: undefined, speed: 'max', match: 'strict' },
  overrides: [
    ...['model=gpt-5', `model_provider=${provider}`, `model_providers.${provider}.name=${provider}`],
    `model_providers.${provider}.base_url=${url}`,
  ],
  face: 'union',
  events: 'codex',
  threadIdInText: 'auto',
  askTimeoutMs: 1_000,
  turnTimeoutMs: limitMs,
  modelTimeoutMs: limitMs,
});
