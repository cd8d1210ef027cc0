/** What the arguments of the server mean. */
import { resolve } from 'node:path';
import type { ServeOptions } from '../../app/serve';
import type { GivenTo } from '../command';
import { toOverrides } from './codexFlags';
import type { SERVE_OPTIONS } from './options';

/** The arguments of the server. */
export type Serve = GivenTo<typeof SERVE_OPTIONS, Record<never, never>>;

/** The options of the daemon that its arguments mean. */
export const toServeOptions = (given: Serve, protocol?: 'acp'): ServeOptions => ({
  ...(protocol && { protocol }),
  engine: given.engine,
  codex: given.codex,
  tape: { path: given.tape, speed: toSpeed(given['tape-speed']), match: given['tape-match'] },
  modelTimeoutMs: given['model-timeout'] * 1000,
  overrides: [...given.config, ...toOverrides(given, given.model)],
  model: given.model,
  profile: given.profile,
  limits: {
    lock: given.lock,
    allowCallOverride: given['allow-call-override'],
    allowCallConfig: given['allow-call-config'],
    ...(protocol === 'acp' && { bringsServers: true }),
  },
  face: given.face,
  events: given.events,
  threadIdInText: given['thread-id-in-text'],
  askTimeoutMs: given['ask-timeout'] * 1000,
  tasksOutliveMs: given['tasks-outlive'] * 1000,
  ...(given['answer-within'] !== undefined && { answerWithinMs: given['answer-within'] * 1000 }),
  tools: given.tools,
  ...(given['offer-tapes'] !== undefined && { offerTapes: resolve(given['offer-tapes']) }),
  ...(given['task-after'] !== 'never' && { taskAfterMs: Number(given['task-after']) * 1000 }),
  turnTimeoutMs: given['call-timeout'] * 1000,
  unusedThreadMs: given['keep-threads'] * 1000,
  bareDiffPaths: given.face === '0.28' ? 'absolute' : 'relative',
  statusTexts: given.face === '0.28' ? 'short' : 'whole',
});

const toSpeed = (speed: string): number | 'max' => (speed === 'max' ? 'max' : Number(speed));
