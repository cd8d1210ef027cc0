/** The executors of a process, as the rooms that use them see them. */
import type { Observable } from 'rxjs';
import type { Backend, Executor } from './backend';

/** An executor that threads work on. */
export type Reached = {
  executor: Executor;
  /** Its name, if it is a member of a pool. */
  member?: string;
};

/** The executors of all environments. Each is connected once, when it is first needed. Both members throw ConfigError. */
export type Executors = {
  /** Runs processes; in a pool each process gets a member. */
  backendOf: (environmentId: string) => Backend;
  /** Emits once the executor that a thread works on: in a pool the member of this name, otherwise the least loaded member. Errors if none answers. */
  reach: (environmentId: string, member: string | undefined) => Observable<Reached>;
};
