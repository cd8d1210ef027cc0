/** Owns what others are known to do otherwise than a contract wants: each is proven by how the contract's own test fails. */

/**
 * @param what the tests, by their names; @param because what is otherwise; @param fails the words that the test fails with
 * @param sometimes true for a race that may also go as the contract wants
 */
export type Difference = { what: RegExp; because: string; fails: RegExp; sometimes?: true };

type Body = () => unknown;

const wordsOf = async (body: Body): Promise<string | undefined> => {
  try {
    await body();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** A row of a table as a name: each %s is the next of its values. */
const named = (name: string, row: readonly unknown[]): string => {
  const values = [...row];
  return name.replace(/%s/g, () => String(values.shift()));
};

/** As jest's `it`, for someone who differs here and there. A difference that is none any more fails. */
export const itBut = (differences: readonly Difference[]) => {
  const one = (name: string, body: Body, ms?: number): void => {
    const difference = differences.find(({ what }) => what.test(name));
    if (difference === undefined) return void it(name, async () => void (await body()), ms);
    const { because, fails, sometimes } = difference;
    it(
      `does not, for ${because}: ${name}`,
      async () => {
        const words = await wordsOf(body);
        expect(words ?? (sometimes ? 'as the contract wants' : '')).toMatch(
          sometimes ? new RegExp(`${fails.source}|^as the contract wants$`, 's') : fails,
        );
      },
      ms,
    );
  };
  const each =
    <R extends readonly unknown[]>(rows: readonly R[]) =>
    (name: string, body: (...row: R) => unknown, ms?: number): void => {
      for (const row of rows) one(named(name, row), () => body(...row), ms);
    };
  return Object.assign(one, { each });
};
