/** What is done while it takes long, told every so often. */

const TELL_MS = 1500;

/**
 * Tells what is done while `work` takes long: nothing in its first second and a half, then something every so often.
 */
export async function telling<T>(
  tell: ((message: string) => void) | undefined,
  words: () => string,
  work: Promise<T>,
): Promise<T> {
  const ticking = tell && setInterval(() => tell(words()), TELL_MS);
  try {
    return await work;
  } finally {
    clearInterval(ticking);
  }
}
