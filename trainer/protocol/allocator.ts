/**
 * How the C library (glibc) keeps the memory of a process that trains. As it comes, it maps each large tensor anew and
 * gives it back once it is freed, until it
 * has seen some; then it tears its heap into pieces. These are read when a process starts, so it can't set them for
 * itself. (mallopt(3))
 */

/**
 * Pages of 2 MiB where the system leaves it to the program: zeroed and found sooner, a twentieth to a tenth of
 * SmolLM2's time, in training as in decoding.
 */
const HUGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

/**
 * Freed memory stays with the process, for its next tensor: mapped anew, the system zeroes the same pages again for
 * each product of a step, a fifteenth to a third of SmolLM2's time.
 */
const KEEPS = { MALLOC_MMAP_MAX_: '0', MALLOC_TRIM_THRESHOLD_: String(2 ** 34), ...HUGE_PAGES };

const LARGE = String(2 ** 20);
/**
 * For those who hold weights in 4 bits since they have little memory: what is large is always mapped on its own and
 * given back. (With 2 and 8 MiB in its place 8 lanes
 * decode up to 15 % faster, but a GRPO step's peak was 1,125 MiB or, in one run of four, 1,593; so it is always 1,086
 * to 1,107.)
 */
const GIVES_BACK = { MALLOC_MMAP_THRESHOLD_: LARGE, MALLOC_TRIM_THRESHOLD_: LARGE, ...HUGE_PAGES };

type Environment = Record<string, string | undefined>;
export interface Trained {
  model: string;
  quantize?: 'none' | 'q4' | undefined;
}

/** The environment of a process that is to train this; what is set already stays. @param trained null: not known */
export function trainingEnvironment<E extends Environment>(
  trained: Trained | null,
  environment: E,
  platform: string,
): E {
  if (platform !== 'linux' || trained?.model === 'nano') return environment;
  return { ...(trained?.quantize === 'q4' ? GIVES_BACK : KEEPS), ...environment };
}
