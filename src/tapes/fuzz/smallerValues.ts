/** Smaller JSON values, the smallest first: of a fault that needs a part of a value, that part is enough. */
import { isObject } from '../../protocol/jsonrpc/json';

/** Values that are smaller by one step; none of a value that cannot be smaller. Each step gets them from the one before. */
export const smallerValues = (value: unknown): unknown[] => {
  if (typeof value === 'string') return shorter(value.length).map(([from, to]) => value.slice(from, to));
  if (typeof value === 'number') return smallerNumbers(value);
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_PARTS);
    return [
      ...shorter(value.length).map(([from, to]) => value.slice(from, to)),
      ...items.flatMap((item, at) => smallerValues(item).map((one) => value.with(at, one))),
    ];
  }
  return isObject(value) ? fewerMembers(value) : [];
};

/** Of a larger array or object, these parts become smaller by themselves. */
const MAX_PARTS = 20;

/** Parts of a list from one place to another: none, its halves, then all but ever less at its end or its beginning. */
const shorter = (length: number): [from: number, to: number][] => {
  const left = halvings(length).flatMap((less): [number, number][] => [
    [0, length - less],
    [less, length],
  ]);
  return length === 0 ? [] : [[0, 0], ...left.filter(([from, to]) => to > from)];
};

/** 50, 25, 12, 6, 3 and 1 for 100. */
const halvings = (size: number): number[] => {
  const half = Math.floor(size / 2);
  return half === 0 ? [] : [half, ...halvings(half)];
};

const smallerNumbers = (value: number): number[] => {
  const all = [0, Math.sign(value), ...halvings(Math.abs(value)).map((less) => value - Math.sign(value) * less)];
  return [...new Set([...all, Math.trunc(value)])].filter((one) => Math.abs(one) < Math.abs(value));
};

/** The object without all its members, without one, or with a smaller one; members that are named stay as they are. */
export const fewerMembers = (
  value: Record<string, unknown>,
  ...fixed: readonly string[]
): Record<string, unknown>[] => {
  const names = Object.keys(value).filter((name) => !fixed.includes(name));
  const without = (dropped: readonly string[]) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.includes(name)));
  const single = names.slice(0, MAX_PARTS);
  return [
    ...(names.length > 1 ? [without(names)] : []),
    ...single.map((name) => without([name])),
    ...single.flatMap((name) => smallerValues(value[name]).map((one) => ({ ...value, [name]: one }))),
  ];
};
