/** Leaves out what JSON would leave out: members that are undefined. */

/** The object without its members that are undefined, so that objects with equal values are equal. */
export const withoutUndefined = <T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
