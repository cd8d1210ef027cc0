/**
 * A spec beside other people's programs that fails is run once more, and its first failure printed: what they do by
 * themselves (updates, caches, logs at their end) is not in our hands.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
