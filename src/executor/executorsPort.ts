/** The executors of a process, as the rooms that use them see them. */
import type { Observable } from 'rxjs';
import type { Backend, Executor } from './backend';

/** An executor that threads work on. `member`: its name, if it is one of a pool. */
export type Reached = { executor: Executor; member?: string };

/**
 * The executors of all environments, as they are: each is connected once, when it is first needed, whoever needs it. Both throw ConfigError.
 * `backendOf`: runs processes; a pool has a member for each of them.
 * `reach`: emits once the executor that a thread works on, in a pool the member of this name or else the least loaded one; errors if none answers.
 */
export type Executors = {
  backendOf: (environmentId: string) => Backend;
  reach: (environmentId: string, member: string | undefined) => Observable<Reached>;
};
